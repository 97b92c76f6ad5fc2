import type { Names } from '../../graph/names.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { d3f, owl, rdf, rdfs } from '../../graph/vocabulary.ts'
import { domainsIn } from '../release/domains.ts'
import { Hierarchy } from '../release/hierarchy.ts'
import { textsOf, valuesOf, type Facts } from './facts.ts'

/** Kinds of records that a comparison lists. A record of several kinds counts as the first. */
export const KINDS = ['tactic', 'technique', 'offensive-technique', 'artifact', 'weakness', 'relation'] as const

export type Kind = (typeof KINDS)[number]

/** The properties for the identifier of a record; the first one with a value counts. */
export const IDENTIFIERS: readonly string[] = [d3f.d3fendId, d3f.attackId, d3f.cweId]

export interface OntologyRecord {
  readonly kind: Kind
  readonly iri: string
  /** `d3f:FileAnalysis` */
  readonly name: string
  readonly id: string | null
  readonly labels: readonly string[]
  readonly deprecated: boolean
}

/** One side of a comparison. */
export interface ComparedRelease {
  readonly facts: Facts
  /** By IRI, in the order of IRIs. */
  readonly records: ReadonlyMap<string, OntologyRecord>
}

export function readRecords(facts: Facts, names: Names): ReadonlyMap<string, OntologyRecord> {
  const kinds = new Map<string, Kind>()
  const members = membersOf(facts)
  for (const kind of KINDS) for (const iri of members[kind]()) if (!kinds.has(iri)) kinds.set(iri, kind)
  const sorted = [...kinds].sort(([a], [b]) => compareCodeUnits(a, b))
  return new Map(sorted.map(([iri, kind]) => [iri, describeRecord(facts, names, { iri, kind })]))
}

function describeRecord(
  facts: Facts,
  names: Names,
  { iri, kind }: Pick<OntologyRecord, 'iri' | 'kind'>,
): OntologyRecord {
  const ids = IDENTIFIERS.flatMap((property) => textsOf(facts, iri, property))
  return {
    kind,
    iri,
    name: names.compact(iri),
    id: ids[0] ?? null,
    labels: textsOf(facts, iri, rdfs.label),
    deprecated: textsOf(facts, iri, owl.deprecated).includes('true'),
  }
}

function membersOf(facts: Facts): Readonly<Record<Kind, () => Iterable<string>>> {
  const hierarchy = new Hierarchy(subclasses(facts))
  const below = (root: string) => (): Iterable<string> => hierarchy.below(root)
  const having = (property: string, value?: string) => (): Iterable<string> =>
    [...facts.keys()].filter((iri) => {
      const values = [...valuesOf(facts, iri, property).values()]
      return value === undefined ? values.length > 0 : values.some((candidate) => candidate.iri === value)
    })
  return {
    tactic: below(d3f.DefensiveTactic),
    technique: below(d3f.DefensiveTechnique),
    'offensive-technique': () => domainsIn(hierarchy).techniques,
    artifact: below(d3f.DigitalArtifact),
    weakness: having(d3f.cweId),
    relation: having(rdf.type, owl.ObjectProperty),
  }
}

function* subclasses(facts: Facts): Generator<readonly [string, string], void> {
  for (const [iri, properties] of facts)
    for (const { iri: parent } of properties.get(rdfs.subClassOf)?.values() ?? [])
      if (parent !== null) yield [iri, parent]
}
