import type {
  Counter,
  Defense,
  NamedRecord,
  OntologyDocument,
  OntologyRelations,
} from '../contracts/sources.ts'
import { append } from '../platform/append.ts'
import type { OntologyLookup } from './related-subject.ts'
import { placeOf, Walk, type WayPoint } from './related-ways.ts'

/** A walk that is made when it is told: most never are. */
export type LazyWalk = () => Walk

/** What was reached, by all ways to it. */
export interface ReachedRecord {
  readonly document: OntologyDocument
  readonly walks: readonly LazyWalk[]
}

/** `isCut`: there are more. */
export interface ReachedRecords {
  readonly reached: readonly ReachedRecord[]
  readonly isCut: boolean
}

/** Ways through artifacts that are looked at for one answer. */
const MOST_WALKS = 1000

/** What counters lead to, from techniques that were themselves reached. */
export async function findCountered(
  ontology: OntologyRelations,
  lookup: OntologyLookup,
  techniques: readonly ReachedRecord[],
): Promise<ReachedRecords> {
  const walks = new Map(techniques.map(({ document, walks }) => [document.iri, walks[0]]))
  const counters = await ontology.counters([...walks.keys()], MOST_WALKS + 1)
  const ends = counters.slice(0, MOST_WALKS).flatMap((counter): readonly WalkEnd[] => {
    const before = walks.get(counter.technique)
    return before === undefined
      ? []
      : [[counter.other.iri, () => counterWalk(lookup, before(), counter)]]
  })
  return { reached: gather(lookup, ends), isCut: counters.length > MOST_WALKS }
}

function counterWalk(lookup: OntologyLookup, before: Walk, counter: Counter): Walk {
  const place = (one: NamedRecord): WayPoint => placeAt(lookup, one)
  return before
    .up(counter.by, place(counter.by))
    .along(counter.relation, place(counter.artifact))
    .up(counter.otherArtifact, place(counter.otherArtifact))
    .against(counter.otherRelation, place(counter.otherBy))
    .down(counter.otherBy, place(counter.other))
}

/** The techniques that lead to what some starting points touch or are. */
export async function findDefenders(
  ontology: OntologyRelations,
  lookup: OntologyLookup,
  starts: readonly ReachedRecord[],
): Promise<ReachedRecords> {
  const walks = new Map(starts.map(({ document, walks }) => [document.iri, walks[0]]))
  const defenses = await ontology.defenses([...walks.keys()], MOST_WALKS + 1)
  const ends = defenses.slice(0, MOST_WALKS).flatMap((defense): readonly WalkEnd[] => {
    const before = walks.get(defense.subject)
    if (speaksForItself(defense, walks)) return []
    return before === undefined
      ? []
      : [[defense.technique, () => defenseWalk(lookup, before(), defense)]]
  })
  return { reached: gather(lookup, ends), isCut: defenses.length > MOST_WALKS }
}

/** Whoever is a starting point as well does not count for one above it. */
function speaksForItself(
  { subject, attack }: Defense,
  starts: ReadonlyMap<string, unknown>,
): boolean {
  return attack !== null && attack.by.iri !== subject && starts.has(attack.by.iri)
}

function defenseWalk(lookup: OntologyLookup, before: Walk, defense: Defense): Walk {
  const { technique, relation, artifact, attack } = defense
  const place = (one: NamedRecord): WayPoint => placeAt(lookup, one)
  const touched =
    attack === null
      ? before
      : before.up(attack.by, place(attack.by)).along(attack.relation, place(attack.artifact))
  return touched
    .up(artifact, place(artifact))
    .against(relation, place({ iri: technique, label: technique }))
}

/** An IRI that a walk led to. */
export type WalkEnd = readonly [iri: string, walk: LazyWalk]

/** From a CCI or a control, where `before` ends, to the techniques that it states something of. */
export function linkEnds(
  lookup: OntologyLookup,
  control: string,
  before: Walk,
): readonly WalkEnd[] {
  const links = lookup.linksOf.get(control) ?? []
  return links.map(({ relation, technique }) => {
    const to = placeAt(lookup, { iri: technique, label: technique })
    return [technique, () => before.along(relation, to)]
  })
}

/** What enables a tactic. */
export function enablingTechniques(
  lookup: OntologyLookup,
  tactic: OntologyDocument,
): readonly ReachedRecord[] {
  const start = new Walk(placeOf(tactic))
  return lookup.content.documents
    .filter(({ tactics }) => tactics.some(({ iri }) => iri === tactic.iri))
    .map((document) => ({ document, walks: [() => start.against('enables', placeOf(document))] }))
}

/** A record that is no document, such as a class without an id, is known by its label. */
function placeAt({ byIri }: OntologyLookup, { iri, label }: NamedRecord): WayPoint {
  const document = byIri.get(iri)
  return document === undefined ? { name: iri, text: label } : placeOf(document)
}

/** By what is reached, in the order in which it is first reached; what is no document is left out. */
export function gather(
  { byIri }: OntologyLookup,
  ends: readonly WalkEnd[],
): readonly ReachedRecord[] {
  const walks = new Map<string, LazyWalk[]>()
  for (const [iri, walk] of ends) append(walks, iri, walk)
  return [...walks].flatMap(([iri, found]) => {
    const document = byIri.get(iri)
    return document === undefined ? [] : [{ document, walks: found }]
  })
}
