import type { CounterPath, Defense, NamedRecord, OntologyDocument, OntologyRelations } from '../../contracts/sources.ts'
import { append } from '../../platform/append.ts'
import { strengthOf } from '../knowledge/links.ts'
import { nodeOf, LinkPath, type PathNode } from './link-path.ts'
import type { OntologyLookup } from './subject.ts'

/** A path that is computed when it is shown; most are not. */
export type LazyPath = () => LinkPath

/** A record that was reached, with all paths to it. */
export interface ReachedRecord {
  readonly document: OntologyDocument
  readonly paths: readonly LazyPath[]
}

/** `isCut`: whether there are more. */
export interface ReachedRecords {
  readonly reached: readonly ReachedRecord[]
  readonly isCut: boolean
}

/** Paths through artifacts that are considered for one answer. */
const MAX_PATHS = 1000

/** The attacks and weaknesses that reached techniques counter. */
export async function findCountered(
  ontology: OntologyRelations,
  lookup: OntologyLookup,
  techniques: readonly ReachedRecord[],
): Promise<ReachedRecords> {
  const paths = new Map(techniques.map(({ document, paths }) => [document.iri, paths[0]]))
  const counters = await ontology.counters([...paths.keys()], MAX_PATHS + 1)
  const ends = counters.slice(0, MAX_PATHS).flatMap((counter): readonly PathEnd[] => {
    const before = paths.get(counter.technique)
    return before === undefined ? [] : [[counter.other.iri, () => counterPath(lookup, before(), counter)]]
  })
  return { reached: recordsAtEnds(lookup, ends), isCut: counters.length > MAX_PATHS }
}

function counterPath(lookup: OntologyLookup, before: LinkPath, counter: CounterPath): LinkPath {
  const node = (record: NamedRecord): PathNode => nodeAt(lookup, record)
  return before
    .up(counter.by, node(counter.by))
    .along(counter.relation, node(counter.artifact))
    .up(counter.otherArtifact, node(counter.otherArtifact))
    .against(counter.otherRelation, node(counter.otherBy))
    .down(counter.otherBy, node(counter.other))
}

/** Finds the techniques that defend the artifacts of starting points, or the starting points themselves. */
export async function findDefenders(
  ontology: OntologyRelations,
  lookup: OntologyLookup,
  starts: readonly ReachedRecord[],
): Promise<ReachedRecords> {
  const paths = new Map(starts.map(({ document, paths }) => [document.iri, paths[0]]))
  const defenses = await ontology.defenses([...paths.keys()], MAX_PATHS + 1)
  const ends = defenses.slice(0, MAX_PATHS).flatMap((defense): readonly PathEnd[] => {
    const before = paths.get(defense.subject)
    if (isStatedOfOtherStart(defense, paths)) return []
    return before === undefined ? [] : [[defense.technique, () => defensePath(lookup, before(), defense)]]
  })
  return { reached: recordsAtEnds(lookup, ends), isCut: defenses.length > MAX_PATHS }
}

/** Whether the statement is about another starting point, which has this defense itself. */
function isStatedOfOtherStart({ subject, attack }: Defense, starts: ReadonlyMap<string, unknown>): boolean {
  return attack !== null && attack.by.iri !== subject && starts.has(attack.by.iri)
}

function defensePath(lookup: OntologyLookup, before: LinkPath, defense: Defense): LinkPath {
  const { technique, relation, artifact, attack } = defense
  const node = (record: NamedRecord): PathNode => nodeAt(lookup, record)
  const touched =
    attack === null ? before : before.up(attack.by, node(attack.by)).along(attack.relation, node(attack.artifact))
  return touched.up(artifact, node(artifact)).against(relation, node({ iri: technique, label: technique }))
}

/** A path and the record at its end. */
export type PathEnd = readonly [iri: string, path: LazyPath]

/** Extends the path `before`, which ends at a CCI or control, to the linked techniques. */
export function linkEnds(lookup: OntologyLookup, control: string, before: LinkPath): readonly PathEnd[] {
  const links = lookup.linksOf.get(control) ?? []
  return links.map(({ relation, technique }) => {
    const to = nodeAt(lookup, { iri: technique, label: technique })
    return [technique, () => before.along(relation, to, strengthOf(relation))]
  })
}

export function enablingTechniques(lookup: OntologyLookup, tactic: OntologyDocument): readonly ReachedRecord[] {
  const start = new LinkPath(nodeOf(tactic))
  return lookup.content.documents
    .filter(({ tactics }) => tactics.some(({ iri }) => iri === tactic.iri))
    .map((document) => ({ document, paths: [() => start.against('enables', nodeOf(document))] }))
}

/** A record that is not a document, such as a class without an id, is shown by its label. */
function nodeAt({ byIri }: OntologyLookup, { iri, label }: NamedRecord): PathNode {
  const document = byIri.get(iri)
  return document === undefined ? { name: iri, text: label } : nodeOf(document)
}

/** Groups paths by the record where they end, in the order of the first ones; leaves out records that are not documents. */
export function recordsAtEnds({ byIri }: OntologyLookup, ends: readonly PathEnd[]): readonly ReachedRecord[] {
  const paths = new Map<string, LazyPath[]>()
  for (const [iri, path] of ends) append(paths, iri, path)
  return [...paths].flatMap(([iri, iriPaths]) => {
    const document = byIri.get(iri)
    return document === undefined ? [] : [{ document, paths: iriPaths }]
  })
}
