import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { PublicGraph, PublicGraphs } from '../../contracts/graphs.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { collectWhenQuiet } from '../../platform/v8/garbage.ts'

/** A graph with its statements. */
export interface LoadedGraph extends PublicGraph {
  /** N-Triples in UTF-8, compressed with gzip to a twentieth. Threads share this memory. */
  readonly packed: Uint8Array
}

/** The graphs that queries can read, all listed at the same time. */
export interface PublishedGraphs {
  /** The default graph, which every thread loads when it starts, and named graphs, which it loads for their first query. */
  readonly held: readonly PublicGraph[]
  /** By IRI; read when a query names them. */
  readonly pinned: ReadonlyMap<string, PublicGraph>
}

/** A list older than this is refreshed in the background: the query does not wait. */
const FRESH_MS = 1000
/** A query waits for the refresh of a list older than this. */
const STALE_MS = 5000
/** A query that has waited this long for a refresh gets the list from before. */
const PATIENCE_MS = 1500
/** The first query waits longer: there is no older list. */
const FIRST_MS = 15_000
const RETRY_SECONDS = 2
/** After this time without a query, all graphs are dropped. */
const REST_MS = 120_000

/**
 * The graphs of all sources. Each is read once, and again when it has changed: the default graph at once,
 * other graphs for the first query of them.
 */
export class GraphLibrary {
  readonly #sources: readonly PublicGraphs[]
  readonly #log: Log
  #published: PublishedGraphs | null = null
  #refreshedAt = -Infinity
  #refreshing: Promise<void> | null = null
  /** By IRI, without pinned graphs. */
  readonly #read = new Map<string, { readonly key: string; readonly packed: Promise<Uint8Array | null> }>()
  readonly #rest = setTimeout(() => {
    this.#published = null
    this.#read.clear()
    this.#refreshedAt = -Infinity
    collectWhenQuiet()
  }, REST_MS).unref()

  constructor(sources: readonly PublicGraphs[], log: Log) {
    this.#sources = sources
    this.#log = log
  }

  /** The list is up to date within seconds. Refuses (`graphs_not_ready`) if no list could be read so far. */
  async published(): Promise<PublishedGraphs> {
    this.#rest.refresh()
    const age = performance.now() - this.#refreshedAt
    if (age > FRESH_MS) {
      const looked = this.#refreshOnce()
      const patience = this.#published === null ? FIRST_MS : PATIENCE_MS
      if (age > STALE_MS) await Promise.race([looked, sleep(patience, undefined, { ref: false })])
    }
    if (this.#published !== null) return this.#published
    throw graphsNotReady('The graphs that can be queried could not be read yet.')
  }

  /** Lists the sources again first, because a graph has changed since the last time. */
  async freshlyPublished(): Promise<PublishedGraphs> {
    // A running refresh may have begun before the change.
    const looked = this.settled().then(() => this.#refreshOnce())
    await Promise.race([looked, sleep(FIRST_MS, undefined, { ref: false })])
    return this.published()
  }

  /** Reads the graphs, however long that takes; false if they could not be read, which is logged. */
  async fill(): Promise<boolean> {
    await this.#refreshOnce()
    return this.#published !== null
  }

  /** Adds the statements; null if the graph is gone. */
  async read(graph: PublicGraph): Promise<LoadedGraph | null> {
    const packed = await (graph.role === 'pinned' ? this.#pack(graph) : this.#packOnce(graph))
    return packed && { ...graph, packed }
  }

  /** Resolves when no refresh is running. */
  async settled(): Promise<void> {
    await this.#refreshing
  }

  /** Joins a running refresh, or starts one. */
  #refreshOnce(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null
    })
    return this.#refreshing
  }

  async #refresh(): Promise<void> {
    try {
      const lists = await Promise.all(this.#sources.map((source) => source.list()))
      const graphs = lists.flat()
      const current = graphs.filter(({ role }) => role !== 'pinned')
      const pinned = graphs.filter(({ role }) => role === 'pinned')
      for (const graph of current.filter(({ role }) => role === 'default'))
        if ((await this.read(graph)) === null)
          // The next refresh finds the new graph.
          throw new Error(`${graph.iri} has changed while it was read`)
      this.#forgetOthers(current)
      this.#published = { held: current, pinned: new Map(pinned.map((graph) => [graph.iri, graph])) }
      this.#refreshedAt = performance.now()
    } catch (error) {
      this.#log.warn({ error: messageOf(error) }, 'The graphs of the SPARQL endpoint cannot be read')
    }
  }

  #forgetOthers(current: readonly PublicGraph[]): void {
    const currentIris = new Set(current.map(({ iri }) => iri))
    for (const iri of this.#read.keys()) if (!currentIris.has(iri)) this.#read.delete(iri)
  }

  /** Joins a running read of the same graph, or starts one. */
  #packOnce(graph: PublicGraph): Promise<Uint8Array | null> {
    const { iri, key } = graph
    const cached = this.#read.get(iri)
    if (cached?.key === key) return cached.packed
    const packed = this.#pack(graph)
    this.#read.set(iri, { key, packed })
    const forget = (): void => {
      if (this.#read.get(iri)?.packed === packed) this.#read.delete(iri)
    }
    packed.then((bytes) => {
      if (bytes === null) forget()
    }, forget)
    return packed
  }

  async #pack(graph: PublicGraph): Promise<Uint8Array | null> {
    for (const source of this.#sources) {
      const nTriples = await source.read(graph)
      if (nTriples !== null) return pack(nTriples)
    }
    return null
  }
}

export function graphsNotReady(detail: string): Refusal {
  return new Refusal('graphs_not_ready', `${detail} Try again.`, { retry_after: RETRY_SECONDS })
}

const compress = promisify(gzip)

/** Compresses a graph into shared memory, because all threads read the same copy. */
async function pack(nTriples: Uint8Array): Promise<Uint8Array> {
  const packed = await compress(nTriples, { level: constants.Z_BEST_SPEED })
  const copy = new Uint8Array(new SharedArrayBuffer(packed.length))
  copy.set(packed)
  // The source buffer is large, and V8 would not collect it soon.
  collectWhenQuiet()
  return copy
}
