import { findCcis, listVersions } from '../../catalogue/reference-data/reader.ts'
import type { Reader } from '../../database/transaction.ts'
import type { BatchItem } from './answer.ts'

/** Gives CCIs without a text in the ontology the definition of DISA's list, if it is loaded. */
export async function withDefinitions(reader: Reader, items: readonly BatchItem[]): Promise<readonly BatchItem[]> {
  const missing = new Set(items.flatMap(({ record }) => (isCciWithoutText(record) ? [record.id] : [])))
  if (missing.size === 0) return items
  const [source] = await listVersions(reader, 'cci_list')
  if (source === undefined) return items
  const listed = await findCcis(reader, source, [...missing])
  return items.map((item) => {
    const text = isCciWithoutText(item.record) ? listed.get(item.record.id)?.definition : undefined
    return item.record === null || text === undefined ? item : { ...item, record: { ...item.record, text } }
  })
}

function isCciWithoutText(
  record: BatchItem['record'],
): record is NonNullable<BatchItem['record']> & { readonly id: string } {
  return record?.kind === 'cci' && record.id !== null && record.text === ''
}
