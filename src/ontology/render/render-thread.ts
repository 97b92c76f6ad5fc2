import { messageOf, Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { SupervisedThread, factsOf, type ThreadLimits } from '../../platform/threads/supervised-thread.ts'
import { siblingModule } from '../../platform/threads/thread.ts'
import { WaitLimit } from '../../platform/threads/wait-limit.ts'
import { RENDERING, type RenderExchanges, type RenderStart } from './protocol.ts'
import type { AnswerDigest } from './render.ts'

export interface RenderThreadOptions extends RenderStart {
  readonly limits: ThreadLimits
  /** Gets the reason why a thread was ended, and what it was busy with. */
  readonly log?: Log | undefined
  /** Default: the one that serves a release. */
  readonly module?: URL | undefined
}

/**
 * A release on a thread of its own, so that opening it, rendering and compressing never delay the main thread. Once the
 * thread has ended, its pending requests are refused with `answer_abandoned`.
 */
export class RenderThread extends SupervisedThread<RenderExchanges> {
  /** Resolves once the release is open; refuses with the cause when it cannot be opened. */
  readonly opened: Promise<void>
  readonly #answerMs: number

  constructor({ limits, log, module, dataDir, manifest, engine }: RenderThreadOptions) {
    const { version } = manifest
    super({
      module: module ?? siblingModule(import.meta.url, 'render-worker'),
      protocol: RENDERING,
      data: { dataDir, manifest, engine },
      limits,
      refuse: (death) => {
        if (!death.wasReady) return cannotOpen(version)
        log?.error({ version, ...factsOf(death) }, 'A rendering thread was ended')
        return renderingAbandoned('The thread that prepares answers had to be replaced.')
      },
    })
    this.#answerMs = limits.answerMs
    this.opened = this.ready.catch((cause: unknown) => {
      const detail = `Release ${version} cannot be opened: ${messageOf(cause)}.`
      throw new Refusal('release_unusable', detail)
    })
    this.opened.catch(() => null)
  }

  /** Writing may take ten times as long as an answer: files may be large, and only a command waits for them. */
  async write(question: RenderExchanges['write']['question']): Promise<readonly AnswerDigest[]> {
    return this.ask('write', question, {
      waitLimit: new WaitLimit({ answerMs: 10 * this.#answerMs }),
    })
  }

  override async close(): Promise<void> {
    await super.close(renderingAbandoned('The release has been closed.'))
  }
}

function renderingAbandoned(why: string): Refusal {
  return new Refusal('answer_abandoned', `${why} Try again.`)
}

/** The refusal for clients, without the cause, which may name files of this machine. */
export function cannotOpen(version: string): Refusal {
  return new Refusal(
    'release_unusable',
    `Release ${version} cannot be opened; the log has the reason. Try again in a while.`,
  )
}
