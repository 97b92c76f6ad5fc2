import type { CounterPath, Defense, NamedRecord, OntologyDocument, OntologyRelations } from '../../contracts/sources.ts'
import { append } from '../../platform/append.ts'
import { strengthOf } from '../knowledge/links.ts'
import type { OntologyLookup } from './subject.ts'
import { placeOf, Walk, type WayPoint } from './ways.ts'

/** A walk that is made only when it is shown: most never are. */
export type LazyWalk = () => Walk

/** A record that was reached, with all walks to it. */
export interface ReachedRecord {
  readonly document: OntologyDocument
  readonly walks: readonly LazyWalk[]
}

/** `isCut`: there are more. */
export interface ReachedRecords {
  readonly reached: readonly ReachedRecord[]
  readonly isCut: boolean
}

/** Ways through artifacts that are considered for one answer. */
const MOST_WALKS = 1000

/** The attacks and weaknesses that reached techniques counter. */
export async function findCountered(
  ontology: OntologyRelations,
  lookup: OntologyLookup,
  techniques: readonly ReachedRecord[],
): Promise<ReachedRecords> {
  const walks = new Map(techniques.map(({ document, walks }) => [document.iri, walks[0]]))
  const counters = await ontology.counters([...walks.keys()], MOST_WALKS + 1)
  const ends = counters.slice(0, MOST_WALKS).flatMap((counter): readonly WalkEnd[] => {
    const before = walks.get(counter.technique)
    return before === undefined ? [] : [[counter.other.iri, () => counterWalk(lookup, before(), counter)]]
  })
  return { reached: gather(lookup, ends), isCut: counters.length > MOST_WALKS }
}

function counterWalk(lookup: OntologyLookup, before: Walk, counter: CounterPath): Walk {
  const place = (one: NamedRecord): WayPoint => placeAt(lookup, one)
  return before
    .up(counter.by, place(counter.by))
    .along(counter.relation, place(counter.artifact))
    .up(counter.otherArtifact, place(counter.otherArtifact))
    .against(counter.otherRelation, place(counter.otherBy))
    .down(counter.otherBy, place(counter.other))
}

/** The techniques that defend what starting points touch, or the starting points themselves. */
export async function findDefenders(
  ontology: OntologyRelations,
  lookup: OntologyLookup,
  starts: readonly ReachedRecord[],
): Promise<ReachedRecords> {
  const walks = new Map(starts.map(({ document, walks }) => [document.iri, walks[0]]))
  const defenses = await ontology.defenses([...walks.keys()], MOST_WALKS + 1)
  const ends = defenses.slice(0, MOST_WALKS).flatMap((defense): readonly WalkEnd[] => {
    const before = walks.get(defense.subject)
    if (isStatedOfOtherStart(defense, walks)) return []
    return before === undefined ? [] : [[defense.technique, () => defenseWalk(lookup, before(), defense)]]
  })
  return { reached: gather(lookup, ends), isCut: defenses.length > MOST_WALKS }
}

/** Whether the attack is stated of another starting point, which has this defense itself. */
function isStatedOfOtherStart({ subject, attack }: Defense, starts: ReadonlyMap<string, unknown>): boolean {
  return attack !== null && attack.by.iri !== subject && starts.has(attack.by.iri)
}

function defenseWalk(lookup: OntologyLookup, before: Walk, defense: Defense): Walk {
  const { technique, relation, artifact, attack } = defense
  const place = (one: NamedRecord): WayPoint => placeAt(lookup, one)
  const touched =
    attack === null ? before : before.up(attack.by, place(attack.by)).along(attack.relation, place(attack.artifact))
  return touched.up(artifact, place(artifact)).against(relation, place({ iri: technique, label: technique }))
}

/** The end of a walk. */
export type WalkEnd = readonly [iri: string, walk: LazyWalk]

/** From a CCI or a control, where `before` ends, to the techniques that it is linked to. */
export function linkEnds(lookup: OntologyLookup, control: string, before: Walk): readonly WalkEnd[] {
  const links = lookup.linksOf.get(control) ?? []
  return links.map(({ relation, technique }) => {
    const to = placeAt(lookup, { iri: technique, label: technique })
    return [technique, () => before.along(relation, to, strengthOf(relation))]
  })
}

/** The techniques that enable a tactic. */
export function enablingTechniques(lookup: OntologyLookup, tactic: OntologyDocument): readonly ReachedRecord[] {
  const start = new Walk(placeOf(tactic))
  return lookup.content.documents
    .filter(({ tactics }) => tactics.some(({ iri }) => iri === tactic.iri))
    .map((document) => ({ document, walks: [() => start.against('enables', placeOf(document))] }))
}

/** A record that is no document, such as a class without an id, is shown by its label. */
function placeAt({ byIri }: OntologyLookup, { iri, label }: NamedRecord): WayPoint {
  const document = byIri.get(iri)
  return document === undefined ? { name: iri, text: label } : placeOf(document)
}

/** Groups walks by the record where they end, in the order of the first ones; leaves out what is no document. */
export function gather({ byIri }: OntologyLookup, ends: readonly WalkEnd[]): readonly ReachedRecord[] {
  const walks = new Map<string, LazyWalk[]>()
  for (const [iri, walk] of ends) append(walks, iri, walk)
  return [...walks].flatMap(([iri, found]) => {
    const document = byIri.get(iri)
    return document === undefined ? [] : [{ document, walks: found }]
  })
}
