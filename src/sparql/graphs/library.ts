import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { PublicGraph, PublicGraphs } from '../../contracts/graphs.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { collectWhenQuiet } from '../../platform/threads/garbage.ts'

/** A graph with its statements. */
export interface ReadGraph extends PublicGraph {
  /** N-Triples in UTF-8, by gzip, which takes a twentieth of the memory. Threads share it. */
  readonly packed: Uint8Array
}

/** What queries are asked of: all of it from the same look at the sources. */
export interface Shelf {
  /** The one that every thread holds, and those that it takes when it is first asked of them. */
  readonly held: readonly PublicGraph[]
  /** By IRI; read when a query names them. */
  readonly pinned: ReadonlyMap<string, PublicGraph>
}

/** Whoever asks when a look at the sources is older than this has another one taken, without waiting for it. */
const FRESH_MS = 1000
/** Older than this, it is waited for. */
const STALE_MS = 5000
/** Whoever asks while something new is read gets what was there before, after so long. */
const PATIENCE_MS = 1500
/** Where there is nothing yet, somebody waits longer. */
const FIRST_MS = 15_000
const RETRY_SECONDS = 5
/** After so long in which nobody has asked, nothing is kept. */
const REST_MS = 120_000

interface Packed {
  readonly key: string
  readonly packed: Promise<Uint8Array | null>
}

/**
 * The graphs of all sources. Each is read once, and again when it has changed: the one that is asked by default at once,
 * others when somebody asks them.
 */
export class Library {
  readonly #sources: readonly PublicGraphs[]
  readonly #log: Log
  #shelf: Shelf | null = null
  #lookedAt = -Infinity
  #looking: Promise<void> | null = null
  /** By IRI; pinned ones are not kept. */
  readonly #read = new Map<string, Packed>()
  readonly #rest = setTimeout(() => {
    this.#shelf = null
    this.#read.clear()
    this.#lookedAt = -Infinity
    collectWhenQuiet()
  }, REST_MS).unref()

  constructor(sources: readonly PublicGraphs[], log: Log) {
    this.#sources = sources
    this.#log = log
  }

  /** Up to date within seconds. Refuses (`overloaded`) where nothing could be read so far. */
  async shelf(): Promise<Shelf> {
    this.#rest.refresh()
    const age = performance.now() - this.#lookedAt
    if (age > FRESH_MS) {
      const looked = this.#lookOnce()
      const patience = this.#shelf === null ? FIRST_MS : PATIENCE_MS
      if (age > STALE_MS) await Promise.race([looked, sleep(patience, undefined, { ref: false })])
    }
    if (this.#shelf !== null) return this.#shelf
    const detail = 'What can be queried has not been read yet. Try again.'
    throw new Refusal('overloaded', detail, { retry_after: RETRY_SECONDS })
  }

  /** Reads what there is, however long that takes; false where it could not be read, which is logged. */
  async fill(): Promise<boolean> {
    await this.#lookOnce()
    return this.#shelf !== null
  }

  /** With the statements; null where it is gone. */
  async read(graph: PublicGraph): Promise<ReadGraph | null> {
    const packed = await (graph.role === 'pinned' ? this.#pack(graph) : this.#packOnce(graph))
    return packed && { ...graph, packed }
  }

  /** Resolves when nothing is being read any more. */
  async settled(): Promise<void> {
    await this.#looking
  }

  /** Joins a look that is under way. */
  #lookOnce(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null
    })
    return this.#looking
  }

  async #look(): Promise<void> {
    try {
      const lists = await Promise.all(this.#sources.map((source) => source.list()))
      const all = lists.flat()
      const held = all.filter(({ role }) => role !== 'pinned')
      const pinned = all.filter(({ role }) => role === 'pinned')
      for (const graph of held.filter(({ role }) => role === 'default'))
        if ((await this.read(graph)) === null)
          // The next look finds what has taken its place.
          throw new Error(`${graph.iri} has changed while it was read`)
      this.#forgetOthers(held)
      this.#shelf = { held, pinned: new Map(pinned.map((graph) => [graph.iri, graph])) }
      this.#lookedAt = performance.now()
    } catch (error) {
      this.#log.warn({ error: messageOf(error) }, 'What SPARQL queries are asked of cannot be read')
    }
  }

  #forgetOthers(held: readonly PublicGraph[]): void {
    const kept = new Set(held.map(({ iri }) => iri))
    for (const iri of this.#read.keys()) if (!kept.has(iri)) this.#read.delete(iri)
  }

  /** Joins whoever reads the same already. */
  #packOnce(graph: PublicGraph): Promise<Uint8Array | null> {
    const { iri, key } = graph
    const known = this.#read.get(iri)
    if (known?.key === key) return known.packed
    const packed = this.#pack(graph)
    this.#read.set(iri, { key, packed })
    const forget = (): void => {
      if (this.#read.get(iri)?.packed === packed) this.#read.delete(iri)
    }
    packed.then((found) => {
      if (found === null) forget()
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

const compress = promisify(gzip)

/** Threads that are started later read it again: they share one copy. */
async function pack(nTriples: Uint8Array): Promise<Uint8Array> {
  const packed = await compress(nTriples, { level: constants.Z_BEST_SPEED })
  const copy = new Uint8Array(new SharedArrayBuffer(packed.length))
  copy.set(packed)
  // What it was read from is large, and is seldom read: V8 would not look for it soon.
  collectWhenQuiet()
  return copy
}
