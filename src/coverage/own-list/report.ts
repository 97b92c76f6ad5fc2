import type { ListCoverage } from '../../contracts/list-coverage.ts'
import type { OntologyDocument } from '../../contracts/sources.ts'
import type { OntologyPaths } from '../ontology-paths.ts'
import { defensesOf, noteOn, shapeAttack, shapeTechnique } from '../report.ts'
import type { LinkedSource } from './guidance.ts'
import type { ListedRecord, ResolvedList } from './resolve.ts'

type Comparison = NonNullable<ListCoverage['comparison']>

interface IriSet {
  has(iri: string): boolean
}

/** Limit of the documents in an answer. */
const MAX_SOURCES = 100

const MEANING =
  'Which attacks of the list the techniques of the list counter, and which rules of the guidance are linked to them ' +
  'by a CCI, a technique and an artifact that the data state. It does not tell that an attack is prevented.'

interface ListReportContext {
  readonly paths: OntologyPaths
  readonly list: ResolvedList
  readonly against: ResolvedList | null
  /** Named documents, and the newest releases of all benchmarks. */
  readonly named: readonly LinkedSource[] | null
  readonly newest: readonly LinkedSource[]
  /** Other releases that link CCIs; empty if this release does. */
  readonly others: readonly string[]
}

interface CoverageContext {
  readonly paths: OntologyPaths
  readonly list: ResolvedList
  /** Guidance that counts. */
  readonly counted: readonly LinkedSource[]
}

/** The whole answer about a list: what covers it, what does not, and what each document would add. */
export function shapeListReport(context: ListReportContext): ListCoverage {
  const { paths, list, against, named: namedSources, newest, others } = context
  const cover = { paths, list, counted: namedSources ?? newest }
  const attacks = shapeAttacks(cover)
  const techniques = shapeTechniques(cover)
  const documents = shapeDocuments(context)
  const idsOf = (items: readonly { readonly id: string; readonly status: string }[], status: string): string[] =>
    items.filter((item) => item.status === status).map(({ id }) => id)
  return {
    ontology: { ...paths.release, cci_count: paths.links.size, domains: [...paths.domains] },
    note: noteOn(paths, others),
    meaning: MEANING,
    list: list.head,
    summary: { attacks: sumAttacks(attacks), techniques: sumTechniques(techniques) },
    attacks,
    techniques,
    guidance_scope: namedSources === null ? 'newest' : 'named',
    guidance: documents.slice(0, MAX_SOURCES),
    guidance_count: documents.length,
    gaps: {
      not_covered: idsOf(attacks, 'not_covered'),
      not_mapped: idsOf(attacks, 'not_mapped'),
      techniques_not_linked: idsOf(techniques, 'not_linked'),
      techniques_not_mapped: idsOf(techniques, 'not_mapped'),
    },
    comparison: against && compareLists(paths, list, against),
  }
}

function shapeAttacks({ paths, list, counted }: CoverageContext): ListCoverage['attacks'] {
  const nameOf = namesIn(paths)
  return Array.from(list.attacks, ([iri, record]) => {
    const defenders = paths.defenders.get(iri) ?? []
    const defenses = defensesOf({ paths, techniques: list.techniques }, iri)
    const guidanceCount = counted.filter(({ attacks }) => attacks.has(iri)).length
    const isCovered = defenses.length + guidanceCount > 0
    return {
      ...shapeAttack(record.document),
      ...shapeListed(record),
      status: defenders.length === 0 ? 'not_mapped' : isCovered ? 'covered' : 'not_covered',
      countered_by: defenders.map(nameOf),
      defenses,
      guidance_count: guidanceCount,
    }
  })
}

function shapeTechniques({ paths, list, counted }: CoverageContext): ListCoverage['techniques'] {
  const mapped = new Set([...paths.links.values()].flat().map(({ technique }) => technique))
  return Array.from(list.techniques, ([iri, record]) => {
    const countered = new Set((paths.counterPaths.get(iri) ?? []).map(({ other }) => other.iri))
    const guidanceCount = counted.filter(({ techniques }) => techniques.has(iri)).length
    return {
      ...shapeTechnique(record.document),
      ...shapeListed(record),
      status: mapped.has(iri) ? (guidanceCount > 0 ? 'linked' : 'not_linked') : 'not_mapped',
      counters: countered.size,
      counters_listed: namesOfListed(list.attacks, countered),
      guidance_count: guidanceCount,
    }
  })
}

function shapeListed({ document, places }: ListedRecord) {
  const { deprecated, successors } = document
  return { places: [...places], deprecated, successors: successors.map(({ name }) => name) }
}

function namesIn({ techniques }: OntologyPaths): (iri: string) => string {
  return (iri) => techniques.get(iri)?.name ?? iri
}

