import type { OntologyControls, OntologyRelease } from '../../../../contracts/sources.ts'
import type { Graph } from '../../../../graph/graph.ts'
import { compareCodeUnits } from '../../../../graph/term.ts'
import { IdleTimer } from '../../../../platform/concurrency/idle-timer.ts'
import { nextTurn } from '../../../../platform/concurrency/turns.ts'
import { messageOf, Refusal } from '../../../../platform/errors.ts'
import type { Log } from '../../../../platform/log.ts'
import type { ThreadLimits } from '../../../../platform/threads/supervised-thread.ts'
import type { Release } from '../../benchmarks/releases.ts'
import type { BenchmarkHead } from '../../xccdf/benchmark.ts'
import type { CatalogueSource } from './catalogue-source.ts'
import { graphLimits, GraphThread } from './graph-thread.ts'
import { irisOf, type Iris } from './iris.ts'
import { controlsUnavailable, isSameRelease, projectControls } from './project-controls.ts'
import { projectReleases } from './project-releases.ts'
import { WrittenBenchmark } from './written-benchmark.ts'

/** Queries the catalogue, whose graph is up to date. */
export interface Catalogue {
  readonly graph: Graph
  readonly iris: Iris
  readonly releases: readonly Release[]
  /** The release whose controls are in the graph. Null while there is none. */
  readonly ontology: OntologyRelease | null
}

interface SynchronisedCatalogue extends Catalogue {
  readonly graph: GraphThread
}

interface CatalogueGraphParts {
  readonly source: CatalogueSource
  /** Without a final slash. */
  readonly baseUrl: string
  /** Null: there are no links. */
  readonly ontology: OntologyControls | null
  readonly log: Log
  /** Default: by the number of rules. */
  readonly threadLimits?: (rules: number) => ThreadLimits
  /**
   * The thread ends when it has not been used for this time, at the latest after twice as long. Default: two minutes.
   */
  readonly restMs?: number
}

/** The graphs that a thread has confirmed. */
interface ThreadGraphs {
  readonly thread: GraphThread
  /** The release, kind and digest that each benchmark graph was made from, by IRI. */
  readonly benchmarks: Map<string, string>
  releases: string
  ontology: OntologyRelease | null
}

const REST_MS = 120_000
/**
 * The number of rules with which filling the graph takes a second. The thread of a larger catalogue stays twice as
 * long, or for good.
 */
const QUICKLY_FILLED = 10_000
const MAX_RULES = 25_000

/**
 * Holds the benchmarks of the database as RDF, linked to the ontology, on a separate thread. It is a cache, updated
 * from the database before each use, so all processes on one database give the same answers. The thread starts when it
 * is first needed. It ends when it has not been used for a while, unless the catalogue is large. A thread that dies is
 * replaced and filled again. `close` ends it.
 */
export class CatalogueGraph {
  readonly iris: Iris
  readonly #parts: CatalogueGraphParts
  #held: ThreadGraphs | null = null
  #latest: SynchronisedCatalogue | null = null
  #closed = false
  #running: Promise<unknown> = Promise.resolve()
  #next: Promise<SynchronisedCatalogue> | null = null
  readonly #rest: IdleTimer

