import { utcTime } from '../../../../graph/utc-time.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { nameBasedUuid } from '../../../../platform/stable-uuid.ts'
import type { ControlLinks } from '../../linked-data/countermeasures/control-links.ts'
import type { ItemSources } from '../ccis/documents.ts'
import { OSCAL_VERSION } from '../controls/oscal-names.ts'
import { nameOf } from '../items.ts'
import { listCcis, type ReferenceSource } from '../reader.ts'
import { mapCcis } from './cci-mapping.ts'
import { cciListResource } from './resources.ts'
import type { MappingCollection } from './schema.ts'
import { mapCcisToTechniques, mapControls } from './technique-mapping.ts'

const DESCRIPTION =
  'CCIs with the controls of NIST SP 800-53 that they belong to, as the CCI list of DISA states them; and controls and ' +
  'CCIs with the defensive techniques that the ontology relates to them.'

/**
 * A CCI list and a release of the ontology as an OSCAL mapping collection. Refuses (`not_found`) if neither of them maps
 * anything.
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

/** The date of the list or of the release, whichever is later: the same on every instance. */
function lastModified({ published }: ReferenceSource, links: ControlLinks | null): string {
  const times = [published, links?.releaseDate].map((date) => utcTime(date ?? '')).filter(Number.isFinite)
  return new Date(Math.max(0, ...times)).toISOString()
}
