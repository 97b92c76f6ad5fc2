import { stat } from 'node:fs/promises'
import { hasCode, Refusal } from '../../platform/errors.ts'
import { siblingModule } from '../../platform/thread.ts'
import { AskedThread, SMALL_BYTES } from '../asked-thread.ts'
import type { DialectName } from '../database/dialect.ts'
import type { ReadyWords } from '../full-text/ready.ts'
import type { ReadOptions, Rule } from './benchmark.ts'
import { MAX_HEAP_MEGABYTES } from './limits.ts'
import type { PackedItem, UploadReply, UploadRequest } from './upload-protocol.ts'
import type { RefusedItem } from './upload.ts'

const LIMITS = {
  maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES,
  /** What is looked through most often; more of it would only be kept longer. */
  maxYoungGenerationSizeMb: 16,
}

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
   * memory than the thread may have is `too_large`.
   */
  async *read(
    file: string,
    { documentType, version }: ReadOptions,
  ): AsyncGenerator<SentItem | RefusedItem, void> {
    const size = await sizeOf(file)
    const thread = this.#take()
    try {
      const how = { documentType, version, dialect: this.#dialect }
      await ask(thread, { kind: 'open', file, how })
      for (;;) {
        const reply = await ask(thread, { kind: 'next' })
        if (reply.kind === 'end') return
        const item = itemOf(reply)
        const rules = async (from: number, to: number): Promise<readonly Rule[]> =>
          rulesOf(await ask(thread, { kind: 'rules', from, to }))
        const words = async (from: number, to: number): Promise<ReadyWords> =>
          wordsOf(await ask(thread, { kind: 'words', from, to }))
        const found = this.#dialect === null ? { rules } : { rules, words }
        yield item.kind === 'refused' ? item : { ...item, ...found }
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
    const thread =
      this.#idle ?? new AskedThread(siblingModule(import.meta.url, 'upload-worker'), LIMITS)
    this.#idle = null
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

function ask(thread: AskedThread, request: UploadRequest): Promise<UploadReply> {
  return thread.ask(request)
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