  constructor(parts: CatalogueGraphParts) {
    this.#parts = parts
    this.#rest = new IdleTimer(parts.restMs ?? REST_MS, (idlePeriods) => {
      this.#endIdle(idlePeriods)
    })
    this.iris = irisOf(parts.baseUrl)
  }

  /**
   * Updates the graph if its thread runs already, or will stay for good: otherwise the first query would wait long. In
   * other cases, the first query fills the graph.
   */
  async prepare(): Promise<void> {
    const isLarge = this.#held !== null || rulesOf(await this.#parts.source.list()) > MAX_RULES
    if (isLarge && !this.#closed) await this.sync()
  }

  /** Resolves when the graph has everything that the database had at the time of the call. */
  async sync(): Promise<void> {
    await this.#rest.after(() => this.#synchronised())
  }

  /**
   * Reads from the graph after bringing it up to date; tries a second time, with the same limits, if the thread
   * dies.
   */
  async read<T>(work: (catalogue: SynchronisedCatalogue) => Promise<T>): Promise<T> {
    return this.#rest.after(async () => {
      const catalogue = await this.#synchronised()
      try {
        return await work(catalogue)
      } catch (error) {
        if (this.#closed || catalogue.graph.alive || error instanceof Refusal) throw error
        return work(await this.#synchronised())
      }
    })
  }

  /** All statements as N-Quads, in code unit order. */
  async dump(): Promise<string> {
    const nquads = await this.read(({ graph }) => graph.dump())
    const lines = nquads.split('\n').filter((line) => line !== '')
    return lines
      .sort(compareCodeUnits)
      .map((line) => `${line}\n`)
      .join('')
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#rest.stop()
    await this.#held?.thread.close()
    await Promise.allSettled([this.#running, this.#next])
  }

  #endIdle(idlePeriods: number): void {
    const threadGraphs = this.#held
    const rules = rulesOf(this.#latest?.releases ?? [])
    if (threadGraphs === null || rules > (idlePeriods === 1 ? QUICKLY_FILLED : MAX_RULES)) return
    this.#held = null
    this.#latest = null
    void threadGraphs.thread.close()
  }

  /**
   * Callers during an update share the next one: the current one may have read the database before they wrote to it.
   */
  #synchronised(): Promise<SynchronisedCatalogue> {
    this.#next ??= this.#runAfter(this.#running)
    return this.#next
  }

  async #runAfter(previous: Promise<unknown>): Promise<SynchronisedCatalogue> {
    await Promise.allSettled([previous])
    this.#next = null
    const run = this.#run()
    this.#running = run
    return run
  }

  async #run(): Promise<SynchronisedCatalogue> {
    try {
      return await this.#bringUpToDate()
    } catch (error) {
      if (this.#closed || this.#held?.thread.alive !== false) throw error
      this.#parts.log.warn({ error: messageOf(error) }, 'The thread of the graph is restarted')
      return this.#bringUpToDate()
    }
  }

  #aliveThread(releases: readonly Release[]): ThreadGraphs {
    if (this.#closed) throw new Error('The graph is closed')
    if (this.#held?.thread.alive === true) return this.#held
    const { log, threadLimits = graphLimits } = this.#parts
    const thread = new GraphThread({ limits: threadLimits(rulesOf(releases)), log })
    const empty = { benchmarks: new Map<string, string>(), ontology: null }
    this.#held = { thread, ...empty, releases: '' }
    return this.#held
  }

  async #bringUpToDate(): Promise<SynchronisedCatalogue> {
    const { iris } = this
    const releases = await this.#parts.source.list()
    const threadGraphs = this.#aliveThread(releases)
    await this.#dropOthers(threadGraphs, new Set(releases.map((release) => iris.benchmark(release))))
    for (const release of releases) await this.#take(threadGraphs, release)
    await this.#takeReleases(threadGraphs, releases)
    await this.#takeControls(threadGraphs)
    const { thread: graph, ontology } = threadGraphs
    this.#latest = { graph, iris, releases, ontology }
    return this.#latest
  }

  async #dropOthers(threadGraphs: ThreadGraphs, keep: ReadonlySet<string>): Promise<void> {
    const [first, ...others] = [...threadGraphs.benchmarks.keys()].filter((iri) => !keep.has(iri))
    if (first === undefined) return
    const remove = [first, ...others] as const
    await threadGraphs.thread.change(remove, [])
    for (const iri of remove) threadGraphs.benchmarks.delete(iri)
  }

  /** Adds a benchmark. One that fails is left out, so that the others can still be queried. */
  async #take(threadGraphs: ThreadGraphs, release: Release): Promise<void> {
    const iri = this.iris.benchmark(release)
    // Includes the id: a benchmark that is deleted and uploaded again may differ in blanks, which the digest ignores.
    const origin = `${release.id} ${release.kind} ${release.digest}`
    if (threadGraphs.benchmarks.get(iri) === origin) return
    await nextTurn()
    const head = await this.#find(release.id)
    if (head === null) return
    const written = new WrittenBenchmark(head, this.#parts.source.rules(release.id), this.iris)
    try {
      await threadGraphs.thread.change([iri], written.nquads())
    } catch (error) {
      // A database that does not answer is not the fault of the benchmark.
      if (!threadGraphs.thread.alive || error === written.readError) throw error
      this.#parts.log.error({ iri, error: messageOf(error) }, 'A benchmark could not be added to the graph')
    }
    threadGraphs.benchmarks.set(iri, origin)
  }

  /** Null if it was deleted since it was listed. */
  async #find(id: number): Promise<BenchmarkHead | null> {
    try {
      return await this.#parts.source.head(id)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'not_found') return null
      throw error
    }
  }

  async #takeReleases(threadGraphs: ThreadGraphs, releases: readonly Release[]): Promise<void> {
    const nquads = projectReleases(releases, this.iris)
    if (nquads === threadGraphs.releases) return
    await threadGraphs.thread.change([this.iris.releases], [nquads])
    threadGraphs.releases = nquads
  }

  /**
   * Updates the graph of controls. If the ontology cannot be read now, the earlier controls stay. Refuses if there are
   * none yet.
   */
  async #takeControls(threadGraphs: ThreadGraphs): Promise<void> {
    const { ontology, log } = this.#parts
    const current = ontology === null ? null : await ontology.opened()
    if (isSameRelease(current, threadGraphs.ontology)) return
    const replaced = [this.iris.controls] as const
    if (ontology === null || current === null) {
      await threadGraphs.thread.change(replaced, [])
      threadGraphs.ontology = null
      return
    }
    const assertions = await ontology.controls().catch((error: unknown) => {
      log.error({ error: messageOf(error) }, 'The controls of the ontology cannot be read')
      return null
    })
    if (assertions === null && threadGraphs.ontology === null) throw controlsUnavailable()
    if (assertions === null) return
    await threadGraphs.thread.change(replaced, [projectControls(assertions, this.iris)])
    const { version, digest } = assertions
    threadGraphs.ontology = { version, digest }
  }
}

function rulesOf(releases: readonly Release[]): number {
  return releases.reduce((sum, { ruleCount }) => sum + ruleCount, 0)
}
