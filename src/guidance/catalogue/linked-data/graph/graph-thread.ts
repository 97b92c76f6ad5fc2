import type { Graph, IriBindings, Row } from '../../../../graph/graph.ts'
import type { Query } from '../../../../graph/query.ts'
import { hasColumns } from '../../../../graph/rows.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { Log } from '../../../../platform/log.ts'
import { SupervisedThread, factsOf, type ThreadLimits } from '../../../../platform/threads/supervised-thread.ts'
import { siblingModule } from '../../../../platform/threads/thread.ts'
import { WaitLimit } from '../../../../platform/threads/wait-limit.ts'
import { GRAPH, type GraphExchanges } from './protocol.ts'

/** Additional time for an answer, per megabyte of N-Quads in the graph and per added megabyte. */
const HELD_MEGABYTE_MS = 1500
const ADDED_MEGABYTE_MS = 10_000

/**
 * Limits that ordinary work does not reach, on slow and busy machines too. The graph is outside the heap; rows of a
 * query are in it, possibly one for each rule: 60,000 need 150 MB. With that many rules (and 960,000 statements)
 * the longest query takes some seconds.
 */
export function graphLimits(rules: number): ThreadLimits {
  return { heapMegabytes: 512 + Math.ceil(rules / 50), openingMs: 60_000, answerMs: 30_000 }
}

/** The refusals of {@link GraphThread}, and of an ontology that is not open. */
export const GRAPH_REFUSALS = ['overloaded', 'answer_abandoned', 'release_unusable'] as const

interface GraphThreadOptions {
  /** The limits for answers of an empty graph. */
  readonly limits: ThreadLimits
  /** Logs why a thread was closed, and its task at that time. */
  readonly log: Log
}

/**
 * An empty graph on a separate thread, to be filled and queried. Requests are carried out in the order they are
 * made. Once the thread has ended, all requests fail, with `answer_abandoned` if it exceeded its limits.
 */
export class GraphThread implements Graph {
  readonly #thread: SupervisedThread<GraphExchanges>
  readonly #answerMs: number
  /** The sizes of the N-Quads of each graph, by its IRI. */
  readonly #bytes = new Map<string, number>()
  #lastChange = 0

  constructor({ limits, log }: GraphThreadOptions) {
    this.#answerMs = limits.answerMs
    this.#thread = new SupervisedThread({
      module: siblingModule(import.meta.url, 'graph-worker'),
      protocol: GRAPH,
      limits,
      refuse: (death) => {
        log.error(factsOf(death), 'The thread of the graph was ended')
        if (death.exceeded === null) return death.cause
        return new Refusal('answer_abandoned', 'The graph had to be replaced. Try again.')
      },
    })
  }

  /** False once the thread has died or was closed. */
  get alive(): boolean {
    return this.#thread.alive
  }

  /**
   * Removes graphs and adds N-Quads, which take the place of the first one, in one atomic step after earlier changes.
   * If `add` fails, nothing is changed.
   */
  async change(remove: readonly [string, ...string[]], add: AsyncIterable<string> | Iterable<string>): Promise<void> {
    this.#lastChange += 1
    const change = this.#lastChange
    let bytes = 0
    for await (const nquads of add) {
      const part = new TextEncoder().encode(nquads)
      bytes += part.length
      await this.#thread.ask('gather', { change, part }, { moved: [part.buffer], always: true })
    }
    await this.#thread.ask('change', { change, remove }, { waitLimit: this.#waitLimit(bytes), always: true })
    for (const iri of remove) this.#bytes.delete(iri)
    this.#bytes.set(remove[0], bytes)
  }

  async select<Column extends string, Optional extends string>(
    query: Query<Column, Optional>,
    bind: IriBindings = {},
  ): Promise<readonly Row<Column, Optional>[]> {
    const rows = await this.#thread.ask('select', { query, bind }, { waitLimit: this.#waitLimit() })
    return rows.map((row) => {
      if (!hasColumns<Column, Optional>(row, query.columns)) throw new Error('A row lacks a column')
      return row
    })
  }

  /** All statements as N-Quads, in no particular order. */
  async dump(): Promise<string> {
    return this.#thread.ask('dump', null, { waitLimit: this.#waitLimit() })
  }

  async close(): Promise<void> {
    await this.#thread.close(new Error('The thread of the graph was closed'))
  }

  #waitLimit(bytes = 0): WaitLimit {
    const loadedMs = [...this.#bytes.values()].reduce((sum, size) => sum + size, 0) * HELD_MEGABYTE_MS
    const added = bytes * ADDED_MEGABYTE_MS
    return new WaitLimit({ answerMs: this.#answerMs + (loadedMs + added) / 1_000_000 })
  }
}
