import type { Worker } from 'node:worker_threads'
import { Refusal } from '../../platform/errors.ts'
import type { Coding } from '../../platform/negotiation.ts'
import { siblingModule, startThread } from '../../platform/thread.ts'
import type { ControlAssertions } from '../controls/controls.ts'
import type { Counter } from '../documents/counters.ts'
import type { Defense } from '../documents/defenses.ts'
import type { OntologyContent } from '../documents/documents.ts'
import type { RenderReply, RenderRequest, WorkerStart } from './protocol.ts'
import type { Measure, Rendered } from './render.ts'

/** Answers in preparation at once; more are refused rather than queued without bound. */
const MAX_PENDING = 1000

interface Pending {
  readonly resolve: (reply: RenderReply) => void
  readonly reject: (error: Error) => void
}

/**
 * A release on a thread of its own: opening it, rendering and compressing never hold up the thread
 * that serves. Ends with `close`; what is pending then fails.
 */
export class RenderThread {
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  readonly #ready: Promise<void>
  #lastId = 0
  #ended: Error | null = null

  private constructor(start: WorkerStart) {
    this.#worker = startThread(siblingModule(import.meta.url, 'render-worker'), start)
    this.#ready = new Promise((resolve, reject) => {
      this.#worker.on('message', (reply: RenderReply) => {
        if (reply.kind === 'ready') resolve()
        else this.#settle(reply)
      })
      this.#worker.on('error', (error: Error) => {
        this.#end(error)
        reject(error)
      })
      this.#worker.on('exit', () => {
        const error = new Error('The rendering thread has ended')
        this.#end(error)
        reject(error)
      })
    })
  }

  /** Resolves once the release is open. */
  static async open(start: WorkerStart): Promise<RenderThread> {
    const thread = new RenderThread(start)
    await thread.#ready
    return thread
  }

  /** Renders a decoded path; rejects with a `Refusal` where there is no such record. */
  async render(path: string, coding: Coding): Promise<Rendered> {
    const reply = await this.#ask((id) => ({ kind: 'render', id, path, coding }))
    if (reply.kind !== 'rendered') throw new Error(`Unexpected reply "${reply.kind}"`)
    return reply.rendered
  }

  /** Every path that the release answers, with or without those that describe each subject. */
  async paths({ describe }: { readonly describe: boolean }): Promise<readonly string[]> {
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
    await this.#worker.terminate()
  }

  #ask(toRequest: (id: number) => RenderRequest): Promise<RenderReply> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    if (this.#pending.size >= MAX_PENDING) {
      return Promise.reject(
        new Refusal('overloaded', `${MAX_PENDING} answers are being prepared already. Try again.`),
      )
    }
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#worker.postMessage(toRequest(id))
    })
  }

  #settle(reply: Exclude<RenderReply, { kind: 'ready' }>): void {
    const pending = this.#pending.get(reply.id)
    this.#pending.delete(reply.id)
    if (reply.kind === 'refused') {
      pending?.reject(new Refusal(reply.code, reply.detail, reply.members))
    } else if (reply.kind === 'failed') pending?.reject(new Error(reply.stack))
    else pending?.resolve(reply)
  }

  #end(error: Error): void {
    this.#ended ??= error
    for (const { reject } of this.#pending.values()) reject(error)
    this.#pending.clear()
  }
}
