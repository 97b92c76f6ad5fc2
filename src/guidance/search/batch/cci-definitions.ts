import { findCcis, listVersions } from '../../catalogue/reference-data/reader.ts'
import type { Reader } from '../../database/transaction.ts'
import type { BatchItem } from './answer.ts'

/** Gives CCIs without a text in the ontology the definition of DISA's list, if it is loaded. */
export async function withDefinitions(reader: Reader, items: readonly BatchItem[]): Promise<readonly BatchItem[]> {
  const bare = new Set(items.flatMap(({ record }) => (isBare(record) ? [record.id] : [])))
  if (bare.size === 0) return items
  const [source] = await listVersions(reader, 'cci_list')
  if (source === undefined) return items
  const listed = await findCcis(reader, source, [...bare])
  return items.map((item) => {
    const text = isBare(item.record) ? listed.get(item.record.id)?.definition : undefined
    return item.record === null || text === undefined ? item : { ...item, record: { ...item.record, text } }
  })
}

function isBare(record: BatchItem['record']): record is NonNullable<BatchItem['record']> & { readonly id: string } {
  return record?.kind === 'cci' && record.id !== null && record.text === ''
}
