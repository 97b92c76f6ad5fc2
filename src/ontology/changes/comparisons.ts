import { WorkQueue } from '../../platform/concurrency/work-queue.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { SupervisedThread, factsOf, type ThreadLimits } from '../../platform/threads/supervised-thread.ts'
import { siblingModule } from '../../platform/threads/thread.ts'
import { DerivedFiles } from '../derived/derived-files.ts'
import { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'
import { limitsFor } from '../render/limits.ts'
import { renderPieces, type RenderedAnswer } from '../render/render.ts'
import { FORMS, derivedNameOf } from './forms.ts'
import { COMPARING, type CompareExchanges } from './protocol.ts'

/** The thread ends after this time without a comparison, because it holds two releases. */
const IDLE_MS = 30_000
/** Limit of waiting comparisons; each takes a core for a second or more. */
const MAX_WAITING = 8

/** Compares releases on a thread of their own, one pair after the other. */
export class Comparisons {
  readonly #dataDir: string
  readonly #log: Log | null
  readonly #cache: DerivedFiles
  #thread: SupervisedThread<CompareExchanges> | null = null
  readonly #queue = new WorkQueue({
    tasks: MAX_WAITING,
    refusal: `${MAX_WAITING} comparisons of releases are already running. Try again.`,
  })
  #idle: NodeJS.Timeout | null = null
  #closed = false

  constructor({ dataDir, log }: { readonly dataDir: string; readonly log?: Log }) {
    this.#dataDir = dataDir
    this.#log = log ?? null
    this.#cache = new DerivedFiles(new ReleaseFolder(dataDir).root)
  }

  /** The stored comparison, if this or another process has computed it before. */
  async compare(question: CompareExchanges['changes']['question']): Promise<RenderedAnswer> {
    const { from, to, form, coding } = question
    const text = await this.#cache.read(derivedNameOf(from, to, form))
    if (text !== null) return renderPieces([text], FORMS[form].mediaType, coding)
    return this.#queue.run(() => this.#ask(question))
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#end()
    await this.#queue.settled()
  }

  async #ask(question: CompareExchanges['changes']['question']): Promise<RenderedAnswer> {
    if (this.#idle !== null) clearTimeout(this.#idle)
    const limits = await this.#limitsOf(question.from, question.to)
    if (this.#closed) throw comparisonAbandoned('The service is closing.')
    const thread = this.#thread?.alive === true ? this.#thread : this.#start(limits)
    this.#thread = thread
    try {
      return await thread.ask('changes', question)
    } finally {
      this.#idle = setTimeout(() => void this.#end(), IDLE_MS).unref()
    }
  }

  #start(limits: ThreadLimits): SupervisedThread<CompareExchanges> {
    return new SupervisedThread({
      module: siblingModule(import.meta.url, 'changes-worker'),
      protocol: COMPARING,
      data: { dataDir: this.#dataDir },
      limits,
      refuse: (death) => {
        this.#log?.error(factsOf(death), 'The thread that compares releases was ended')
        return comparisonAbandoned('The thread that compares releases had to be replaced.')
      },
    })
  }

  /** Adds up the limits of both releases, because the thread holds both. */
  async #limitsOf(...manifests: readonly Manifest[]): Promise<ThreadLimits> {
    const folder = new ReleaseFolder(this.#dataDir)
    const each = await Promise.all(manifests.map((manifest) => limitsFor(folder, manifest)))
    const sum = (key: 'heapMegabytes' | 'openingMs' | 'answerMs'): number =>
      each.reduce((total, limits) => total + limits[key], 0)
    return {
      heapMegabytes: sum('heapMegabytes'),
      // Most of what a comparison makes lives as long as it does, and would only be copied on the way.
      youngMegabytes: 64,
      openingMs: sum('openingMs'),
      answerMs: sum('answerMs'),
    }
  }

  async #end(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = null
    await thread?.close(comparisonAbandoned('The comparison was ended.'))
  }
}

function comparisonAbandoned(why: string): Refusal {
  return new Refusal('answer_abandoned', `${why} Try again.`)
}
