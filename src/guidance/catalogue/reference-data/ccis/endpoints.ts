import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { isStorable, NO_INPUT, searchText } from '../../../../http/input.ts'
import type { Reader } from '../../../database/transaction.ts'
import { COMMON_PARTS } from '../../open/input.ts'
import { listSources, requireSource } from '../reader.ts'
import type { ReferenceParts } from '../reference-parts.ts'
import { cciAnswer, ccisAnswer, foundCcis, listQuery, shapeRow, shapeSource, sourcesAnswer } from '../schemas.ts'
import { readAllCcis, readCci } from './documents.ts'
import { searchCcis } from './search.ts'

/** The loaded lists, and the CCIs of DISA's list. */
export function cciEndpoints({ database, links }: ReferenceParts): readonly Endpoint[] {
  const reader = database.read
  return [listReferenceData(reader), listAllCcis(reader), findCcisByWords(reader), getCci(reader, links)]
}

function listReferenceData(reader: Reader): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/reference-data.json',
    operation: 'listReferenceData',
    summary:
      'The versions of the CCI list, of NIST SP 800-53, of ATT&CK and of CWE that are loaded, the newest of each first',
    input: NO_INPUT,
    answer: sourcesAnswer,
    refusals: [],
    handle: async () => ({ sources: (await listSources(reader)).map(shapeSource) }),
  })
}

function listAllCcis(reader: Reader): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/ccis/all.json',
    operation: 'listCcis',
    summary: 'All CCIs of the list, with the controls of NIST SP 800-53 that they refer to',
    input: z.object({ query: listQuery }),
    answer: ccisAnswer,
    refusals: ['reference_data_absent', 'not_found'],
    handle: async ({ input }) => {
      return readAllCcis(reader, await requireSource(reader, 'cci_list', input.query.version))
    },
  })
}

function findCcisByWords(reader: Reader): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/ccis/search.json',
    operation: 'searchCcis',
    summary: 'CCIs of the newest list whose id, definition or controls have all words; the first 50',
    input: z.object({ query: z.object({ q: searchText.meta({ example: 'account locked' }) }) }),
    answer: foundCcis,
    refusals: ['reference_data_absent'],
    handle: async ({ input }) => {
      const source = await requireSource(reader, 'cci_list', undefined)
      const { total, ccis } = await searchCcis(reader, source, input.query.q)
      return { source: shapeSource(source), total, ccis: ccis.map(shapeRow) }
    },
  })
}

function getCci(reader: Reader, links: ReferenceParts['links']): Endpoint {
  const id = z.string().max(100).refine(isStorable).meta({ example: 'CCI-000366' })
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/ccis/{id}.json',
    operation: 'getCci',
    summary: 'A CCI with all its references, and the rules of each product that cite it',
    input: z.object({ params: z.object({ id }), query: listQuery }),
    answer: cciAnswer,
    refusals: ['reference_data_absent', 'not_found'],
    handle: async ({
      input: {
        params,
        query: { version },
      },
    }) => {
      const source = await requireSource(reader, 'cci_list', version)
      return readCci({ reader, links: await links.current() }, source, params.id)
    },
  })
}
