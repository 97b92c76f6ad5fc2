import { createHash } from 'node:crypto'
import type { PublicGraph, PublicGraphs } from '../../../../contracts/graphs.ts'
import type { OntologyControls } from '../../../../contracts/sources.ts'
import { rdf } from '../../../../graph/vocabulary.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { Release } from '../../benchmarks/releases.ts'
import type { CatalogueSource } from './catalogue-source.ts'
import { GUIDANCE_TERMS, type GuidanceTerm } from './guidance-terms.ts'
import type { Iris } from './iris.ts'
import { projectControls } from './project-controls.ts'
import { projectReleases } from './project-releases.ts'
import { referenceGraphs, type ReferenceGraphSource } from './reference/reference-graphs.ts'
import { dc, dcterms, schema, skos } from './terms.ts'
import { WrittenBenchmark } from './written-benchmark.ts'

/** The long texts of a rule are left out, because all graphs for queries are in memory. */
const TEXTS: readonly GuidanceTerm[] = ['check', 'discussion', 'fix']

interface PublicCatalogueParts {
  readonly source: CatalogueSource
  readonly iris: Iris
  /** Null: there are no links. */
  readonly ontology: OntologyControls | null
  /** By default there is no reference data. */
  readonly references?: ReferenceGraphSource
}

/** A graph that can be read. `write` returns its N-Quads, or rejects with `not_found` if it was removed. */
interface GraphWriter {
  readonly graph: PublicGraph
  readonly write: () => AsyncIterable<string>
}

/**
 * The catalogue for SPARQL: the names of rules, CCIs and requirements, and the links between them, without long texts.
 * A graph is written when it is read.
 */
export function publicCatalogue(parts: PublicCatalogueParts): PublicGraphs {
  const { source, iris, ontology, references } = parts
  const predicates = shownPredicates(iris)
  let graphs: ReadonlyMap<string, GraphWriter> = new Map()
  return {
    list: async () => {
      const releases = await source.list()
      const controls = ontology === null ? [] : await controlsGraph(iris, ontology)
      const benchmarks = releases.map((release) => benchmarkGraph(release, parts))
      const lists = references === undefined ? [] : await referenceGraphs(references, iris)
      const writers = [...benchmarks, releasesGraph(releases, iris), ...controls, ...lists]
      graphs = new Map(writers.map((writer) => [writer.graph.iri, writer]))
      return writers.map(({ graph }) => graph)
    },
    read: async ({ iri, key }) => {
      const writer = graphs.get(iri)
      if (writer?.graph.key !== key) return null
      try {
        // The graph of controls is kept whole: any property of the ontology may relate controls to techniques.
        const isWhole = iri === iris.controls || iri.startsWith(iris.references)
        return await readTriples(writer, isWhole ? null : predicates)
      } catch (error) {
        if (error instanceof Refusal && error.code === 'not_found') return null
        throw error
      }
    },
  }
}

function benchmarkGraph(release: Release, { source, iris }: PublicCatalogueParts): GraphWriter {
  const { id, kind, digest, name: title } = release
  // Includes the id: a benchmark that is deleted and uploaded again may differ in blanks, which the digest ignores.
  const key = `${id} ${kind} ${digest}`
  return {
    graph: { iri: iris.benchmark(release), key, title, role: 'named' },
    write: async function* () {
      yield* new WrittenBenchmark(await source.head(id), source.rules(id), iris).nquads()
    },
  }
}

function releasesGraph(releases: readonly Release[], iris: Iris): GraphWriter {
  const nquads = projectReleases(releases, iris)
  const key = createHash('sha256').update(nquads).digest('hex')
  return {
    graph: { iri: iris.releases, key, title: 'Lines of releases', role: 'named' },
    write: async function* () {
      yield await Promise.resolve(nquads)
    },
  }
}

/** The graph of controls; none without a release of the ontology. */
async function controlsGraph(iris: Iris, ontology: OntologyControls): Promise<readonly GraphWriter[]> {
  const current = await ontology.opened()
  if (current === null) return []
  const description = { title: 'Controls and techniques', role: 'named' } as const
  return [
    {
      graph: { iri: iris.controls, key: current.digest, ...description },
      write: async function* () {
        const controls = await ontology.controls()
        if (controls.digest !== current.digest)
          throw new Refusal('not_found', 'This release was replaced by another one.')
        yield projectControls(controls, iris)
      },
    },
  ]
}

/** Reads a graph as N-Triples in UTF-8, only with the given predicates; null means all. */
async function readTriples(
  { graph: { iri }, write }: GraphWriter,
  predicates: ReadonlySet<string> | null,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const nquads of write()) {
    // Subjects and predicates contain no blanks.
    const lines = nquads
      .split(` <${iri}> .\n`)
      .filter((line) => line !== '' && predicates?.has(line.split(' ', 2)[1] ?? '') !== false)
    parts.push(Buffer.from(lines.map((line) => `${line} .\n`).join('')))
  }
  return Buffer.concat(parts)
}

function shownPredicates({ namespace }: Iris): ReadonlySet<string> {
  const { identifier, isPartOf, isVersionOf, issued, replaces, title } = dcterms
  const ownTerms = GUIDANCE_TERMS.filter((term) => !TEXTS.includes(term))
  const shown = [
    rdf.type,
    identifier,
    isPartOf,
    isVersionOf,
    issued,
    replaces,
    title,
    schema.version,
    ...Object.values(dc),
    ...Object.values(skos),
    ...ownTerms.map((term) => namespace + term),
  ]
  return new Set(shown.map((predicate) => `<${predicate}>`))
}
