import type { ListCoverage } from '../../contracts/list-coverage.ts'
import type { OntologyDocument } from '../../contracts/sources.ts'
import type { OntologyPaths } from '../ontology-paths.ts'
import type { ResolvedList } from './resolve.ts'

type Comparison = NonNullable<ListCoverage['comparison']>

/** Lists what only one of two lists names, and the attacks that only the techniques of one counter. */
export function compareLists(paths: OntologyPaths, list: ResolvedList, against: ResolvedList): Comparison {
  const { attacks, techniques } = paths
  return {
    against: against.head,
    attacks: differenceOf(attacks, list.attacks, against.attacks),
    techniques: differenceOf(techniques, list.techniques, against.techniques),
    countered: differenceOf(attacks, counteredBy(paths, list), counteredBy(paths, against)),
  }
}

function counteredBy({ counterPaths }: OntologyPaths, { techniques }: ResolvedList): ReadonlySet<string> {
  return new Set([...techniques.keys()].flatMap((iri) => (counterPaths.get(iri) ?? []).map(({ other }) => other.iri)))
}

interface IriSet {
  has(iri: string): boolean
}

function differenceOf(
  documents: ReadonlyMap<string, OntologyDocument>,
  own: IriSet,
  other: IriSet,
): Comparison['attacks'] {
  const all = [...documents.values()]
  const only = (one: IriSet, without: IriSet) =>
    all.filter(({ iri }) => one.has(iri) && !without.has(iri)).map(({ name, label }) => ({ id: name, label }))
  return {
    both: all.filter(({ iri }) => own.has(iri) && other.has(iri)).length,
    added: only(own, other),
    lost: only(other, own),
  }
}
