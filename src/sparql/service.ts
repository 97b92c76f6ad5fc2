import { LRUCache } from 'lru-cache'
import type { HeldElsewhere, PublicGraph, PublicGraphs } from '../contracts/graphs.ts'
import type { EngineSettings } from '../graph/engine/engine.ts'
import { rateLimited } from '../http/server/limit.ts'
import { Refusal } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { SparqlSettings } from '../platform/settings/sparql-settings.ts'
import { EngineQueries } from './engine/engine-queries.ts'
import { portableQuery } from './engine/portable.ts'
import { formatFor } from './formats.ts'
import { chooseDataset, type ChosenDataset } from './graphs/dataset.ts'
import { Library, type ReadGraph, type Shelf } from './graphs/library.ts'
import { keyOfAnswer, KeptAnswers } from './kept-answers.ts'
import { readQuery, type QueryForm } from './query/read-query.ts'
import type { ProtocolRequest } from './request.ts'
import { QueryPool } from './threads/pool.ts'
import type { QueryQuestion } from './threads/protocol.ts'

/** Who asks, and whether they still wait for the answer. */
export interface Asker {
  /** The addresses that count as one. */
  readonly network: string
  readonly signal: AbortSignal
}

export interface SparqlAnswer {
  readonly mediaType: string
  readonly body: Uint8Array
}

export interface SparqlOptions {
  /** What there is to query. */
  readonly sources: readonly PublicGraphs[]
  readonly settings: SparqlSettings
  /** Without a final slash. */
  readonly baseUrl: string
  /** The engine that holds releases, too; default: there is none. */
  readonly engine?: EngineSettings | null
  readonly log: Log
}

interface Choice {
  readonly shelf: Shelf
  readonly dataset: ChosenDataset
  /** In milliseconds. */
  readonly deadline: number
}

/** Of all answers that clients have yet to read, as many times the largest one. */
const UNREAD_ANSWERS = 8
/** How many queries of one network may be given up within a minute, as many times what it may ask at once. */
const MOST_ENDED = 2
const MINUTE_MS = 60_000
const NETWORKS = 10_000
/** Whoever waits longer than this many deadlines is sent away. */
const WAITS = 4

