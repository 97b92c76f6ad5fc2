import { ONTOLOGY_IRI } from '../../../../graph/vocabulary.ts'
import type { ControlLinks } from '../../linked-data/countermeasures/control-links.ts'
import { DISA_NAMESPACE, nistCatalogue } from '../controls/oscal-names.ts'
import type { ReferenceSource } from '../reader.ts'
import type { MappedResource } from './schema.ts'

/** Names the list by the address at which DISA publishes it, because it has no catalogue in OSCAL. */
export function cciListResource({ title, version }: ReferenceSource): MappedResource {
  return { ns: DISA_NAMESPACE, type: 'cci-list', href: `${DISA_NAMESPACE}/cci/`, remarks: `${title} ${version}` }
}

export function nistResource(revision: 4 | 5): MappedResource {
  return { type: 'catalog', href: nistCatalogue(revision), remarks: `NIST SP 800-53 Revision ${revision}` }
}

export function ontologyResource({ version }: ControlLinks): MappedResource {
  return { ns: ONTOLOGY_IRI, type: 'ontology', href: ONTOLOGY_IRI, remarks: `Defensive techniques, release ${version}` }
}
