import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { isStorable } from '../../../../http/input.ts'
import type { Database } from '../../../database/database.ts'
import type { Reader } from '../../../database/transaction.ts'
import { COMMON_PARTS } from '../../open/input.ts'
import { requireSource } from '../reader.ts'
import { shapeSource } from '../schemas.ts'
import { cweAnswer, cweListAnswer, readCweEntry, readCweRows } from './documents.ts'

const query = z.object({
  version: z.string().max(200).refine(isStorable, 'cannot be a version').optional().meta({
    description: 'The version of CWE that answers; by default the newest',
    example: '4.17',
  }),
})

/** The weaknesses, categories and views of CWE. */
export function cweEndpoints({ database }: { readonly database: Pick<Database, 'read'> }): readonly Endpoint[] {
  return [listAll(database.read), getEntry(database.read)]
}

/** Limit of cached lists, each of some 200 kB. */
const MAX_CACHED_LISTS = 8

function listAll(reader: Reader): Endpoint {
  const lists = new LRUCache<string, Awaited<ReturnType<typeof readCweRows>>>({ max: MAX_CACHED_LISTS })
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/cwe/all.json',
    operation: 'listCweEntries',
    summary: 'All weaknesses, categories and views of CWE, and what a deprecated one leads to',
    input: z.object({ query }),
    answer: cweListAnswer,
    refusals: ['reference_data_absent', 'not_found'],
    handle: async ({ input }) => {
      const source = await requireSource(reader, 'cwe', input.query.version)
      const key = `${source.id} ${source.digest}`
      const entries = lists.get(key) ?? (await readCweRows(reader, source))
      lists.set(key, entries)
      return { source: shapeSource(source), entries: [...entries] }
    },
  })
}

function getEntry(reader: Reader): Endpoint {
  const id = z.string().max(100).refine(isStorable).meta({ description: 'CWE-79, cwe-79 or 79', example: 'CWE-79' })
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/cwe/{id}.json',
    operation: 'getCweEntry',
    summary: 'A weakness, category or view of CWE; a deprecated one names its successors',
    input: z.object({ params: z.object({ id }), query }),
    answer: cweAnswer,
    refusals: ['reference_data_absent', 'not_found'],
    handle: ({ input }) => readCweEntry(reader, { name: input.params.id, version: input.query.version }),
  })
}