/** Answers SPARQL queries about what is public, on threads of its own, within limits. */
export class SparqlService {
  readonly settings: SparqlSettings
  readonly #baseUrl: string
  readonly #library: Library
  readonly #pool: QueryPool
  readonly #engine: EngineQueries | null
  readonly #kept = new KeptAnswers()
  readonly #underWay = new Map<string, number>()
  readonly #ended = new LRUCache<string, number>({
    ...{ max: NETWORKS, ttl: MINUTE_MS, noUpdateTTL: true },
  })
  #unread = 0

  constructor({ sources, settings, baseUrl, engine = null, log }: SparqlOptions) {
    this.settings = settings
    this.#baseUrl = baseUrl
    this.#library = new Library(sources, log)
    const queueing = {
      queue: settings.queue,
      waitMs: WAITS * settings.deadlineMs,
      mayBegin: () => this.#unread < UNREAD_ANSWERS * settings.answerBytes,
      log,
    }
    this.#engine = engine === null ? null : new EngineQueries({ ...queueing, url: engine.url })
    this.#pool = new QueryPool({
      ...queueing,
      threads: settings.threads,
      memoryMegabytes: settings.memoryMegabytes,
      graphs: () => this.#defaults(),
    })
  }

  /** The IRI that relative ones are resolved against, and that of the service. */
  get endpoint(): string {
    return `${this.#baseUrl}/sparql`
  }

  /**
   * Makes the threads, so that the first query does not wait for them; never rejects. Where there is an engine, they
   * are made when they are first needed.
   */
  async prepare(): Promise<void> {
    if (this.settings.threads === 0) return
    if ((await this.#library.fill()) && this.#engine === null) await this.#pool.fill()
  }

  /** What queries can be asked of at present. */
  async graphs(): Promise<readonly PublicGraph[]> {
    const { held, pinned } = await this.#library.shelf()
    return [...held, ...pinned.values()]
  }

  /** Counts what one network asks at the same time; the function that it returns is called when that is over. */
  enter(network: string): () => void {
    this.#refuseHarmful(network)
    const { perAddress } = this.settings
    const count = this.#underWay.get(network) ?? 0
    if (count >= perAddress) {
      const detail = `${perAddress} queries from your address are under way already. Try again when one is answered.`
      throw rateLimited(1, detail)
    }
    this.#underWay.set(network, count + 1)
    return () => {
      const left = (this.#underWay.get(network) ?? 1) - 1
      if (left === 0) this.#underWay.delete(network)
      else this.#underWay.set(network, left)
    }
  }

  /** The whole answer, or a refusal. `sent` has to be called when nobody reads it any more. */
  async answer(
    { query, graphs, timeoutMs }: ProtocolRequest & { readonly query: string },
    accept: string | undefined,
    asker: Asker,
  ): Promise<{ readonly answer: SparqlAnswer; readonly sent: () => void }> {
    const read = readQuery(query, this.endpoint)
    const format = formatFor(read.form, accept)
    const shelf = await this.#library.shelf()
    const dataset = chooseDataset(shelf, read, graphs)
    const { rows: maxRows, answerBytes: maxBytes, deadlineMs } = this.settings
    const question = {
      text: query,
      bounded: read.bounded(maxRows + 1),
      baseIri: this.endpoint,
      format: format.engine,
      dataset: { defaults: [...dataset.defaults], named: [...dataset.named] },
      ...{ maxRows, maxBytes },
    }
    // What another engine holds may change without a word, so that nothing is kept beside it.
    const isKept = read.isRepeatable && this.#engine === null
    const key = isKept ? keyOfAnswer(question, shelf) : null
    const kept = key === null ? undefined : this.#kept.get(key)
    const choice = { shelf, dataset, deadline: Math.min(timeoutMs ?? deadlineMs, deadlineMs) }
    const body = kept ?? (await this.#find(question, { ...choice, form: read.form, key, asker }))
    return { answer: { mediaType: format.mediaType, body }, sent: this.#noteUnread(body.length) }
  }

  async #find(
    question: QueryQuestion,
    asked: Choice & {
      readonly form: QueryForm | null
      readonly key: string | null
      readonly asker: Asker
    },
  ): Promise<Uint8Array> {
    const { form, key, asker } = asked
    const elsewhere = form === null ? null : await this.#askEngine(question, form, asked)
    if (elsewhere !== null) return elsewhere
    const begin = performance.now()
    const body = await this.#ask(question, asked, asker)
    if (key !== null) this.#kept.keep(key, body, performance.now() - begin)
    return body
  }

  /** The function that it returns is called when nobody reads them any more. */
  #noteUnread(bytes: number): () => void {
    this.#unread += bytes
    return () => {
      this.#unread -= bytes
      this.#pool.look()
      this.#engine?.look()
    }
  }

  async close(): Promise<void> {
    await this.#engine?.close()
    await this.#pool.close()
    await this.#library.settled()
  }

  /** Null where the threads here have to answer: the engine has no catalogue, and takes only plain queries. */
  async #askEngine(
    { text, baseIri, format, maxRows, maxBytes }: QueryQuestion,
    form: QueryForm,
    { shelf, dataset, deadline, asker: { network, signal } }: Choice & { readonly asker: Asker },
  ): Promise<Uint8Array | null> {
    const graph = graphElsewhere(shelf, dataset)
    if (this.#engine === null || graph === null) return null
    const portable = portableQuery(text, {
      ...{ baseIri, maxRows: maxRows + 1, paths: this.settings.paths },
    })
    if (portable === null) return null
    try {
      const question = { ...portable, form, graph, format, maxRows, maxBytes }
      return await this.#engine.answer(question, { deadlineMs: deadline, signal })
    } catch (error) {
      if (error instanceof Refusal && error.code === 'query_too_slow') this.#noteEnded(network)
      throw error
    }
  }

  async #ask(
    question: QueryQuestion,
    { shelf, dataset, deadline }: Choice,
    { network, signal }: Asker,
  ): Promise<Uint8Array> {
    const named = new Set(shelf.held.map(({ iri }) => iri))
    const keeps = {
      stays: (iri: string) => named.has(iri),
      mayStay: (iri: string) => shelf.pinned.has(iri),
    }
    return this.#pool.use(async (thread) => {
      const others = await Promise.all(dataset.pinned.map((graph) => this.#requireRead(graph)))
      const wanted = shelf.held.filter((graph) => isDefault(graph) || dataset.read.has(graph.iri))
      await thread.hold([...(await this.#readThere(wanted)), ...others], keeps)
      try {
        return await thread.query(question, { deadlineMs: deadline, signal })
      } finally {
        if (!thread.isSound) this.#noteEnded(network)
      }
    }, signal)
  }

  async #defaults(): Promise<readonly ReadGraph[]> {
    const { held } = await this.#library.shelf()
    return this.#readThere(held.filter(isDefault))
  }

  /** Without those that have gone since they were listed. */
  async #readThere(graphs: readonly PublicGraph[]): Promise<readonly ReadGraph[]> {
    const read: ReadGraph[] = []
    for (const graph of graphs) {
      const found = await this.#library.read(graph)
      if (found !== null) read.push(found)
    }
    return read
  }

  async #requireRead(graph: PublicGraph): Promise<ReadGraph> {
    const read = await this.#library.read(graph)
    if (read !== null) return read
    throw new Refusal('graph_not_found', `The graph <${graph.iri}> has just been removed.`)
  }

  #noteEnded(network: string): void {
    this.#ended.set(network, (this.#ended.get(network) ?? 0) + 1)
  }

  #refuseHarmful(network: string): void {
    if ((this.#ended.get(network) ?? 0) < MOST_ENDED * this.settings.perAddress) return
    const seconds = Math.max(1, Math.ceil(this.#ended.getRemainingTTL(network) / 1000))
    const detail = `Too many queries from your address had to be given up. Wait ${seconds} seconds.`
    throw rateLimited(seconds, detail)
  }
}

/** Most queries need no other one, and the catalogue may be several times as large. */
function isDefault({ role }: PublicGraph): boolean {
  return role === 'default'
}

/** How the engine calls the one graph that a query is asked of; null: it does not hold it, or there are several. */
function graphElsewhere(shelf: Shelf, { defaults }: ChosenDataset): HeldElsewhere | null {
  const [main, ...others] = defaults
  if (main === undefined || others.length > 0) return null
  const graph = shelf.held.find(({ iri }) => iri === main) ?? shelf.pinned.get(main)
  return graph?.elsewhere ?? null
}
