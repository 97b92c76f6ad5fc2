import { availableParallelism } from 'node:os'
import { AT_ONCE } from '../../platform/threads/supervised-thread.ts'
import type { ReleaseFolder } from '../release/folder.ts'
import type { Manifest } from '../release/manifest.ts'
import { limitsFor } from '../render/limits.ts'
import type { PathSelection, ReleasePath } from '../render/paths.ts'
import { RenderThread } from '../render/render-thread.ts'

interface WriterThreadsOptions {
  readonly dataDir: string
  /** Default: one per core. */
  readonly threads?: number
}

/** Answers live until they are written. With a smaller young generation, V8 would promote many of them to the old one. */
const YOUNG_MEGABYTES = 48

/** The threads that write a release. */
export class WriterThreads {
  readonly #threads: readonly RenderThread[]

  private constructor(threads: readonly RenderThread[]) {
    this.#threads = threads
  }

  /** Resolves when all of them have opened the release. */
  static async open(
    folder: ReleaseFolder,
    manifest: Manifest,
    { dataDir, threads = availableParallelism() }: WriterThreadsOptions,
  ): Promise<WriterThreads> {
    const limits = { ...(await limitsFor(folder, manifest)), youngMegabytes: YOUNG_MEGABYTES }
    const opening = Array.from({ length: threads }, () => new RenderThread({ dataDir, manifest, limits }))
    const writers = new WriterThreads(opening)
    try {
      await Promise.all(opening.map((thread) => thread.opened))
    } catch (error) {
      await writers.close()
      throw error
    }
    return writers
  }

  get first(): RenderThread {
    const [first] = this.#threads
    if (first === undefined) throw new Error('There is no thread')
    return first
  }

  /** The paths that the release answers, all or some of them. */
  async paths({ describe, onlyJson }: PathSelection): Promise<readonly ReleasePath[]> {
    return this.first.ask('paths', { describe, onlyJson })
  }

  /** Runs a task for each item; after a failure, no further task begins. */
  async each<T>(todo: readonly T[], work: (thread: RenderThread, one: T) => Promise<void>): Promise<void> {
    const queue = todo.values()
    const stop = new AbortController()
    const lane = async (thread: RenderThread): Promise<void> => {
      for (const item of queue) {
        if (stop.signal.aborted) return
        await work(thread, item)
      }
    }
    const lanes = this.#threads.flatMap((thread) => Array.from({ length: AT_ONCE }, () => thread))
    const ended = await Promise.allSettled(
      lanes.map(async (thread) => {
        await lane(thread).catch((error: unknown) => {
          stop.abort()
          throw error
        })
      }),
    )
    for (const result of ended) if (result.status === 'rejected') throw result.reason
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }
}
