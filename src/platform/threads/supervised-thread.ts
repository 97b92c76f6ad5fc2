import type { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { hasCode, messageOf, Refusal } from '../errors.ts'
import { sentReply, type Exchanges, type Protocol, type SentReply, type ThreadMemory } from './protocol.ts'
import { tallyOf, type ThreadTally } from './thread-figures.ts'
import { startThread } from './thread.ts'
import { WaitLimit } from './wait-limit.ts'

/** Limit of the pending questions; more are refused. */
const MAX_PENDING = 1000
/**
 * Number of questions that the thread has at a time: it works on one while others are packed or written. The rest waits
 * here, where its time does not count.
 */
export const AT_ONCE = 3

/** The default of V8 is 48 MB on a 64-bit machine, which it rarely frees. */
const YOUNG_MEGABYTES = 12

/** Limits beyond which a thread counts as broken. */
export interface ThreadLimits {
  /** JavaScript heap, in megabytes; WebAssembly and buffers lie outside it. */
  readonly heapMegabytes: number
  /** Memory limit in megabytes for recently made objects. Default: 12. */
  readonly youngMegabytes?: number
  /** Until it is ready. */
  readonly openingMs: number
  /** For one answer, from when the thread gets the question. */
  readonly answerMs: number
}

/** The end of a thread, with its cause. */
export interface ThreadDeath {
  readonly cause: Error
  /** The limit that it exceeded, if it was stopped for that. */
  readonly exceeded: { readonly limit: 'heap' | 'time'; readonly value: number } | null
  readonly wasReady: boolean
  /** The requested paths; for questions without a path, their kinds. */
  readonly busyWith: readonly string[]
  readonly waiting: number
}

export interface ThreadOptions<E extends Exchanges<E>> {
  /** Calls `serve` with the same protocol. */
  readonly module: URL
  readonly protocol: Protocol<E>
  readonly limits: ThreadLimits
  /** Its `workerData`. */
  readonly data?: unknown
  /** Makes the error for all pending and later questions to a thread that died. Called once. */
  readonly refuse: (death: ThreadDeath) => Error
}

interface QuestionOptions {
  /** Default: the limit for one answer. */
  readonly waitLimit?: WaitLimit | undefined
  /** Buffers that are transferred to the thread. */
  readonly moved?: readonly ArrayBuffer[]
  /** Accepts the question even if too many are pending. */
  readonly always?: boolean
}

interface PendingQuestion {
  readonly kind: string
  readonly question: unknown
  readonly waitLimit: WaitLimit
  readonly moved: readonly ArrayBuffer[]
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * Runs a module on a separate thread, which answers the questions of its protocol and is ended if it exceeds its limits.
 * Questions wait until the thread is ready. Once it has ended, every question fails, and its owner has to start another
 * thread.
 */
export class SupervisedThread<E extends Exchanges<E>> {
  /** Rejects with the cause. Awaiting it is optional, because requests reject with the cause too. */
  readonly ready: Promise<void>
  readonly #options: ThreadOptions<E>
  readonly #worker: Worker
  readonly #waiting: PendingQuestion[] = []
  readonly #running = new Map<
    number,
    { readonly question: PendingQuestion; readonly startedAt: number; readonly stopTimer: () => void }
  >()
  readonly #tally: ThreadTally
  #opening: { readonly succeed: () => void; readonly fail: (cause: Error) => void } | null = null
  #lastId = 0
  #memory: ThreadMemory = { heap: 0, committed: 0, external: 0 }
  #end: Error | null = null

  constructor(options: ThreadOptions<E>) {
    const { module, data = null, limits } = options
    this.#options = options
    this.#tally = tallyOf(module)
    this.#tally.started += 1
    this.#tally.living.add(this)
    this.#worker = startThread(module, data, {
      maxOldGenerationSizeMb: limits.heapMegabytes,
      maxYoungGenerationSizeMb: limits.youngMegabytes ?? YOUNG_MEGABYTES,
    })
    this.ready = this.#becomesReady(limits)
    this.ready.catch(() => null)
    this.#worker.on('message', (message: unknown) => {
      this.#receive(message)
    })
    this.#worker.on('error', (error: Error) => {
      if (hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY')) this.#exceeds('heap', limits.heapMegabytes)
      else this.#die({ cause: error, exceeded: null })
    })
    this.#worker.on('exit', () => {
      this.#die({ cause: new Error('the thread has ended'), exceeded: null })
    })
  }

  /** False once the thread has died or was closed. */
  get alive(): boolean {
    return this.#end === null
  }

  /** Number of questions without an answer yet. */
  get pending(): number {
    return this.#waiting.length + this.#running.size
  }

  /** Memory of the thread, as last reported. */
  get memory(): ThreadMemory {
    return this.#memory
  }

  /**
   * Sends a question. Fails with the error of the thread, with that of `refuse` if it dies, and with `overloaded` if
   * too many wait.
   */
  async ask<K extends keyof E & string>(
    kind: K,
    question: E[K]['question'],
    { waitLimit, moved = [], always = false }: QuestionOptions = {},
  ): Promise<E[K]['answer']> {
    const { protocol, limits } = this.#options
    if (this.#end !== null) throw this.#end
    if (!always && this.pending >= MAX_PENDING)
      throw new Refusal('overloaded', `${MAX_PENDING} answers are being prepared already. Try again.`)
    const answer = await new Promise((resolve, reject) => {
      this.#waiting.push({ kind, question, waitLimit: waitLimit ?? new WaitLimit(limits), moved, resolve, reject })
      this.#handOver()
    })
    return protocol[kind].answer.parse(answer)
  }

  /** Sets whether the process stays alive for this thread. */
  hold(isHeld: boolean): void {
    if (isHeld) this.#worker.ref()
    else this.#worker.unref()
  }

  /** Rejects all pending and later questions. */
  async close(refusal: Error = new Error('The thread was closed')): Promise<void> {
    this.#finish(refusal, refusal)
    await this.#worker.terminate()
  }

  #becomesReady({ openingMs }: ThreadLimits): Promise<void> {
    return new Promise((resolve, reject) => {
      const stopTimer = new WaitLimit({ answerMs: openingMs }).wait(() => {
        this.#exceeds('time', openingMs)
      })
      this.#opening = {
        succeed: () => {
          stopTimer()
          resolve()
        },
        fail: (cause) => {
          stopTimer()
          reject(cause)
        },
      }
    })
  }

  #handOver(): void {
    while (this.#opening === null && this.#running.size < AT_ONCE) {
      const pending = this.#waiting.shift()
      if (pending === undefined) return
      const { kind, question, waitLimit, moved } = pending
      this.#lastId += 1
      const stopTimer = waitLimit.wait(() => {
        this.#exceeds('time', waitLimit.limitMs)
      })
      this.#running.set(this.#lastId, { question: pending, stopTimer, startedAt: performance.now() })
      this.#worker.postMessage({ id: this.#lastId, kind, question }, moved)
    }
  }

  #receive(message: unknown): void {
    if (!this.alive) return
    const reply = sentReply.safeParse(message).data
    if (reply?.kind === 'ready') {
      this.#opening?.succeed()
      this.#opening = null
    } else if (reply?.kind === 'memory') {
      this.#memory = reply.memory
    } else if (reply === undefined || !this.#settle(reply)) {
      this.#die({ cause: new Error('the thread sent an unknown message'), exceeded: null })
    }
    this.#handOver()
  }

  /** Returns false if there is no question for the reply. */
  #settle(reply: Exclude<SentReply, { readonly kind: 'ready' | 'memory' }>): boolean {
    const running = this.#running.get(reply.id)
    if (running === undefined) return false
    this.#running.delete(reply.id)
    running.stopTimer()
    this.#tally.answered += 1
    this.#tally.answeringMs += performance.now() - running.startedAt
    const { resolve, reject } = running.question
    if (reply.kind === 'answer') resolve(reply.answer)
    else if (reply.kind === 'failure') reject(new Error(reply.stack))
    else reject(new Refusal(reply.code, reply.detail, reply.members))
    return true
  }

  #exceeds(limit: 'heap' | 'time', value: number): void {
    const task = this.#opening === null ? 'an answer' : 'opening it'
    const cause = new Error(
      limit === 'heap' ? `it needed more than ${value} MB of memory` : `${task} took more than ${value} ms`,
    )
    this.#die({ cause, exceeded: { limit, value } })
  }

  #die(death: Pick<ThreadDeath, 'cause' | 'exceeded'>): void {
    if (!this.alive) return
    this.#tally.ended[death.exceeded?.limit ?? 'failure'] += 1
    const busyWith = Array.from(this.#running.values(), ({ question: pending }) => nameOf(pending))
    const state = { wasReady: this.#opening === null, busyWith, waiting: this.#waiting.length }
    this.#finish(this.#options.refuse({ ...death, ...state }), death.cause)
    void this.#worker.terminate()
  }

  #finish(refusal: Error, cause: Error): void {
    if (!this.alive) return
    this.#end = refusal
    this.#tally.living.delete(this)
    this.#opening?.fail(cause)
    for (const { question: pending, stopTimer } of this.#running.values()) {
      stopTimer()
      pending.reject(refusal)
    }
    for (const { reject } of this.#waiting) reject(refusal)
    this.#running.clear()
    this.#waiting.length = 0
  }
}

const withPath = z.object({ path: z.string() })

function nameOf({ kind, question }: Pick<PendingQuestion, 'kind' | 'question'>): string {
  return withPath.safeParse(question).data?.path ?? kind
}

/** Facts about the end of a thread, for the log. */
export function factsOf({ cause, busyWith, waiting }: ThreadDeath): Readonly<Record<string, unknown>> {
  return { cause: messageOf(cause), busyWith, waiting }
}
