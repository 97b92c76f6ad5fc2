import type { SearchResult } from '../../contracts/search-answer.ts'
import type { ControlLink, Defense } from '../../contracts/sources.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import type { OntologyIndex } from './ontology-index.ts'
import type { OntologyRecord } from './ontology-records.ts'

export type TacticHead = SearchResult['tactics'][number]

/** A link to a technique, and the CCI and control through which it leads there. */
export interface LinkStep {
  readonly link: ControlLink
  readonly through: readonly string[]
}

const STRENGTH: Readonly<Record<string, number>> = { exactly: 1, narrower: 0.9, broader: 0.75 }
const WEAKEST = 0.6

/** Strength of a link from a control to a technique, by its relation: 0.6 to 1. */
export function strengthOf(relation: string): number {
  return STRENGTH[relation] ?? WEAKEST
}

/** Weight of a relation that is inherited along the class hierarchy. */
export const INHERITED = 0.7

/** Weight of a relation such as `may-create`. */
const POSSIBLE = 0.7

/** Strength of one path from a technique to the attack or weakness that it defends against; 0 to 1. */
export function strengthOfDefense({ artifact, attack }: Pick<Defense, 'artifact' | 'attack'>): number {
  const inherited = [artifact.is, attack?.by.is ?? 'itself'].filter((inheritance) => inheritance !== 'itself')
  const isPossible = attack?.relation.startsWith('may-') === true
  return INHERITED ** inherited.length * (isPossible ? POSSIBLE : 1)
}

/** Links from a CCI or control to techniques, directly or through the controls that it belongs to. */
export function stepsOf(id: string, { links, controls }: OntologyIndex): readonly LinkStep[] {
  const ownLinks = (links.get(id) ?? []).map((link) => ({ link, through: [id] }))
  const above = (controls.get(id) ?? []).flatMap((control) =>
    (links.get(control) ?? []).map((link) => ({ link, through: [id, control] })),
  )
  return [...ownLinks, ...above]
}

const remembered = new WeakMap<OntologyIndex, Map<string, readonly TacticHead[]>>()

/** The tactics of the techniques that CCIs and controls are linked to; by their names as `nameOf` writes them. */
export function tacticsOfControls(names: readonly string[], knowledge: OntologyIndex): readonly TacticHead[] {
  const [only = '', ...others] = names
  if (others.length === 0) return tacticsOfControl(only, knowledge)
  const tactics = new Map<string, TacticHead>()
  for (const name of names) for (const tactic of tacticsOfControl(name, knowledge)) tactics.set(tactic.id, tactic)
  return [...tactics.values()]
}

/** Cached, because thousands of rules cite the same few hundred CCIs. */
function tacticsOfControl(name: string, knowledge: OntologyIndex): readonly TacticHead[] {
  const tacticsByControl = getOrMake(remembered, knowledge, () => new Map())
  return getOrMake(tacticsByControl, name, () => {
    const ids = (knowledge.names.get(name) ?? []).map((index) => knowledge.records[index]?.id ?? '')
    const steps = ids.flatMap((id) => stepsOf(id, knowledge))
    const records = steps.flatMap(({ link }) => recordOf(link.technique, knowledge) ?? [])
    const heads = new Map(records.flatMap(({ tactics }) => tactics.map((tactic) => [tactic.iri, tacticHead(tactic)])))
    return [...heads.values()]
  })
}

/** By its IRI. */
export function recordOf(iri: string, { byIri, records }: OntologyIndex): OntologyRecord | undefined {
  return records[byIri.get(iri) ?? -1]
}

export function tacticHead({ iri, label }: { readonly iri: string; readonly label: string }): TacticHead {
  return { id: `d3f:${iri.replace(/^.*[#/]/, '')}`, label }
}
