import type { Worker } from 'node:worker_threads'
import { hasCode, Refusal } from '../errors.ts'
import { startThread } from './thread.ts'

/** A thread that nobody needs is kept this long: it has its code loaded and compiled. */
const IDLE_MS = 60_000
/** One that has read a larger file is not to be kept: it holds too much memory. */
export const SMALL_BYTES = 8_000_000

/** In megabytes. */
interface HeapLimits {
  readonly maxOldGenerationSizeMb: number
  readonly maxYoungGenerationSizeMb?: number
}

/** How long somebody waits for a thread. */
export class Patience {
  readonly #answerMs: number
  readonly #wholeMs: number
  #spentMs = 0

  /** For one answer, and for all of them together; what the asker does between them does not count. */
  constructor({ answerMs, wholeMs }: { readonly answerMs: number; readonly wholeMs: number }) {
    this.#answerMs = answerMs
    this.#wholeMs = wholeMs
  }

  /** For the next answer. */
  get leftMs(): number {
    return Math.max(0, Math.min(this.#answerMs, this.#wholeMs - this.#spentMs))
  }

  spend(ms: number): void {
    this.#spentMs += ms
  }

  get refusal(): Refusal {
    const ms = this.#spentMs + this.#answerMs < this.#wholeMs ? this.#answerMs : this.#wholeMs
    const limit = `the limit of ${Math.ceil(ms / 1000)} seconds`
    return new Refusal('reading_too_long', `Reading the file takes too long: more than ${limit}.`)
  }
}

/** Answers one request after the other; once it has ended, every request fails. */
export class AskedThread {
  readonly #worker: Worker
  /** Who waits for an answer; a promise that all of them share would keep every answer. */
  #asking: ((death: Error) => void) | null = null
  #death: Error | null = null
  #retirement: NodeJS.Timeout | undefined

  /** A heap that is too small for what is asked ends it with `too_large`. */
  constructor(module: URL, limits: HeapLimits) {
    this.#worker = startThread(module, null, limits)
    this.#worker.once('error', (error: Error) => {
      this.#die(hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY') ? needsTooMuchMemory(limits) : error)
    })
    this.#worker.once('exit', () => {
      this.#die(new Error('The reading thread has ended'))
    })
  }

  get alive(): boolean {
    return this.#death === null
  }

  /** Ends the thread, and refuses, when the answer does not come in time. */
  async ask<Reply>(request: unknown, patience: Patience): Promise<Reply> {
    const begun = performance.now()
    const deadline = setTimeout(() => {
      this.#die(patience.refusal)
      void this.close()
    }, patience.leftMs)
    try {
      return await this.#ask<Reply>(request)
    } finally {
      clearTimeout(deadline)
      patience.spend(performance.now() - begun)
    }
  }

  #ask<Reply>(request: unknown): Promise<Reply> {
    return new Promise<Reply>((resolve, reject) => {
      if (this.#death !== null) {
        reject(this.#death)
        return
      }
      this.#asking = reject
      this.#worker.once('message', (reply: Reply) => {
        this.#asking = null
        resolve(reply)
      })
      this.#worker.postMessage(request)
    })
  }

  /** The first cause is told. */
  #die(death: Error): void {
    this.#death ??= death
    this.#asking?.(this.#death)
    this.#asking = null
  }

  /** The process has to stay for it. */
  hold(): void {
    clearTimeout(this.#retirement)
    this.#worker.ref()
  }

  /** Ends it in a while, unless it is held again. */
  retire(whenOver: () => void): void {
    this.#worker.unref()
    this.#retirement = setTimeout(() => {
      whenOver()
      void this.close()
    }, IDLE_MS).unref()
  }

  async close(): Promise<void> {
    clearTimeout(this.#retirement)
    await this.#worker.terminate()
  }
}

function needsTooMuchMemory({ maxOldGenerationSizeMb }: HeapLimits): Refusal {
  const limit = `the limit of ${maxOldGenerationSizeMb} MB`
  return new Refusal('too_large', `Reading the file needs too much memory: more than ${limit}.`)
}
