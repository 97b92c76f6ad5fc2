import { stat } from 'node:fs/promises'
import { hasCode, Refusal } from '../../../platform/errors.ts'
import { AskedThread, Patience, SMALL_BYTES } from '../../../platform/threads/asked-thread.ts'
import { siblingModule } from '../../../platform/threads/thread.ts'
import type { DialectName } from '../../database/dialect.ts'
import type { ReadyWords } from '../../database/words/ready.ts'
import { MAX_HEAP_MEGABYTES } from '../files/limits.ts'
import type { ReadOptions, Rule } from '../xccdf/benchmark.ts'
import type { PackedItem, UploadReply, UploadRequest } from './upload-protocol.ts'
import type { RefusedItem } from './upload.ts'

const LIMITS = {
  maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES,
  /** What is looked through most often; more of it would only be kept longer. */
  maxYoungGenerationSizeMb: 16,
}

/** For the next document of a file, which has 50 MB at most but may lie behind others. */
const NEXT_MS = 120_000
/** For all of a file, beside what each megabyte of it adds. */
const FILE_MS = 600_000
const MEGABYTE_MS = 10_000
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
  #idle: AskedThread | null = null

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
    const size = await sizeOf(file)
    const thread = this.#take()
    const wholeMs = FILE_MS + (size / 1_000_000) * MEGABYTE_MS
    const patience = new Patience({ answerMs: NEXT_MS, wholeMs })
    try {
      const how = { documentType, version, dialect: this.#dialect }
      await ask(thread, { kind: 'open', file, how }, patience)
      for (;;) {
        const reply = await ask(thread, { kind: 'next' }, patience)
        if (reply.kind === 'end') return
        const item = itemOf(reply)
        const portions = new Patience(PORTION)
        const rules = async (from: number, to: number): Promise<readonly Rule[]> =>
          rulesOf(await ask(thread, { kind: 'rules', from, to }, portions))
        const words = async (from: number, to: number): Promise<ReadyWords> =>
          wordsOf(await ask(thread, { kind: 'words', from, to }, portions))
        const found = this.#dialect === null ? { rules } : { rules, words }
        yield item.kind !== 'read' ? item : { ...item, ...found }
      }
    } finally {
      await this.#giveBack(thread, size)
    }
  }

  async close(): Promise<void> {
    await this.#idle?.close()
    this.#idle = null
  }

  #take(): AskedThread {
    const kept = this.#idle
    this.#idle = null
    const thread =
      kept?.alive === true
        ? kept
        : new AskedThread(siblingModule(import.meta.url, 'upload-worker'), LIMITS)
    thread.hold()
    return thread
  }

  async #giveBack(thread: AskedThread, size: number): Promise<void> {
    if (!thread.alive || size > SMALL_BYTES || this.#idle !== null) {
      await thread.close()
      return
    }
    this.#idle = thread
    thread.retire(() => {
      if (this.#idle === thread) this.#idle = null
    })
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

function ask(
  thread: AskedThread,
  request: UploadRequest,
  patience: Patience,
): Promise<UploadReply> {
  return thread.ask(request, patience)
}

function itemOf(reply: UploadReply): PackedItem | RefusedItem {
  if (reply.kind === 'refusal') throw new Refusal(reply.code, reply.detail)
  if (reply.kind === 'failure') throw new Error(reply.stack)
  if (reply.kind === 'item') return reply.item
  throw new Error(`Unexpected reply "${reply.kind}"`)
}

function rulesOf(reply: UploadReply): readonly Rule[] {
  if (reply.kind === 'rules') return reply.rules
  throw new Error(`Unexpected reply "${reply.kind}"`)
}

function wordsOf(reply: UploadReply): ReadyWords {
  if (reply.kind === 'words') return reply.words
  throw new Error(`Unexpected reply "${reply.kind}"`)
}
