import { sizeOf } from '../../../platform/files/file-kinds.ts'
import { ReadingThreads, type AskReader } from '../../../platform/threads/reading-threads.ts'
import { siblingModule } from '../../../platform/threads/thread.ts'
import { WaitLimit } from '../../../platform/threads/wait-limit.ts'
import { MAX_HEAP_MEGABYTES } from '../files/limits.ts'
import type { ReadOptions, Rule } from '../xccdf/benchmark.ts'
import { UPLOAD, type PackedItem, type UploadExchanges, type UploadTask } from './upload-protocol.ts'
import type { RefusedItem } from './upload.ts'

const LIMITS = {
  heapMegabytes: MAX_HEAP_MEGABYTES,
  /** Small, because a larger young generation would only keep garbage longer. */
  youngMegabytes: 16,
  /** Allows for the next document of up to 50 MB, and for documents that are skipped before it. */
  answerMs: 120_000,
  wholeMs: 600_000,
  megabyteMs: 10_000,
}

/**
 * Limits of one portion of rules. Rules are fetched in the transaction that stores them, because those of a 50 MB
 * benchmark are too many for the main thread; other writers wait that long.
 */
const TIME_LIMITS = { answerMs: 10_000, wholeMs: 60_000 }

/** A benchmark that was read. Its rules stay on the thread until the next item is read. */
export interface ReceivedItem extends PackedItem {
  /** A range of the rules, in document order: `from` is included, `to` is not. */
  readonly rules: (from: number, to: number) => Promise<readonly Rule[]>
}

/** Reads each uploaded file on a separate thread. `close` ends them. */
export class UploadReader {
  readonly #threads = new ReadingThreads({
    module: siblingModule(import.meta.url, 'upload-worker'),
    protocol: UPLOAD,
    limits: LIMITS,
  })

  /**
   * Yields the benchmarks of a file, see `readUploadHere`. Each is read on demand. Reading ends with the last one, with
   * a refusal, or when the caller stops. Refuses a file that needs too much memory (`too_large`) or time
   * (`reading_too_long`).
   */
  async *read(file: string, { documentType, version }: ReadOptions): AsyncGenerator<ReceivedItem | RefusedItem, void> {
    const task = { file, documentType, version }
    yield* this.#threads.lend(await sizeOf(file), (ask) => itemsOf(task, ask))
  }

  async close(): Promise<void> {
    await this.#threads.close()
  }
}

async function* itemsOf(
  task: UploadTask,
  ask: AskReader<UploadExchanges>,
): AsyncGenerator<ReceivedItem | RefusedItem, void> {
  let item = await ask('open', task)
  while (item !== null) {
    yield item.kind === 'read' ? withRules(item, ask) : item
    item = await ask('next', null)
  }
}

function withRules(item: PackedItem, ask: AskReader<UploadExchanges>): ReceivedItem {
  const waitLimit = new WaitLimit(TIME_LIMITS)
  return { ...item, rules: (from, to) => ask('rules', { from, to }, waitLimit) }
}
