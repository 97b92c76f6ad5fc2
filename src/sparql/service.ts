import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineGraph, PublicGraph, PublicGraphs } from '../contracts/graphs.ts'
import type { EngineSettings } from '../graph/engine/engine.ts'
import { Refusal } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { SparqlSettings } from '../platform/settings/sparql-settings.ts'
import { AnswerCache, cacheKey } from './answer-cache.ts'
import { EngineQueries } from './engine/engine-queries.ts'
import { portableQuery } from './engine/portable.ts'
import { formatFor, type Format } from './formats.ts'
import { chooseDataset, type ChosenDataset } from './graphs/dataset.ts'
import { graphsNotReady, GraphLibrary, type LoadedGraph, type PublishedGraphs } from './graphs/library.ts'
import { NetworkLimits } from './network-limits.ts'
import { readQuery, type QueryForm, type QueryProperties } from './query/read-query.ts'
import type { ProtocolRequest } from './request.ts'
import { QueryPool } from './threads/pool.ts'
import type { QueryRequest } from './threads/protocol.ts'

/** The client of a query. Its signal aborts when the client has left. */
export interface QueryClient {
  /** The network of its address; addresses of one network count together. */
  readonly network: string
  readonly signal: AbortSignal
}

export interface SparqlAnswer {
  readonly mediaType: string
  readonly body: Uint8Array
}

export interface SparqlOptions {
  /** Queries can read the graphs of these sources. */
  readonly sources: readonly PublicGraphs[]
  readonly settings: SparqlSettings
  /** Without a final slash. */
  readonly baseUrl: string
  /** The engine that holds releases, too; default: there is none. */
  readonly engine?: EngineSettings | null
  readonly log: Log
}

interface ExecutionContext {
  readonly published: PublishedGraphs
  readonly dataset: ChosenDataset
  /** In milliseconds. */
  readonly deadline: number
}

/** A query with its properties, limits and client. */
interface ReadRequest {
  readonly read: QueryProperties
  /** Graphs that the request names. */
  readonly graphs: ProtocolRequest['graphs']
  readonly format: Format
  /** In milliseconds. */
  readonly deadline: number
  readonly client: QueryClient
}

/** Unread answers may take together this many times the size of the largest one. */
const UNREAD_ANSWERS = 8
/** Pause after graphs that could not be read. */
const RETRY_MS = 1000
/** A query that has waited for this many deadlines is refused. */
const MAX_WAIT_DEADLINES = 4

/** Answers SPARQL queries about public data, on separate threads, within limits. */
export class SparqlService {
  readonly settings: SparqlSettings
  readonly #baseUrl: string
  readonly #library: GraphLibrary
  readonly #pool: QueryPool
  readonly #engine: EngineQueries | null
  readonly #cache = new AnswerCache()
  readonly #networks: NetworkLimits
  #unread = 0
  /** True also if `prepare` was never called: then the first query waits. */
  #isPrepared = true
  #preparing: Promise<void> | null = null

