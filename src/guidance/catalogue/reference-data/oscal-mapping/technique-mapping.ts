import type { NamedTechnique } from '../../../../contracts/sources.ts'
import type { ControlLinks } from '../../linked-data/countermeasures/control-links.ts'
import { relationName, shortName } from '../../linked-data/countermeasures/names.ts'
import { controlNamed } from '../controls/control-names.ts'
import { oscalIdOf } from '../controls/oscal-names.ts'
import { gapOf, mappingUuid, shapeEntry, type Pair } from './entries.ts'
import { nistResource, ontologyResource } from './resources.ts'
import type { MappedResource, Mapping } from './schema.ts'

/** The OSCAL relationships for the relations of D3FEND (`x broader y`: x is more general than y). */
const RELATIONSHIPS: ReadonlyMap<string, Pair['relationship']> = new Map([
  ['exactly', 'equivalent-to'],
  ['broader', 'superset-of'],
  ['narrower', 'subset-of'],
  ['related', 'intersects-with'],
])

/** A statement of the ontology about a technique. */
interface Statement {
  /** The id of the source in OSCAL; null if it has none. */
  readonly source: string | null
  readonly relation: string
}

/** Maps controls of NIST SP 800-53 to the techniques that the ontology relates to them. The ontology has revision 5. */
export function mapControls(links: ControlLinks): Mapping | null {
  return mapTechniques(links, {
    name: 'sp800-53-rev5 d3fend',
    from: nistResource(5),
    statementsOf: ({ iri }) =>
      links.nist(iri).map(({ label, relation }) => ({ source: oscalIdOf(controlNamed(label) ?? ''), relation })),
  })
}

/** Maps CCIs to the techniques that the ontology relates to them. */
export function mapCcisToTechniques(links: ControlLinks, list: MappedResource): Mapping | null {
  return mapTechniques(links, {
    name: 'cci d3fend',
    from: list,
    statementsOf: ({ iri }) => links.to(iri).map(({ cci, relation }) => ({ source: cci, relation })),
  })
}

interface TechniqueMapping {
  readonly name: string
  readonly from: MappedResource
  readonly statementsOf: (technique: NamedTechnique) => readonly Statement[]
}

/** Null if the release relates no technique to the source. */
function mapTechniques(links: ControlLinks, { name, from, statementsOf }: TechniqueMapping): Mapping | null {
  const pairs = new Map<string, Pair>()
  const unmapped: string[] = []
  let otherCount = 0
  for (const technique of links.techniques) {
    const statements = statementsOf(technique)
    for (const statement of statements) {
      const pair = pairOf(statement, technique)
      if (pair === null) otherCount += 1
      else pairs.set(`${pair.source.id} ${pair.relationship} ${pair.target.id}`, pair)
    }
    if (statements.length === 0 && technique.d3fendId !== null) unmapped.push(technique.d3fendId)
  }
  if (pairs.size === 0) return null
  const gap = gapOf(name, unmapped)
  return {
    uuid: mappingUuid(name),
    'source-resource': from,
    'target-resource': ontologyResource(links),
    maps: [...pairs.values()].map((pair) => shapeEntry(name, pair)),
    ...(otherCount > 0 && { remarks: remarksOf(otherCount) }),
    ...(gap && { 'target-gap-summary': gap }),
  }
}

/** Null for a statement whose relation or control does not exist in OSCAL. */
function pairOf({ source, relation }: Statement, { iri, label, d3fendId }: NamedTechnique): Pair | null {
  const relationship = RELATIONSHIPS.get(relationName(relation))
  if (source === null || relationship === undefined) return null
  return { source: { id: source, label: null }, relationship, target: { id: d3fendId ?? shortName(iri), label } }
}

function remarksOf(count: number): string {
  const statements = count === 1 ? '1 statement' : `${count} statements`
  return `Without ${statements} of the ontology that OSCAL has no relationship or control for.`
}
