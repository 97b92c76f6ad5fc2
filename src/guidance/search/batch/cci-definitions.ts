import { cciSchema } from '../../catalogue/reference-data/items.ts'
import { listVersions } from '../../catalogue/reference-data/reader.ts'
import { manyRows } from '../../database/many-rows.ts'
import type { Reader } from '../../database/transaction.ts'
import type { BatchItem } from './answer.ts'

/** Gives CCIs without a text in the ontology the definition of DISA's list, if it is loaded. */
export async function withDefinitions(reader: Reader, items: readonly BatchItem[]): Promise<readonly BatchItem[]> {
  const bare = new Set(items.flatMap(({ record }) => (isBare(record) ? [record.id] : [])))
  if (bare.size === 0) return items
  const definitions = await findDefinitions(reader, [...bare])
  return items.map((item) => {
    const text = isBare(item.record) ? definitions.get(item.record.id) : undefined
    return item.record === null || text === undefined ? item : { ...item, record: { ...item.record, text } }
  })
}

function isBare(record: BatchItem['record']): record is NonNullable<BatchItem['record']> & { readonly id: string } {
  return record?.kind === 'cci' && record.id !== null && record.text === ''
}

async function findDefinitions(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const [source] = await listVersions(reader, 'cci_list')
  if (source === undefined) return new Map()
  const rows = await reader
    .selectFrom('reference_items')
    .select('document')
    .where('source_id', '=', source.id)
    .where('item_id', 'in', ids)
    .withPlugin(manyRows)
    .execute()
  return new Map(
    rows.map(({ document }) => {
      const { id, definition } = cciSchema.parse(JSON.parse(document))
      return [id, definition]
    }),
  )
}
