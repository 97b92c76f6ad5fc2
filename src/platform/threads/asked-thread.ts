import type { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { hasCode, messageOf, Refusal } from '../errors.ts'
import { Patience } from './patience.ts'
import {
  sentReply,
  type Exchanges,
  type Protocol,
  type SentReply,
  type ThreadMemory,
} from './protocol.ts'
import { tallyOf, type ThreadTally } from './thread-figures.ts'
import { startThread } from './thread.ts'

/** Questions under way at once; more are refused rather than queued without bound. */
const MAX_PENDING = 1000
/**
 * Of those, how many the thread has at a time: one is worked at while others are packed or written. The rest
 * waits here, where its time does not count.
 */
export const AT_ONCE = 3

/** V8 would take 48 MB on a 64-bit machine, and seldom gives them back. */
const YOUNG_MEGABYTES = 12

/** What a thread may take before it counts as broken. */
export interface ThreadLimits {
  /** Of the JavaScript heap, in megabytes; WebAssembly and bytes lie outside it. */
  readonly heapMegabytes: number
  /** For what was made last. Default: 12. */
  readonly youngMegabytes?: number
  /** Until it is ready. */
  readonly openingMs: number
  /** For one answer, from when the thread gets the question. */
  readonly answerMs: number
}

/** How a thread came to its end. */
export interface Death {
  readonly cause: Error
  /** What it was given up for. */
  readonly exceeded: { readonly limit: 'heap' | 'time'; readonly value: number } | null
  readonly wasReady: boolean
  /** The paths that were asked for; of questions without one, their kinds. */
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
  /** What those are told who asked a thread that died, or ask it later. Called once. */
  readonly refuse: (death: Death) => Error
}

interface Terms {
  /** Default: the limit for one answer. */
  readonly patience?: Patience | undefined
  /** Buffers that go to the thread and are gone here. */
  readonly moved?: readonly ArrayBuffer[]
  /** Is taken however many are pending. */
  readonly always?: boolean
}

interface Pending {
  readonly kind: string
  readonly question: unknown
  readonly patience: Patience
  readonly moved: readonly ArrayBuffer[]
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

interface UnderWay {
  readonly asked: Pending
  readonly startedAt: number
  readonly met: () => void
}

/**
 * A module on a thread of its own, which is asked as its protocol has it and gives up where it exceeds its
 * limits. What is asked before it is ready waits for that. Once it has ended, every question fails, and whoever
 * owns it starts another one.
 */
export class AskedThread<E extends Exchanges<E>> {
  /** Rejects with the cause. Nobody has to wait for it: whoever asks is told as well. */
  readonly ready: Promise<void>
  readonly #options: ThreadOptions<E>
  readonly #worker: Worker
  readonly #waiting: Pending[] = []
  readonly #underWay = new Map<number, UnderWay>()
  readonly #tally: ThreadTally
  #opening: { readonly met: () => void; readonly fail: (cause: Error) => void } | null = null
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

  /** Questions that wait or are worked at. */
  get pending(): number {
    return this.#waiting.length + this.#underWay.size
  }

  /** As the thread told last. */
  get memory(): ThreadMemory {
    return this.#memory
  }

  /** Fails as the thread says, with `refuse` where it dies, and with `overloaded` where too many ask. */
  async ask<K extends keyof E & string>(
    kind: K,
    question: E[K]['question'],
    { patience, moved = [], always = false }: Terms = {},
  ): Promise<E[K]['answer']> {
    const { protocol, limits } = this.#options
    if (this.#end !== null) throw this.#end
    if (!always && this.pending >= MAX_PENDING)
      throw new Refusal(
        'overloaded',
        `${MAX_PENDING} answers are being prepared already. Try again.`,
      )
    const answer = await new Promise((resolve, reject) => {
      const asked = { kind, question, patience: patience ?? new Patience(limits), moved }
      this.#waiting.push({ ...asked, resolve, reject })
      this.#handOver()
    })
    return protocol[kind].answer.parse(answer)
  }

  /** Whether the process has to stay for it. */
  hold(isHeld: boolean): void {
    if (isHeld) this.#worker.ref()
    else this.#worker.unref()
  }

  /** What it was asked and will be asked fails. */
  async close(refusal: Error = new Error('The thread was closed')): Promise<void> {
    this.#finish(refusal, refusal)
    await this.#worker.terminate()
  }

  #becomesReady({ openingMs }: ThreadLimits): Promise<void> {
    return new Promise((resolve, reject) => {
      const met = new Patience({ answerMs: openingMs }).wait(() => {
        this.#exceeds('time', openingMs)
      })
      this.#opening = {
        met: () => {
          met()
          resolve()
        },
        fail: (cause) => {
          met()
          reject(cause)
        },
      }
    })
  }

  #handOver(): void {
    while (this.#opening === null && this.#underWay.size < AT_ONCE) {
      const asked = this.#waiting.shift()
      if (asked === undefined) return
      const { kind, question, patience, moved } = asked
      this.#lastId += 1
      const met = patience.wait(() => {
        this.#exceeds('time', patience.limitMs)
      })
      this.#underWay.set(this.#lastId, { asked, met, startedAt: performance.now() })
      this.#worker.postMessage({ id: this.#lastId, kind, question }, moved)
    }
  }

  #receive(message: unknown): void {
    if (!this.alive) return
    const reply = sentReply.safeParse(message).data
    if (reply?.kind === 'ready') {
      this.#opening?.met()
      this.#opening = null
    } else if (reply?.kind === 'memory') {
      this.#memory = reply.memory
    } else if (reply === undefined || !this.#settle(reply)) {
      this.#die({ cause: new Error('the thread said what nobody understands'), exceeded: null })
    }
    this.#handOver()
  }

  /** False where nobody asked for it. */
  #settle(reply: Exclude<SentReply, { readonly kind: 'ready' | 'memory' }>): boolean {
    const found = this.#underWay.get(reply.id)
    if (found === undefined) return false
    this.#underWay.delete(reply.id)
    found.met()
    this.#tally.answered += 1
    this.#tally.answeringMs += performance.now() - found.startedAt
    const { resolve, reject } = found.asked
    if (reply.kind === 'answer') resolve(reply.answer)
    else if (reply.kind === 'failure') reject(new Error(reply.stack))
    else reject(new Refusal(reply.code, reply.detail, reply.members))
    return true
  }

  #exceeds(limit: 'heap' | 'time', value: number): void {
    const what = this.#opening === null ? 'an answer' : 'opening it'
    const cause = new Error(
      limit === 'heap'
        ? `it needed more than ${value} MB of memory`
        : `${what} took more than ${value} ms`,
    )
    this.#die({ cause, exceeded: { limit, value } })
  }

  #die(how: Pick<Death, 'cause' | 'exceeded'>): void {
    if (!this.alive) return
    this.#tally.givenUp[how.exceeded?.limit ?? 'failure'] += 1
    const busyWith = Array.from(this.#underWay.values(), ({ asked }) => nameOf(asked))
    const state = { wasReady: this.#opening === null, busyWith, waiting: this.#waiting.length }
    this.#finish(this.#options.refuse({ ...how, ...state }), how.cause)
    void this.#worker.terminate()
  }

  #finish(refusal: Error, cause: Error): void {
    if (!this.alive) return
    this.#end = refusal
    this.#tally.living.delete(this)
    this.#opening?.fail(cause)
    for (const { asked, met } of this.#underWay.values()) {
      met()
      asked.reject(refusal)
    }
    for (const { reject } of this.#waiting) reject(refusal)
    this.#underWay.clear()
    this.#waiting.length = 0
  }
}

const withPath = z.object({ path: z.string() })

function nameOf({ kind, question }: Pick<Pending, 'kind' | 'question'>): string {
  return withPath.safeParse(question).data?.path ?? kind
}

/** For the log. */
export function factsOf({ cause, busyWith, waiting }: Death): Readonly<Record<string, unknown>> {
  return { cause: messageOf(cause), busyWith, waiting }
}
