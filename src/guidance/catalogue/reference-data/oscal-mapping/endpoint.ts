import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { MAPPING_ADDRESS } from '../../open/addresses.ts'
import { COMMON_PARTS } from '../../open/input.ts'
import { requireSource } from '../reader.ts'
import type { ReferenceParts } from '../reference-parts.ts'
import { listQuery } from '../schemas.ts'
import { readMappingCollection } from './mapping-collection.ts'
import { mappingCollection } from './schema.ts'

export function mappingEndpoint({ database: { read }, links }: ReferenceParts): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: MAPPING_ADDRESS,
    operation: 'getMappingCollection',
    summary: 'CCIs, controls of NIST SP 800-53 and defensive techniques, as a mapping collection of OSCAL 1.2',
    input: z.object({ query: listQuery }),
    answer: mappingCollection,
    refusals: ['reference_data_absent', 'not_found'],
    handle: async ({ input }) => {
      const source = await requireSource(read, 'cci_list', input.query.version)
      return readMappingCollection({ reader: read, links: await links.current() }, source)
    },
  })
}
