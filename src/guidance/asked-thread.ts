import type { Worker } from 'node:worker_threads'
import { hasCode, Refusal } from '../platform/errors.ts'
import { startThread } from '../platform/thread.ts'

/** A thread that nobody needs is kept this long: it has its code loaded and compiled. */
const IDLE_MS = 60_000
/** One that has read a larger file is not to be kept: it holds too much memory. */
export const SMALL_BYTES = 8_000_000

/** In megabytes. */
interface HeapLimits {
  readonly maxOldGenerationSizeMb: number
  readonly maxYoungGenerationSizeMb?: number
}

/** Answers one request after the other; once it has ended, every request fails. */
export class AskedThread {
  readonly #worker: Worker
  readonly #death: Promise<never>
  #retirement: NodeJS.Timeout | undefined
  alive = true

  /** A heap that is too small for what is asked ends it with `too_large`. */
  constructor(module: URL, limits: HeapLimits) {
    this.#worker = startThread(module, null, limits)
    this.#death = deathOf(this.#worker, limits)
    this.#worker.once('exit', () => {
      this.alive = false
    })
  }

  ask<Reply>(request: unknown): Promise<Reply> {
    const answer = new Promise<Reply>((resolve) => {
      this.#worker.once('message', (reply: Reply) => {
        resolve(reply)
      })
    })
    this.#worker.postMessage(request)
    return Promise.race([answer, this.#death])
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

/** Rejects when the thread ends, whatever it was asked; until somebody waits, that is no fault. */
function deathOf(thread: Worker, limits: HeapLimits): Promise<never> {
  const death = new Promise<never>((_resolve, reject) => {
    thread.once('error', (error: Error) => {
      reject(hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY') ? needsTooMuchMemory(limits) : error)
    })
    thread.once('exit', () => {
      reject(new Error('The reading thread has ended'))
    })
  })
  death.catch(() => undefined)
  return death
}

function needsTooMuchMemory({ maxOldGenerationSizeMb }: HeapLimits): Refusal {
  const limit = `the limit of ${maxOldGenerationSizeMb} MB`
  return new Refusal('too_large', `Reading the file needs too much memory: more than ${limit}.`)
}