function namesOfListed(listed: ResolvedList['attacks'], iris: ReadonlySet<string>): string[] {
  return [...listed].flatMap(([iri, { document }]) => (iris.has(iri) ? [document.name] : []))
}

function sumAttacks(attacks: ListCoverage['attacks']): ListCoverage['summary']['attacks'] {
  const count = (matches: (attack: ListCoverage['attacks'][number]) => boolean): number =>
    attacks.filter(matches).length
  return {
    listed: attacks.length,
    covered: count(({ status }) => status === 'covered'),
    covered_by_techniques: count(({ defenses }) => defenses.length > 0),
    covered_by_guidance: count(({ guidance_count }) => guidance_count > 0),
    not_covered: count(({ status }) => status === 'not_covered'),
    not_mapped: count(({ status }) => status === 'not_mapped'),
  }
}

function sumTechniques(techniques: ListCoverage['techniques']): ListCoverage['summary']['techniques'] {
  const count = (state: string): number => techniques.filter(({ status }) => status === state).length
  return {
    listed: techniques.length,
    linked: count('linked'),
    not_linked: count('not_linked'),
    not_mapped: count('not_mapped'),
  }
}

/** Named documents and the newest benchmarks, sorted by what they would add. Named documents add nothing. */
function shapeDocuments({ paths, list, named, newest }: ListReportContext): ListCoverage['guidance'] {
  const namedSources = named ?? []
  const keyOf = ({ source: { kind, id } }: LinkedSource): string => `${kind} ${id}`
  const namedKeys = new Set(namedSources.map(keyOf))
  const otherSources = newest.filter((source) => !namedKeys.has(keyOf(source)))
  const byList = [...list.techniques.keys()]
    .flatMap((iri) => paths.counterPaths.get(iri) ?? [])
    .map(({ other }) => other.iri)
  const covered = {
    attacks: new Set([...byList, ...namedSources.flatMap(({ attacks }) => [...attacks])]),
    techniques: new Set(namedSources.flatMap(({ techniques }) => [...techniques])),
  }
  const shapeDocument = (source: LinkedSource, counted: boolean): ListCoverage['guidance'][number] => {
    const missing = (iris: ReadonlySet<string>, known: ReadonlySet<string>) =>
      new Set([...iris].filter((iri) => !known.has(iri)))
    return {
      ...shapeSource(paths, source),
      counted,
      attacks: namesOfListed(list.attacks, source.attacks),
      techniques: namesOfListed(list.techniques, source.techniques),
      adds: {
        attacks: namesOfListed(list.attacks, missing(source.attacks, covered.attacks)),
        techniques: namesOfListed(list.techniques, missing(source.techniques, covered.techniques)),
      },
    }
  }
  return [
    ...namedSources.map((source) => shapeDocument(source, true)),
    ...otherSources.map((source) => shapeDocument(source, named === null)),
  ].toSorted(
    (a, b) =>
      b.adds.attacks.length + b.adds.techniques.length - a.adds.attacks.length - a.adds.techniques.length ||
      b.attacks.length + b.techniques.length - a.attacks.length - a.techniques.length ||
      b.rule_count - a.rule_count ||
      a.name.localeCompare(b.name, 'en'),
  )
}

function shapeSource(paths: OntologyPaths, { source, ruleCount, links }: LinkedSource) {
  const { kind, id, name, title, version, path } = source
  const nameOf = namesIn(paths)
  return {
    kind,
    id,
    name,
    title,
    version,
    path,
    rule_count: ruleCount,
    links: links
      .map(({ link: { technique, control, relation }, rules }) => {
        return { technique: nameOf(technique), cci: control, relation, rules }
      })
      .toSorted((a, b) => a.technique.localeCompare(b.technique, 'en') || a.cci.localeCompare(b.cci, 'en')),
  }
}

/** Lists what only one of two lists names, and the attacks that only the techniques of one counter. */
function compareLists(paths: OntologyPaths, list: ResolvedList, against: ResolvedList): Comparison {
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

function differenceOf(
  documents: ReadonlyMap<string, OntologyDocument>,
  ownIris: IriSet,
  other: IriSet,
): Comparison['attacks'] {
  const allDocuments = [...documents.values()]
  const onlyIn = (inIris: IriSet, notInIris: IriSet) =>
    allDocuments
      .filter(({ iri }) => inIris.has(iri) && !notInIris.has(iri))
      .map(({ name, label }) => ({ id: name, label }))
  return {
    both: allDocuments.filter(({ iri }) => ownIris.has(iri) && other.has(iri)).length,
    added: onlyIn(ownIris, other),
    lost: onlyIn(other, ownIris),
  }
}
