import { Pauses } from '../../../../platform/concurrency/turns.ts'
import { controlsOf, type ControlReference } from '../controls/control-names.ts'
import { DISA_NAMESPACE, oscalIdOf } from '../controls/oscal-names.ts'
import type { Cci } from '../items.ts'
import { gapOf, mappingUuid, shapeEntry, type Pair } from './entries.ts'
import { nistResource } from './resources.ts'
import type { MapEntry, MappedResource, Mapping } from './schema.ts'

/**
 * The CCIs of a list with the controls that they belong to, in one revision of NIST SP 800-53. A CCI states a part of a
 * control. Null if no CCI refers to the revision.
 */
export async function mapCcis(ccis: readonly Cci[], list: MappedResource, revision: 4 | 5): Promise<Mapping | null> {
  const name = `cci sp800-53-rev${revision}`
  const maps: MapEntry[] = []
  const unmapped: string[] = []
  const pauses = new Pauses()
  for (const cci of ccis) {
    const places = controlsOf(cci.references).filter((place) => place.revision === revision)
    const entries = shapeEntries(name, cci, places)
    maps.push(...entries)
    if (entries.length === 0) unmapped.push(cci.id)
    await pauses.rest()
  }
  if (maps.length === 0) return null
  const gap = gapOf(name, unmapped)
  return {
    uuid: mappingUuid(name),
    'source-resource': list,
    'target-resource': nistResource(revision),
    maps,
    ...(gap && { 'source-gap-summary': gap }),
  }
}

/** One entry for each control, with the places in it that the CCI refers to. */
function shapeEntries(mapping: string, { id }: Cci, places: readonly ControlReference[]): readonly MapEntry[] {
  return [...new Set(places.map(({ control }) => control))].flatMap((control) => {
    const target = oscalIdOf(control)
    if (target === null) return []
    const indexes = places.filter((place) => place.control === control).map(({ index }) => index)
    const pair: Pair = {
      source: { id, label: null },
      relationship: 'subset-of',
      target: { id: target, label: null },
    }
    const props = [...new Set(indexes)].map((value) => ({ name: 'place', ns: DISA_NAMESPACE, value }))
    return [{ ...shapeEntry(mapping, pair), props }]
  })
}
