import { stat } from 'node:fs/promises'
import type { Worker } from 'node:worker_threads'
import { hasCode, Refusal } from '../../platform/errors.ts'
import { siblingModule, startThread } from '../../platform/thread.ts'
import type { ReadOptions, Rule } from './benchmark.ts'
import { MAX_HEAP_MEGABYTES } from './limits.ts'
import type { PackedItem, UploadReply, UploadRequest } from './upload-protocol.ts'
import type { RefusedItem } from './upload.ts'

/** A thread that nobody needs is kept this long: it has its code loaded and compiled. */
const IDLE_MS = 60_000
/** One that has read a larger file is not kept: it holds too much memory. */
const SMALL_BYTES = 8_000_000

/** Of the heap, what is looked through most often; more of it would only be kept longer. */
const YOUNG_MEGABYTES = 16

/** A benchmark that was read. Its rules stay on the thread, until the next item is asked for. */
export interface SentItem extends PackedItem {
  /** Some of the rules, in document order: `from` is among them, `to` is not. */
  readonly rules: (from: number, to: number) => Promise<readonly Rule[]>
}

/** Reads uploaded files on threads of their own, one file on each. Ends with `close`. */
export class UploadReader {
  #idle: ReadingThread | null = null
  #retirement: NodeJS.Timeout | undefined

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
      await thread.ask({ kind: 'open', file, options: { documentType, version } })
      for (;;) {
        const reply = await thread.ask({ kind: 'next' })
        if (reply.kind === 'end') return
        const item = itemOf(reply)
        const rules = async (from: number, to: number): Promise<readonly Rule[]> =>
          rulesOf(await thread.ask({ kind: 'rules', from, to }))
        yield item.kind === 'refused' ? item : { ...item, rules }
      }
    } finally {
      await this.#giveBack(thread, size)
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#retirement)
    await this.#idle?.close()
    this.#idle = null
  }

  #take(): ReadingThread {
    clearTimeout(this.#retirement)
    const thread = this.#idle ?? new ReadingThread()
    this.#idle = null
    thread.hold(true)
    return thread
  }

  async #giveBack(thread: ReadingThread, size: number): Promise<void> {
    if (!thread.alive || size > SMALL_BYTES || this.#idle !== null) {
      await thread.close()
      return
    }
    this.#idle = thread
    thread.hold(false)
    this.#retirement = setTimeout(() => void this.close(), IDLE_MS).unref()
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

/** Answers one request after the other; once it has ended, every request fails. */
class ReadingThread {
  readonly #worker: Worker
  readonly #death: Promise<never>
  alive = true

  constructor() {
    const limits = {
      maxOldGenerationSizeMb: MAX_HEAP_MEGABYTES,
      maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
    }
    this.#worker = startThread(siblingModule(import.meta.url, 'upload-worker'), null, limits)
    this.#death = deathOf(this.#worker)
    this.#worker.once('exit', () => {
      this.alive = false
    })
  }

  /** Whether the process has to stay for it. */
  hold(needed: boolean): void {
    if (needed) this.#worker.ref()
    else this.#worker.unref()
  }

  ask(request: UploadRequest): Promise<UploadReply> {
    const answer = new Promise<UploadReply>((resolve) => {
      this.#worker.once('message', (reply: UploadReply) => {
        resolve(reply)
      })
    })
    this.#worker.postMessage(request)
    return Promise.race([answer, this.#death])
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }
}

/** Rejects when the thread ends, whatever it was asked; until somebody waits, that is no fault. */
function deathOf(thread: Worker): Promise<never> {
  const death = new Promise<never>((_resolve, reject) => {
    thread.once('error', (error: Error) => {
      reject(hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY') ? needsTooMuchMemory() : error)
    })
    thread.once('exit', () => {
      reject(new Error('The reading thread has ended'))
    })
  })
  death.catch(() => undefined)
  return death
}

function needsTooMuchMemory(): Refusal {
  const limit = `the limit of ${MAX_HEAP_MEGABYTES} MB`
  return new Refusal('too_large', `Reading the file needs too much memory: more than ${limit}.`)
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
