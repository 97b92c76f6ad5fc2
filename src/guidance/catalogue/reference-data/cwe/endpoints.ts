import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../../http/endpoint.ts'
import { isStorable } from '../../../../http/input.ts'
import { Refusal } from '../../../../platform/errors.ts'
import type { Database } from '../../../database/database.ts'
import type { Reader } from '../../../database/transaction.ts'
import { OPEN } from '../../open/input.ts'
import { eachDocument, findDocument, listVersions, requireSource, type ReferenceSource } from '../reader.ts'
import { shapeSource, sourceSchema } from '../schemas.ts'
import { cweSchema } from './items.ts'

const cweRow = cweSchema.pick({
  id: true,
  type: true,
  name: true,
  abstraction: true,
  status: true,
  deprecated: true,
  successors: true,
})
type CweRow = z.infer<typeof cweRow>

const listAnswer = z.object({ source: sourceSchema, entries: z.array(cweRow) })
const itemAnswer = cweSchema.extend({ source: sourceSchema })

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

/** Versions whose lists are kept, each of some 200 kB. */
const KEPT = 8

function listAll(reader: Reader): Endpoint {
  const lists = new LRUCache<string, readonly CweRow[]>({ max: KEPT })
  return endpoint({
    ...OPEN,
    path: '/api/catalogue/cwe/all.json',
    operation: 'listCweEntries',
    summary: 'All weaknesses, categories and views of CWE, and what a deprecated one leads to',
    input: z.object({ query }),
    answer: listAnswer,
    refusals: ['reference_data_absent', 'not_found'],
    handle: async ({ input }) => {
      const source = await requireSource(reader, 'cwe', input.query.version)
      const key = `${source.id} ${source.digest}`
      const entries = lists.get(key) ?? (await findRows(reader, source))
      lists.set(key, entries)
      return { source: shapeSource(source), entries: [...entries] }
    },
  })
}

async function findRows(reader: Reader, source: ReferenceSource): Promise<readonly CweRow[]> {
  const rows: CweRow[] = []
  for await (const document of eachDocument(reader, source)) rows.push(cweRow.parse(document))
  return rows
}

function getEntry(reader: Reader): Endpoint {
  const id = z.string().max(100).refine(isStorable).meta({ description: 'CWE-79, cwe-79 or 79', example: 'CWE-79' })
  return endpoint({
    ...OPEN,
    path: '/api/catalogue/cwe/{id}.json',
    operation: 'getCweEntry',
    summary: 'A weakness, category or view of CWE; a deprecated one names its successors',
    input: z.object({ params: z.object({ id }), query }),
    answer: itemAnswer,
    refusals: ['reference_data_absent', 'not_found'],
    handle: async ({ input: { params, query: asked } }) => {
      const source = await requireSource(reader, 'cwe', asked.version)
      const name = cweNamed(params.id)
      // A file with one view only lacks most entries: the newest version that has the entry answers.
      const sources = asked.version === undefined ? await listVersions(reader, 'cwe') : [source]
      for (const one of sources) {
        const document = name === null ? null : await findDocument(reader, one, name)
        if (document !== null) return { ...cweSchema.parse(document), source: shapeSource(one) }
      }
      throw new Refusal('not_found', `CWE ${source.version} has no ${name ?? params.id}.`)
    },
  })
}

/** A weakness as people write it: `cwe-079`, `79`; null for any other text. */
function cweNamed(name: string): string | null {
  const digits = /^(?:CWE-)?0*(\d{1,6})$/i.exec(name.trim())?.[1]
  return digits === undefined ? null : `CWE-${digits}`
}
