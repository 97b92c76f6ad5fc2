import type { Graph, IriBindings, Row } from '../../../../graph/graph.ts'
import type { Query } from '../../../../graph/query.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { Log } from '../../../../platform/log.ts'
import {
  AskedThread,
  factsOf,
  type ThreadLimits,
} from '../../../../platform/threads/asked-thread.ts'
import { Patience } from '../../../../platform/threads/patience.ts'
import { siblingModule } from '../../../../platform/threads/thread.ts'
import { GRAPH, type GraphExchanges, type RawRow } from './protocol.ts'

/** What each statement that the graph holds, and each megabyte that is added, may take for an answer. */
const STATEMENT_MS = 0.2
const MEGABYTE_MS = 10_000

/**
 * Limits that honest work stays away from, on slow and busy machines too. The graph itself lies outside the heap;
 * in it are the rows of a query, which may be one for each rule: 60,000 need 150 MB. With as many rules (and 960,000
 * statements) the longest query takes some seconds.
 */
export function graphLimits(rules: number): ThreadLimits {
  return { heapMegabytes: 512 + Math.ceil(rules / 50), openingMs: 60_000, answerMs: 30_000 }
}

/** What asking it may be refused with. */
export const GRAPH_REFUSALS = ['overloaded', 'answer_abandoned'] as const

interface GraphThreadOptions {
  /** For an answer of an empty graph. */
  readonly limits: ThreadLimits
  /** Told why the thread was given up, and with what it was busy. */
  readonly log: Log
}

/**
 * An empty graph on a thread of its own, to be filled and asked. Requests are carried out one after
 * the other, in the order they are made. Once the thread has ended, whatever is asked fails, with
 * `answer_abandoned` where it exceeded its limits.
 */
export class GraphThread implements Graph {
  readonly #thread: AskedThread<GraphExchanges>
  readonly #answerMs: number
  #size = 0
  #lastChange = 0

  constructor({ limits, log }: GraphThreadOptions) {
    this.#answerMs = limits.answerMs
    this.#thread = new AskedThread({
      module: siblingModule(import.meta.url, 'graph-worker'),
      protocol: GRAPH,
      limits,
      refuse: (death) => {
        log.error(factsOf(death), 'The thread of the graph is given up')
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
   * Removes graphs and adds N-Quads, in one step for whoever asks; returns how many statements there
   * are now. One change after the other. When the statements end early, nothing is changed.
   */
  async change(
    remove: readonly string[],
    add: AsyncIterable<string> | Iterable<string>,
  ): Promise<number> {
    this.#lastChange += 1
    const change = this.#lastChange
    let bytes = 0
    for await (const nquads of add) {
      const part = new TextEncoder().encode(nquads)
      bytes += part.length
      await this.#thread.ask('gather', { change, part }, { moved: [part.buffer], always: true })
    }
    const patience = this.#patience(bytes)
    this.#size = await this.#thread.ask('change', { change, remove }, { patience, always: true })
    return this.#size
  }

  async select<Column extends string, Optional extends string>(
    query: Query<Column, Optional>,
    bind: IriBindings = {},
  ): Promise<readonly Row<Column, Optional>[]> {
    const rows = await this.#thread.ask('select', { query, bind }, { patience: this.#patience() })
    return rows.map((row) => {
      if (!hasColumns(row, query)) throw new Error('A row lacks a column')
      return row
    })
  }

  /** Everything, as N-Quads in no particular order. */
  async dump(): Promise<string> {
    return this.#thread.ask('dump', null, { patience: this.#patience() })
  }

  async close(): Promise<void> {
    await this.#thread.close(new Error('The thread of the graph was closed'))
  }

  #patience(bytes = 0): Patience {
    const added = (bytes / 1_000_000) * MEGABYTE_MS
    return new Patience({ answerMs: this.#answerMs + this.#size * STATEMENT_MS + added })
  }
}

function hasColumns<Column extends string, Optional extends string>(
  row: RawRow,
  { columns }: Query<Column, Optional>,
): row is Row<Column, Optional> {
  return columns.every((column) => column in row)
}
