import { stat } from 'node:fs/promises'
import { hasCode, Refusal } from '../../../platform/errors.ts'
import { Patience } from '../../../platform/threads/patience.ts'
import { ReadingThreads, type AskReader } from '../../../platform/threads/reading-threads.ts'
import { siblingModule } from '../../../platform/threads/thread.ts'
import type { DialectName } from '../../database/dialect.ts'
import type { ReadyWords } from '../../database/words/ready.ts'
import { MAX_HEAP_MEGABYTES } from '../files/limits.ts'
import type { ReadOptions, Rule } from '../xccdf/benchmark.ts'
import {
  UPLOAD,
  type PackedItem,
  type UploadExchanges,
  type UploadTask,
} from './upload-protocol.ts'
import type { RefusedItem } from './upload.ts'

const LIMITS = {
  heapMegabytes: MAX_HEAP_MEGABYTES,
  /** What is looked through most often; more of it would only be kept longer. */
  youngMegabytes: 16,
  /** For the next document of a file, which has 50 MB at most but may lie behind others. */
  answerMs: 120_000,
  wholeMs: 600_000,
  megabyteMs: 10_000,
}

/**
 * Rules are fetched within the transaction that stores them: in a benchmark of 50 MB they are too many
 * to be kept on the thread that answers everybody. So long may the thread keep other writers waiting.
 */
const PORTION = { answerMs: 10_000, wholeMs: 60_000 }

/** A benchmark that was read. Its rules stay on the thread, until the next item is asked for. */
export interface SentItem extends PackedItem {
  /** Some of the rules, in document order: `from` is among them, `to` is not. */
  readonly rules: (from: number, to: number) => Promise<readonly Rule[]>
  /** What they are found by, quickest for the portion whose rules were asked for last. */
  readonly words?: (from: number, to: number) => Promise<ReadyWords>
}

/** Reads uploaded files on threads of their own, one file on each. Ends with `close`. */
export class UploadReader {
  readonly #dialect: DialectName | null
  readonly #threads = new ReadingThreads({
    module: siblingModule(import.meta.url, 'upload-worker'),
    protocol: UPLOAD,
    limits: LIMITS,
  })

  /** Words are made for this database; null: for none. */
  constructor(dialect: DialectName | null) {
    this.#dialect = dialect
  }

  /**
   * The benchmarks of a file, see `readUploadHere`. Reads the next one when that is asked for, and
   * ends with the last one, with a refusal, or when the caller stops early. A file that needs more
   * memory than the thread may have is `too_large`, one that needs too much time `reading_too_long`.
   */
  async *read(
    file: string,
    { documentType, version }: ReadOptions,
  ): AsyncGenerator<SentItem | RefusedItem, void> {
    const task = { file, documentType, version, dialect: this.#dialect }
    yield* this.#threads.lend(await sizeOf(file), (ask) => itemsOf(task, ask))
  }

  async close(): Promise<void> {
    await this.#threads.close()
  }
}

/** Refuses (`source_not_found`) what is no file. Its place is the caller's business. */
async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return null
    throw error
  })
  if (found?.isFile() === true) return found.size
  throw new Refusal('source_not_found', 'There is no such file.')
}

async function* itemsOf(
  task: UploadTask,
  ask: AskReader<UploadExchanges>,
): AsyncGenerator<SentItem | RefusedItem, void> {
  let item = await ask('open', task)
  while (item !== null) {
    yield item.kind === 'read' ? withRules(item, task, ask) : item
    item = await ask('next', null)
  }
}

function withRules(
  item: PackedItem,
  { dialect }: UploadTask,
  ask: AskReader<UploadExchanges>,
): SentItem {
  const patience = new Patience(PORTION)
  const rules: SentItem['rules'] = (from, to) => ask('rules', { from, to }, patience)
  if (dialect === null) return { ...item, rules }
  return { ...item, rules, words: (from, to) => ask('words', { from, to }, patience) }
}
