import { utcTime } from '../../../../graph/utc-time.ts'
import { Pauses } from '../../../../platform/concurrency/turns.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { nameBasedUuid } from '../../../../platform/stable-uuid.ts'
import type { ControlLinks } from '../../linked-data/countermeasures/control-links.ts'
import type { ItemSources } from '../ccis/documents.ts'
import { type ControlReference, controlsOf } from '../controls/control-names.ts'
import { DISA_NAMESPACE, OSCAL_VERSION, oscalIdOf } from '../controls/oscal-names.ts'
import { type Cci, nameOf } from '../items.ts'
import { listCcis, type ReferenceSource } from '../reader.ts'
import { gapOf, mappingUuid, type Pair, shapeEntry } from './entries.ts'
import { cciListResource, nistResource } from './resources.ts'
import type { MapEntry, MappedResource, Mapping, MappingCollection } from './schema.ts'
import { mapCcisToTechniques, mapControls } from './technique-mapping.ts'

const DESCRIPTION =
  'CCIs with the controls of NIST SP 800-53 that they belong to, as the CCI list of DISA states them; and controls and ' +
  'CCIs with the defensive techniques that the ontology relates to them.'

/**
 * Reads a CCI list and a release of the ontology as an OSCAL mapping collection. Refuses (`not_found`) if neither has
 * mappings.
 */
export async function readMappingCollection(
  { reader, links }: ItemSources,
  source: ReferenceSource,
): Promise<MappingCollection> {
  const ccis = await listCcis(reader, source)
  const list = cciListResource(source)
  const mappings = [
    await mapCcis(ccis, list, 4),
    await mapCcis(ccis, list, 5),
    links === null ? null : mapControls(links),
    links === null ? null : mapCcisToTechniques(links, list),
  ].filter((mapping) => mapping !== null)
  if (mappings.length === 0)
    throw new Refusal('not_found', `The ${nameOf(source)} refers to no control of NIST SP 800-53 Revision 4 or 5.`)
  return {
    'mapping-collection': {
      uuid: nameBasedUuid(JSON.stringify(['mapping-collection', source.digest, links?.digest ?? null])),
      metadata: {
        title: 'CCIs, controls of NIST SP 800-53 and defensive techniques',
        'last-modified': lastModified(source, links),
        version: [nameOf(source), ...(links === null ? [] : [`ontology ${links.version}`])].join(', '),
        'oscal-version': OSCAL_VERSION,
      },
      provenance: {
        method: 'human',
        'matching-rationale': 'semantic',
        status: 'complete',
        'mapping-description': DESCRIPTION,
      },
      mappings,
    },
  }
}

/** Returns the later date of the list and the release, which is the same on every instance. */
function lastModified({ published }: ReferenceSource, links: ControlLinks | null): string {
  const times = [published, links?.releaseDate].map((date) => utcTime(date ?? '')).filter(Number.isFinite)
  return new Date(Math.max(0, ...times)).toISOString()
}

/**
 * Maps the CCIs of a list to the controls of a revision of NIST SP 800-53. A CCI states a part of a control. Null if no
 * CCI refers to the revision.
 */
async function mapCcis(ccis: readonly Cci[], list: MappedResource, revision: 4 | 5): Promise<Mapping | null> {
  const name = `cci sp800-53-rev${revision}`
  const maps: MapEntry[] = []
  const unmapped: string[] = []
  const pauses = new Pauses()
  for (const cci of ccis) {
    const references = controlsOf(cci.references).filter((reference) => reference.revision === revision)
    const entries = shapeEntries(name, cci, references)
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

/** Makes one entry for each control, with the parts that the CCI refers to. */
function shapeEntries(mapping: string, { id }: Cci, references: readonly ControlReference[]): readonly MapEntry[] {
  return [...new Set(references.map(({ control }) => control))].flatMap((control) => {
    const target = oscalIdOf(control)
    if (target === null) return []
    const indexes = references.filter((reference) => reference.control === control).map(({ index }) => index)
    const pair: Pair = {
      source: { id, label: null },
      relationship: 'subset-of',
      target: { id: target, label: null },
    }
    const props = [...new Set(indexes)].map((value) => ({ name: 'place', ns: DISA_NAMESPACE, value }))
    return [{ ...shapeEntry(mapping, pair), props }]
  })
}
