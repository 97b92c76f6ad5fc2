import { Refusal } from '../errors.ts'
import type { Exchanges, Protocol } from './protocol.ts'
import { SupervisedThread, type ThreadDeath, type ThreadLimits } from './supervised-thread.ts'
import { WaitLimit } from './wait-limit.ts'

/** An idle thread is kept this long, because its code is loaded and compiled. */
const IDLE_MS = 60_000
/** A thread that has read a larger file is ended, because it holds too much memory. */
const SMALL_BYTES = 8_000_000

interface ReadingLimits extends Omit<ThreadLimits, 'openingMs'> {
  /** Limit for a whole file, to which each megabyte adds. */
  readonly wholeMs: number
  readonly megabyteMs: number
}

interface ReaderOptions<E extends Exchanges<E>> {
  readonly module: URL
  readonly protocol: Protocol<E>
  readonly limits: ReadingLimits
}

/** Asks the thread of one file. All answers together have a limit of time, unless the call names another. */
export type AskReader<E extends Exchanges<E>> = <K extends keyof E & string>(
  kind: K,
  question: E[K]['question'],
  waitLimit?: WaitLimit,
) => Promise<E[K]['answer']>

/**
 * Reads each file on a separate thread, so that large and malicious files do not delay other work. Refuses what the
 * module refuses, and with `too_large` or `reading_too_long` if a file needs too much memory or time.
 */
export class ReadingThreads<E extends Exchanges<E>> {
  readonly #reading: ReaderOptions<E>
  #idle: SupervisedThread<E> | null = null
  #retirement: NodeJS.Timeout | undefined

  constructor(reading: ReaderOptions<E>) {
    this.#reading = reading
  }

  /** Provides a thread for a file of this size until `read` ends or is stopped. */
  async *lend<T>(bytes: number, read: (ask: AskReader<E>) => AsyncGenerator<T, void>): AsyncGenerator<T, void> {
    const { answerMs, wholeMs, megabyteMs } = this.#reading.limits
    const whole = new WaitLimit({ answerMs, wholeMs: wholeMs + (bytes / 1_000_000) * megabyteMs })
    const thread = this.#take()
    try {
      yield* read((kind, question, waitLimit = whole) => thread.ask(kind, question, { waitLimit }))
    } finally {
      await this.#giveBack(thread, bytes)
    }
  }

  /** Ends the idle thread. */
  async close(): Promise<void> {
    clearTimeout(this.#retirement)
    const idleThread = this.#idle
    this.#idle = null
    await idleThread?.close()
  }

  #take(): SupervisedThread<E> {
    clearTimeout(this.#retirement)
    const idleThread = this.#idle
    this.#idle = null
    const { limits, ...reading } = this.#reading
    const thread =
      idleThread?.alive === true
        ? idleThread
        : new SupervisedThread({ ...reading, limits: { ...limits, openingMs: limits.answerMs }, refuse })
    thread.hold(true)
    return thread
  }

  async #giveBack(thread: SupervisedThread<E>, bytes: number): Promise<void> {
    if (!thread.alive || bytes > SMALL_BYTES || this.#idle !== null) {
      await thread.close()
      return
    }
    thread.hold(false)
    this.#idle = thread
    this.#retirement = setTimeout(() => void this.close(), IDLE_MS).unref()
  }
}

function refuse({ cause, exceeded }: ThreadDeath): Error {
  if (exceeded === null) return cause
  const { limit, value } = exceeded
  if (limit === 'heap')
    return new Refusal('too_large', `Reading the file needs too much memory: more than the limit of ${value} MB.`)
  return new Refusal(
    'reading_too_long',
    `Reading the file takes too long: more than the limit of ${Math.ceil(value / 1000)} seconds.`,
  )
}
