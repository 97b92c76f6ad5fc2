import type {
  Counter,
  Defense,
  NamedRecord,
  OntologyDocument,
  OntologyRelations,
} from '../contracts/sources.ts'
import { append } from '../platform/append.ts'
import type { Lookup } from './related-subject.ts'
import { placeOf, Walk, type Place } from './related-ways.ts'

/** A walk that is made when it is told: most never are. */
export type Later = () => Walk

/** What was reached, by all ways to it. */
export interface Reached {
  readonly document: OntologyDocument
  readonly walks: readonly Later[]
}

/** `isCut`: there are more. */
export interface Findings {
  readonly reached: readonly Reached[]
  readonly isCut: boolean
}

/** Ways through artifacts that are looked at for one answer. */
const MOST_WALKS = 1000

/** What counters lead to, from techniques that were themselves reached. */
export async function findCountered(
  ontology: OntologyRelations,
  lookup: Lookup,
  techniques: readonly Reached[],
): Promise<Findings> {
  const walks = new Map(techniques.map(({ document, walks }) => [document.iri, walks[0]]))
  const counters = await ontology.counters([...walks.keys()], MOST_WALKS + 1)
  const ends = counters.slice(0, MOST_WALKS).flatMap((counter): readonly End[] => {
    const before = walks.get(counter.technique)
    return before === undefined
      ? []
      : [[counter.other.iri, () => counterWalk(lookup, before(), counter)]]
  })
  return { reached: gather(lookup, ends), isCut: counters.length > MOST_WALKS }
}

function counterWalk(lookup: Lookup, before: Walk, counter: Counter): Walk {
  const place = (one: NamedRecord): Place => placeAt(lookup, one)
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
  lookup: Lookup,
  starts: readonly Reached[],
): Promise<Findings> {
  const walks = new Map(starts.map(({ document, walks }) => [document.iri, walks[0]]))
  const defenses = await ontology.defenses([...walks.keys()], MOST_WALKS + 1)
  const ends = defenses.slice(0, MOST_WALKS).flatMap((defense): readonly End[] => {
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

function defenseWalk(lookup: Lookup, before: Walk, defense: Defense): Walk {
  const { technique, relation, artifact, attack } = defense
  const place = (one: NamedRecord): Place => placeAt(lookup, one)
  const touched =
    attack === null
      ? before
      : before.up(attack.by, place(attack.by)).along(attack.relation, place(attack.artifact))
  return touched
    .up(artifact, place(artifact))
    .against(relation, place({ iri: technique, label: technique }))
}

/** An IRI that a walk led to. */
export type End = readonly [iri: string, walk: Later]

/** From a CCI or a control, where `before` ends, to the techniques that it states something of. */
export function linkEnds(lookup: Lookup, control: string, before: Walk): readonly End[] {
  const links = lookup.linksOf.get(control) ?? []
  return links.map(({ relation, technique }) => {
    const to = placeAt(lookup, { iri: technique, label: technique })
    return [technique, () => before.along(relation, to)]
  })
}

/** What enables a tactic. */
export function enablingTechniques(lookup: Lookup, tactic: OntologyDocument): readonly Reached[] {
  const start = new Walk(placeOf(tactic))
  return lookup.content.documents
    .filter(({ tactics }) => tactics.some(({ iri }) => iri === tactic.iri))
    .map((document) => ({ document, walks: [() => start.against('enables', placeOf(document))] }))
}

/** A record that is no document, such as a class without an id, is known by its label. */
function placeAt({ byIri }: Lookup, { iri, label }: NamedRecord): Place {
  const document = byIri.get(iri)
  return document === undefined ? { name: iri, text: label } : placeOf(document)
}

/** By what is reached, in the order in which it is first reached; what is no document is left out. */
export function gather({ byIri }: Lookup, ends: readonly End[]): readonly Reached[] {
  const walks = new Map<string, Later[]>()
  for (const [iri, walk] of ends) append(walks, iri, walk)
  return [...walks].flatMap(([iri, found]) => {
    const document = byIri.get(iri)
    return document === undefined ? [] : [{ document, walks: found }]
  })
}