  constructor({ sources, settings, baseUrl, engine = null, log }: SparqlOptions) {
    this.settings = settings
    this.#networks = new NetworkLimits(settings.perAddress)
    this.#baseUrl = baseUrl
    this.#library = new GraphLibrary(sources, log)
    const queueing = {
      queue: settings.queue,
      waitMs: MAX_WAIT_DEADLINES * settings.deadlineMs,
      mayBegin: () => this.#unread < UNREAD_ANSWERS * settings.answerBytes,
      log,
    }
    this.#engine = engine === null ? null : new EngineQueries({ ...queueing, url: engine.url })
    this.#pool = new QueryPool({
      ...queueing,
      threads: settings.threads,
      memoryMegabytes: settings.memoryMegabytes,
      graphs: () => this.#defaultGraphs(),
    })
  }

  /** The IRI that relative ones are resolved against, and that of the service. */
  get endpoint(): string {
    return `${this.#baseUrl}/sparql`
  }

  /**
   * Reads the graphs and starts the threads, so that the first query does not wait for them; never rejects. With an
   * engine, threads are started when they are first needed.
   */
  async prepare(): Promise<void> {
    if (this.settings.threads === 0) return
    this.#isPrepared = false
    this.#preparing ??= this.#prepare().finally(() => (this.#preparing = null))
    await this.#preparing
  }

  /** Refuses (`graphs_not_ready`) after `prepare` was called until the graphs have been read; starts another attempt. */
  checkReady(): void {
    if (this.#isPrepared) return
    void this.prepare()
    throw graphsNotReady('The graphs that can be queried are still being read.')
  }

  async #prepare(): Promise<void> {
    if (!(await this.#library.fill())) {
      // The pause keeps queries that arrive meanwhile from starting one attempt after another.
      await sleep(RETRY_MS, undefined, { ref: false })
      return
    }
    if (this.#engine === null) await this.#pool.fill()
    this.#isPrepared = true
  }

  async graphs(): Promise<readonly PublicGraph[]> {
    this.checkReady()
    const { held, pinned } = await this.#library.published()
    return [...held, ...pinned.values()]
  }

  /** Counts a query of a network; the function that it returns has to be called at its end. */
  enter(network: string): () => void {
    return this.#networks.enter(network)
  }

  /** The complete answer, or a refusal. `sent` has to be called when the client has read it or has left. */
  async answer(
    { query, graphs, timeoutMs }: ProtocolRequest & { readonly query: string },
    accept: string | undefined,
    client: QueryClient,
  ): Promise<{ readonly answer: SparqlAnswer; readonly sent: () => void }> {
    const parsed = readQuery(query, this.endpoint)
    const format = formatFor(parsed.form, accept)
    this.checkReady()
    const { deadlineMs } = this.settings
    const request = { read: parsed, graphs, format, deadline: Math.min(timeoutMs ?? deadlineMs, deadlineMs), client }
    const body = await this.#fromGraphs((published) => this.#answerFrom(published, request))
    return { answer: { mediaType: format.mediaType, body }, sent: this.#countUnread(body.length) }
  }

  /** Does work that reads graphs; repeats it once if one of them has changed since it was listed. */
  async #fromGraphs<T>(work: (published: PublishedGraphs) => Promise<T>): Promise<T> {
    const published = await this.#library.published()
    try {
      return await work(published)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'graphs_not_ready') throw error
      return work(await this.#library.freshlyPublished())
    }
  }

  async #answerFrom(
    published: PublishedGraphs,
    { read, graphs, format, deadline, client }: ReadRequest,
  ): Promise<Uint8Array> {
    const dataset = chooseDataset(published, read, graphs)
    const { rows: maxRows, answerBytes: maxBytes } = this.settings
    const question = {
      text: read.text,
      bounded: read.bounded(maxRows + 1),
      baseIri: this.endpoint,
      format: format.engine,
      dataset: { defaults: [...dataset.defaults], named: [...dataset.named] },
      maxRows,
      maxBytes,
    }
    // Another engine may change its graphs without telling, so its answers are not cached.
    const isCacheable = read.isRepeatable && this.#engine === null
    const key = isCacheable ? cacheKey(question, published) : null
    const cached = key === null ? undefined : this.#cache.get(key)
    if (cached !== undefined) return cached
    return this.#executeAndCache(question, { published, dataset, deadline, form: read.form, key, client })
  }

  async #executeAndCache(
    question: QueryRequest,
    context: ExecutionContext & {
      readonly form: QueryForm | null
      readonly key: string | null
      readonly client: QueryClient
    },
  ): Promise<Uint8Array> {
    const { form, key, client } = context
    const engineAnswer = form === null ? null : await this.#askEngine(question, form, context)
    if (engineAnswer !== null) return engineAnswer
    const begin = performance.now()
    const body = await this.#queryThread(question, context, client)
    if (key !== null) this.#cache.set(key, body, performance.now() - begin)
    return body
  }

  /** Counts bytes that clients have yet to read; the function that it returns is called when they have. */
  #countUnread(bytes: number): () => void {
    this.#unread += bytes
    return () => {
      this.#unread -= bytes
      this.#pool.startPending()
      this.#engine?.startPending()
    }
  }

  async close(): Promise<void> {
    await this.#engine?.close()
    await this.#pool.close()
    await this.#library.settled()
  }

  /** Null if the threads here have to answer, because the engine has no catalogue and gets only plain queries. */
  async #askEngine(
    { text, baseIri, format, maxRows, maxBytes }: QueryRequest,
    form: QueryForm,
    { published, dataset, deadline, client: { network, signal } }: ExecutionContext & { readonly client: QueryClient },
  ): Promise<Uint8Array | null> {
    const graph = graphInEngine(published, dataset)
    if (this.#engine === null || graph === null) return null
    const portable = portableQuery(text, {
      baseIri,
      maxRows: maxRows + 1,
      paths: this.settings.paths,
    })
    if (portable === null) return null
    try {
      const question = { ...portable, form, graph, format, maxRows, maxBytes }
      return await this.#engine.answer(question, { deadlineMs: deadline, signal })
    } catch (error) {
      if (error instanceof Refusal && error.code === 'query_too_slow') this.#networks.countStopped(network)
      throw error
    }
  }

  async #queryThread(
    question: QueryRequest,
    { published, dataset, deadline }: ExecutionContext,
    { network, signal }: QueryClient,
  ): Promise<Uint8Array> {
    const publishedIris = new Set(published.held.map(({ iri }) => iri))
    const retention = {
      mustStay: (iri: string) => publishedIris.has(iri),
      mayStay: (iri: string) => published.pinned.has(iri),
    }
    return this.#pool.use(async (thread) => {
      const requiredGraphs = published.held.filter((graph) => isDefaultGraph(graph) || dataset.read.has(graph.iri))
      await thread.hold(await this.#readAll([...requiredGraphs, ...dataset.pinned]), retention)
      try {
        return await thread.query(question, { deadlineMs: deadline, signal })
      } finally {
        if (!thread.isSound) this.#networks.countStopped(network)
      }
    }, signal)
  }

  async #defaultGraphs(): Promise<readonly LoadedGraph[]> {
    return this.#fromGraphs(({ held }) => this.#readAll(held.filter(isDefaultGraph)))
  }

  /** Fails if one of the graphs has changed since it was listed, because the answer would not be complete. */
  async #readAll(graphs: readonly PublicGraph[]): Promise<readonly LoadedGraph[]> {
    const loadedGraphs: LoadedGraph[] = []
    for (const graph of graphs) {
      const loaded = await this.#library.read(graph)
      if (loaded === null) throw graphsNotReady(`The graph <${graph.iri}> has just changed.`)
      loadedGraphs.push(loaded)
    }
    return loadedGraphs
  }
}

/** Threads load only default graphs in advance: most queries need no others, and the catalogue may be much larger. */
function isDefaultGraph({ role }: PublicGraph): boolean {
  return role === 'default'
}

/** The engine's copy of the one default graph; null if it has no copy, or there are several default graphs. */
function graphInEngine(published: PublishedGraphs, { defaults }: ChosenDataset): EngineGraph | null {
  const [main, ...others] = defaults
  if (main === undefined || others.length > 0) return null
  const graph = published.held.find(({ iri }) => iri === main) ?? published.pinned.get(main)
  return graph?.engineCopy ?? null
}
