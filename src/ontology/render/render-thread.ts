import type { Worker } from 'node:worker_threads'
import type {
  ControlAssertions,
  Counter,
  Defense,
  OntologyContent,
} from '../../contracts/sources.ts'
import type { Coding } from '../../http/negotiation.ts'
import { hasCode, messageOf, Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { siblingModule, startThread } from '../../platform/threads/thread.ts'
import type { RenderLimits } from './limits.ts'
import type { ReleasePath } from './paths.ts'
import type { RenderReply, RenderRequest, WorkerStart } from './protocol.ts'
import type { Measure, Rendered } from './render.ts'

/** Answers in preparation at once; more are refused rather than queued without bound. */
const MAX_PENDING = 1000
/**
 * Of those, how many the thread has at a time: one is rendered while others are packed or written. The rest waits
 * here, where its time does not count.
 */
export const AT_ONCE = 3

interface Asked {
  readonly request: RenderRequest
  readonly resolve: (reply: RenderReply) => void
  readonly reject: (error: Error) => void
}

export interface RenderThreadOptions extends WorkerStart {
  readonly limits: RenderLimits
  /** Told why a thread was given up, and with what it was busy. */
  readonly log?: Log | undefined
  /** Default: the one that serves a release. */
  readonly module?: URL | undefined
}

/**
 * A release on a thread of its own: opening it, rendering and compressing never hold up the thread
 * that serves. What is asked before the release is open waits for it. A thread that exceeds its limits is ended;
 * then, as after `close`, everything that it was asked is refused with `answer_abandoned`.
 */
export class RenderThread {
  readonly #worker: Worker
  readonly #limits: RenderLimits
  readonly #log: Log | undefined
  readonly #version: string
  readonly #waiting: Asked[] = []
  readonly #underWay = new Map<number, { readonly asked: Asked; readonly deadline: Deadline }>()
  /** Resolves once the release is open, rejects when it cannot be opened. */
  readonly ready: Promise<void>
  #isOpen = false
  #lastId = 0
  #ended: Error | null = null

  constructor({ limits, log, module, ...start }: RenderThreadOptions) {
    this.#limits = limits
    this.#log = log
    this.#version = start.manifest.version
    this.#worker = startThread(module ?? siblingModule(import.meta.url, 'render-worker'), start, {
      maxOldGenerationSizeMb: limits.heapMegabytes,
    })
    this.ready = new Promise((resolve, reject) => {
      const end = (cause: string): void => {
        opening.met()
        reject(this.#giveUp(cause))
      }
      const opening = new Deadline(limits.openingMs, () => {
        end(`opening it took more than ${limits.openingMs} ms`)
      })
      this.#worker.on('message', (reply: RenderReply) => {
        if (reply.kind !== 'ready') {
          this.#settle(reply)
          return
        }
        opening.met()
        this.#isOpen = true
        this.#handOver()
        resolve()
      })
      this.#worker.on('error', (error: Error) => {
        end(hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY') ? this.#outOfMemory() : messageOf(error))
      })
      this.#worker.on('exit', () => {
        end('the thread has ended')
      })
    })
    // Whoever asks is told as well; nobody has to wait for this.
    this.ready.catch(() => null)
  }

  /** Resolves once the release is open. */
  static async open(options: RenderThreadOptions): Promise<RenderThread> {
    const thread = new RenderThread(options)
    await thread.ready
    return thread
  }

  /** Renders a decoded path; rejects with a `Refusal` where there is no such record. */
  async render(path: string, coding: Coding): Promise<Rendered> {
    const reply = await this.#ask((id) => ({ kind: 'render', id, path, coding }))
    if (reply.kind !== 'rendered') throw new Error(`Unexpected reply "${reply.kind}"`)
    return reply.rendered
  }

  /** Every path that the release answers, with or without those that describe each subject. */
  async paths({ describe }: { readonly describe: boolean }): Promise<readonly ReleasePath[]> {
    const reply = await this.#ask((id) => ({ kind: 'paths', id, describe }))
    if (reply.kind !== 'paths') throw new Error(`Unexpected reply "${reply.kind}"`)
    return reply.paths
  }

  /** What the release says of controls. */
  async controls(): Promise<ControlAssertions> {
    const reply = await this.#ask((id) => ({ kind: 'controls', id }))
    if (reply.kind !== 'controls') throw new Error(`Unexpected reply "${reply.kind}"`)
    return reply.controls
  }

  /** The release as documents. */
  async content(): Promise<OntologyContent> {
    const reply = await this.#ask((id) => ({ kind: 'content', id }))
    if (reply.kind !== 'content') throw new Error(`Unexpected reply "${reply.kind}"`)
    return reply.content
  }

  /** What some techniques counter. */
  async counters(techniques: readonly string[], limit: number): Promise<readonly Counter[]> {
    const reply = await this.#ask((id) => ({ kind: 'counters', id, techniques, limit }))
    if (reply.kind !== 'counters') throw new Error(`Unexpected reply "${reply.kind}"`)
    return reply.counters
  }

  /** What defends some subjects. */
  async defenses(subjects: readonly string[], limit: number): Promise<readonly Defense[]> {
    const reply = await this.#ask((id) => ({ kind: 'defenses', id, subjects, limit }))
    if (reply.kind !== 'defenses') throw new Error(`Unexpected reply "${reply.kind}"`)
    return reply.defenses
  }

  /** Renders a decoded path into a file, and `.gz` and `.br` beside it when asked to. */
  async write(path: string, target: { file: string; compress: boolean }): Promise<Measure> {
    const reply = await this.#ask((id) => ({ kind: 'write', id, path, ...target }))
    if (reply.kind !== 'written') throw new Error(`Unexpected reply "${reply.kind}"`)
    return reply.measure
  }

  /** False once the thread has died or was closed. */
  get alive(): boolean {
    return this.#ended === null
  }

  async close(): Promise<void> {
    this.#end(new Refusal('answer_abandoned', 'The release has been closed. Try again.'))
    await this.#worker.terminate()
  }

  #ask(toRequest: (id: number) => RenderRequest): Promise<RenderReply> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    if (this.#waiting.length + this.#underWay.size >= MAX_PENDING) {
      return Promise.reject(
        new Refusal('overloaded', `${MAX_PENDING} answers are being prepared already. Try again.`),
      )
    }
    this.#lastId += 1
    const request = toRequest(this.#lastId)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, resolve, reject })
      this.#handOver()
    })
  }

  #handOver(): void {
    while (this.#isOpen && this.#underWay.size < AT_ONCE) {
      const asked = this.#waiting.shift()
      if (asked === undefined) return
      const { request } = asked
      // A file may be large, and nobody waits for it but the command that asked.
      const ms = this.#limits.answerMs * (request.kind === 'write' ? 10 : 1)
      const deadline = new Deadline(ms, () => {
        this.#giveUp(`an answer took more than ${ms} ms`)
      })
      this.#underWay.set(request.id, { asked, deadline })
      this.#worker.postMessage(request)
    }
  }

  #settle(reply: Exclude<RenderReply, { kind: 'ready' }>): void {
    const found = this.#underWay.get(reply.id)
    if (found === undefined) return
    this.#underWay.delete(reply.id)
    found.deadline.met()
    this.#handOver()
    const { resolve, reject } = found.asked
    if (reply.kind === 'refused') reject(new Refusal(reply.code, reply.detail, reply.members))
    else if (reply.kind === 'failed') reject(new Error(reply.stack))
    else resolve(reply)
  }

  #outOfMemory(): string {
    return `it needed more than ${this.#limits.heapMegabytes} MB of memory`
  }

  /** Ends the thread; what it was asked is refused. Returns the cause as whoever opened it is told. */
  #giveUp(cause: string): Refusal {
    const version = this.#version
    if (this.#isOpen && this.alive) this.#report(cause)
    this.#end(
      this.#isOpen
        ? new Refusal(
            'answer_abandoned',
            'The thread that prepares answers had to be replaced. Try again.',
          )
        : cannotOpen(version),
    )
    void this.#worker.terminate()
    return new Refusal('release_unusable', `Release ${version} cannot be opened: ${cause}.`)
  }

  #report(cause: string): void {
    const busyWith = Array.from(this.#underWay.values(), ({ asked }) => nameOf(asked.request))
    const facts = { version: this.#version, cause, busyWith, waiting: this.#waiting.length }
    this.#log?.error(facts, 'A rendering thread is given up')
  }

  #end(error: Error): void {
    this.#ended ??= error
    for (const { asked, deadline } of this.#underWay.values()) {
      deadline.met()
      asked.reject(error)
    }
    for (const { reject } of this.#waiting) reject(error)
    this.#underWay.clear()
    this.#waiting.length = 0
  }
}

/** For those who ask over HTTP: the cause may name files of the machine. */
export function cannotOpen(version: string): Refusal {
  return new Refusal(
    'release_unusable',
    `Release ${version} cannot be opened; the log has the reason. Try again in a while.`,
  )
}

function nameOf(request: RenderRequest): string {
  return 'path' in request ? request.path : request.kind
}

/** A time by which something has to be done. */
class Deadline {
  readonly #timer: NodeJS.Timeout
  #isMet = false

  constructor(ms: number, missed: () => void) {
    // When this thread was busy for long, what was done in time has yet to be read.
    const check = (): void => {
      setImmediate(() => {
        if (!this.#isMet) missed()
      })
    }
    this.#timer = setTimeout(check, ms).unref()
  }

  met(): void {
    this.#isMet = true
    clearTimeout(this.#timer)
  }
}
