import type { Worker } from 'node:worker_threads'
import type { Graph, IriBindings, Row } from '../../../../graph/graph.ts'
import type { Query } from '../../../../graph/query.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { siblingModule, startThread } from '../../../../platform/threads/thread.ts'
import type { GraphReply, GraphRequest, RawRow } from './protocol.ts'

/** Answers under way at once; more are refused rather than queued without bound. */
const MAX_PENDING = 1000

interface Pending {
  readonly resolve: (reply: GraphReply) => void
  readonly reject: (error: Error) => void
}

/**
 * An empty graph on a thread of its own, to be filled and asked. Requests are carried out one after
 * the other, in the order they are made. Once the thread has ended, whatever is asked fails.
 */
export class GraphThread implements Graph {
  readonly #worker: Worker
  readonly #pending = new Map<number, Pending>()
  #lastId = 0
  #ended: Error | null = null

  constructor() {
    this.#worker = startThread(siblingModule(import.meta.url, 'graph-worker'), null)
    this.#worker.on('message', (reply: GraphReply) => {
      this.#settle(reply)
    })
    this.#worker.on('error', (error: Error) => {
      this.#end(error)
    })
    this.#worker.on('exit', () => {
      this.#end(new Error('The thread of the graph has ended'))
    })
  }

  /** False once the thread has died or was closed. */
  get alive(): boolean {
    return this.#ended === null
  }

  /**
   * Removes graphs and adds N-Quads, in one step for whoever asks; returns how many statements there
   * are now. One change after the other. When the statements end early, nothing is changed.
   */
  async change(
    remove: readonly string[],
    add: AsyncIterable<string> | Iterable<string>,
  ): Promise<number> {
    try {
      for await (const nquads of add) {
        const part = new TextEncoder().encode(nquads)
        await this.#ask((id) => ({ kind: 'gather', id, part }), [part.buffer])
      }
    } catch (error) {
      if (this.alive) await this.#ask((id) => ({ kind: 'forget', id }))
      throw error
    }
    const reply = await this.#ask((id) => ({ kind: 'change', id, remove }))
    if (reply.kind !== 'changed') throw new Error(`Unexpected reply "${reply.kind}"`)
    return reply.size
  }

  async select<Column extends string, Optional extends string>(
    query: Query<Column, Optional>,
    bind: IriBindings = {},
  ): Promise<readonly Row<Column, Optional>[]> {
    if (this.#pending.size >= MAX_PENDING) {
      const detail = `${MAX_PENDING} answers are being prepared already. Try again.`
      throw new Refusal('overloaded', detail)
    }
    const reply = await this.#ask((id) => ({ kind: 'select', id, query, bind }))
    if (reply.kind !== 'rows') throw new Error(`Unexpected reply "${reply.kind}"`)
    return reply.rows.map((row) => {
      if (!hasColumns(row, query)) throw new Error('A row lacks a column')
      return row
    })
  }

  /** Everything, as N-Quads in no particular order. */
  async dump(): Promise<string> {
    const reply = await this.#ask((id) => ({ kind: 'dump', id }))
    if (reply.kind !== 'dumped') throw new Error(`Unexpected reply "${reply.kind}"`)
    return reply.nquads
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #ask(
    toRequest: (id: number) => GraphRequest,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<GraphReply> {
    if (this.#ended !== null) return Promise.reject(this.#ended)
    this.#lastId += 1
    const id = this.#lastId
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#worker.postMessage(toRequest(id), transfer)
    })
  }

  #settle(reply: GraphReply): void {
    const pending = this.#pending.get(reply.id)
    this.#pending.delete(reply.id)
    if (reply.kind === 'failed') pending?.reject(new Error(reply.stack))
    else pending?.resolve(reply)
  }

  #end(error: Error): void {
    this.#ended ??= error
    for (const { reject } of this.#pending.values()) reject(error)
    this.#pending.clear()
  }
}

function hasColumns<Column extends string, Optional extends string>(
  row: RawRow,
  { columns }: Query<Column, Optional>,
): row is Row<Column, Optional> {
  return columns.every((column) => column in row)
}
