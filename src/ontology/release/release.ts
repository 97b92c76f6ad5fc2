import { createHash } from 'node:crypto'
import type { AttackDomain } from '../../contracts/sources.ts'
import type { Graph } from '../../graph/graph.ts'
import { Names } from '../../graph/names.ts'
import { readQuery } from '../../graph/query.ts'
import { selectStatements, STATEMENT_COLUMNS } from '../../graph/statements.ts'
import { compareCodeUnits, type Literal, type Statement, termKey } from '../../graph/term.ts'
import { d3f, rdfs } from '../../graph/vocabulary.ts'
import { append } from '../../platform/append.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { domainsIn, techniquesByDomain } from './domains.ts'
import type { ReleaseFolder } from './folder.ts'
import { Hierarchy } from './hierarchy.ts'
import type { Manifest } from './manifest.ts'
import { queriedStatements, type Statements } from './statements.ts'
import { readTables, type Tables, type TacticRow } from './tables.ts'

const SUMMARIES = readQuery(new URL('./queries/summaries.rq', import.meta.url), ['subject', 'property', 'value'])

const SUBCLASSES = readQuery(new URL('./queries/subclasses.rq', import.meta.url), ['class', 'superclass'])
const CLASSES = readQuery(new URL('./queries/classes.rq', import.meta.url), ['class'])
const SUBJECTS = readQuery(new URL('./queries/subjects.rq', import.meta.url), ['subject'])
const RESOURCES = readQuery(new URL('./queries/resources.rq', import.meta.url), ['resource'])
const BLANK_STATEMENTS = readQuery(new URL('./queries/blank-statements.rq', import.meta.url), STATEMENT_COLUMNS)

/**
 * One release, open for reading: the graph, and tables that the views join in memory, because the same joins take
 * seconds as one SPARQL query (docs/decisions/0003).
 */
export interface Release extends Tables {
  readonly manifest: Manifest
  readonly names: Names
  readonly graph: Graph
  readonly statements: Statements
  /** The whole release as canonical N-Quads, in pieces of whole lines; null if no file holds it. */
  readonly canonical: (() => Iterable<string>) | null
  readonly hierarchy: Hierarchy
  /** Named subjects, sorted. */
  readonly subjects: ReadonlySet<string>
  /** Named subjects and objects, sorted. */
  readonly resources: ReadonlySet<string>
  /** Named classes, sorted. */
  readonly classes: ReadonlySet<string>
  readonly summaries: Summaries
  /** Every tactic that some offensive technique of a domain enables, once for each that does. */
  readonly offensiveTactics: ReadonlyMap<AttackDomain, readonly TacticRow[]>
  /** Statements with a blank node, by subject and by object (`termKey`). Labels of blank nodes are only valid in one answer. */
  readonly blankStatements: ReadonlyMap<string, readonly Statement[]>
}

export async function openRelease(folder: ReleaseFolder, manifest: Manifest): Promise<Release> {
  const nquads = await folder.graph(manifest)
  const digest = createHash('sha256').update(nquads).digest('hex')
  if (digest !== manifest.sha256) throw new Error(`${manifest.graphFile} is damaged`)
  // Only rendering needs the store, so readers of the tables do not load it.
  const { EmbeddedGraph } = await import('../../graph/store.ts')
  const graph = new EmbeddedGraph()
  graph.loadCanonical(nquads)
  const release = await readRelease(graph, manifest, () => folder.graphPieces(manifest))
  graph.forgetTerms()
  return release
}

/** Reads what the views need from any graph that holds the ontology. */
export async function readRelease(
  graph: Graph,
  manifest: Manifest,
  canonical: Release['canonical'] = null,
): Promise<Release> {
  const edges = await graph.select(SUBCLASSES)
  const hierarchy = new Hierarchy(edges.map((row) => [row.class.value, row.superclass.value]))
  const tables = await readTables(graph, hierarchy)
  const declared = (await graph.select(CLASSES)).map((row) => row.class.value)
  const subjects = (await graph.select(SUBJECTS)).map((row) => row.subject.value)
  const resources = (await graph.select(RESOURCES)).map((row) => row.resource.value)
  return {
    manifest,
    graph,
    statements: queriedStatements(graph),
    canonical,
    hierarchy,
    names: new Names(manifest.prefixes),
    subjects: new Set(subjects.sort(compareCodeUnits)),
    resources: new Set(resources.sort(compareCodeUnits)),
    classes: new Set([...declared, ...hierarchy.classes()].sort(compareCodeUnits)),
    summaries: await readSummaries(graph),
    blankStatements: await readBlankStatements(graph),
    offensiveTactics: new Map(
      Array.from(techniquesByDomain(hierarchy), ([domain, techniques]) => [
        domain,
        techniques.flatMap((technique) => tables.tacticsByTechnique.get(technique) ?? []),
      ]),
    ),
    ...tables,
  }
}

/** Defensive techniques, the root included, sorted by IRI. */
export function defensiveTechniques(release: Release): ReadonlySet<string> {
  return release.hierarchy.down(d3f.DefensiveTechnique)
}

/**
 * Classes below d3f:OffensiveTechnique, the root included, sorted by IRI: what D3FEND lists. Releases may have attacks
 * of other domains beside them.
 */
export function offensiveTechniques(release: Release): ReadonlySet<string> {
  return release.hierarchy.down(d3f.OffensiveTechnique)
}

/** Offensive techniques of all domains that have an identifier, sorted by IRI. */
export function attacks({ hierarchy, summaries }: Release): readonly string[] {
  return [...domainsIn(hierarchy).techniques].filter((iri) => summaries.has(iri, d3f.attackId))
}

/** Digital artifacts with the root of the tree, sorted by IRI. */
export function artifacts(release: Release): ReadonlySet<string> {
  return release.hierarchy.down(d3f.DigitalArtifact)
}

async function readBlankStatements(graph: Graph): Promise<ReadonlyMap<string, Statement[]>> {
  const byEnd = new Map<string, Statement[]>()
  for (const statement of await selectStatements(graph, BLANK_STATEMENTS)) {
    const ends = [statement.subject, statement.object].map(termKey)
    for (const end of new Set(ends)) append(byEnd, end, statement)
  }
  return byEnd
}

/** Names, identifiers, definitions and display order of every subject; values sorted. */
class Summaries {
  readonly #facts = new Map<string, Map<string, Literal[]>>()

  add(subject: string, property: string, value: Literal): void {
    const properties = getOrMake(this.#facts, subject, () => new Map())
    const values = [...(properties.get(property) ?? []), value]
    properties.set(
      property,
      values.sort((a, b) => compareCodeUnits(a.value, b.value)),
    )
  }

  values(iri: string, property: string): readonly Literal[] {
    return this.#facts.get(iri)?.get(property) ?? []
  }

  has(iri: string, property: string): boolean {
    return this.values(iri, property).length > 0
  }

  labels(iri: string): readonly Literal[] {
    return this.values(iri, rdfs.label)
  }

  /** Every subject that has the property, with its values, in no particular order. */
  *withProperty(property: string): Generator<readonly [string, readonly Literal[]]> {
    for (const [iri, properties] of this.#facts) {
      const values = properties.get(property)
      if (values !== undefined) yield [iri, values]
    }
  }
}

async function readSummaries(graph: Graph): Promise<Summaries> {
  const summaries = new Summaries()
  for (const { subject, property, value } of await graph.select(SUMMARIES)) {
    if (value.type === 'literal') summaries.add(subject.value, property.value, value)
  }
  return summaries
}
