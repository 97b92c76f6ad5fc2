import { readAttack } from '../attack/read-attack.ts'
import { readCciList } from '../ccis/cci-list.ts'
import { controlsOf } from '../controls/control-names.ts'
import { readOscal } from '../controls/oscal.ts'
import { readCweCsv } from '../cwe/read-csv.ts'
import { readCweXml } from '../cwe/read-xml.ts'
import type { ReferenceData, ReferenceItem } from '../items.ts'
import type { ReferenceForm } from './form.ts'
import type { ItemRow, ReferenceHead } from './reference-protocol.ts'
import type { ReferenceDocument } from './unpack.ts'

/** Limits of items that are inserted at once: their number, and the characters of their documents. */
const MAX_ITEMS = 100

const MAX_CHARACTERS = 100_000

const READERS: Readonly<Record<ReferenceForm, (bytes: Uint8Array, fileName: string) => ReferenceData>> = {
  cci_list: readCciList,
  oscal: readOscal,
  attack: readAttack,
  cwe: readCweXml,
  cwe_csv: readCweCsv,
}

/** Reads a document. Large ones take long, so this must not run on the main thread. */
export function readReferenceData({ form, bytes, fileName }: Omit<ReferenceDocument, 'digest'>): ReferenceData {
  return READERS[form](bytes, fileName)
}

/** A version of a list without its items. */
export function headOf(
  { items, ...data }: ReferenceData,
  { fileName, digest }: Pick<ReferenceDocument, 'fileName' | 'digest'>,
): ReferenceHead {
  return { ...data, fileName, digest, itemCount: items.length }
}

/** Returns the next items to store together, from a position on; at least one if there are any. */
export function rowsFrom(items: readonly ReferenceItem[], from: number): readonly ItemRow[] {
  const rows: ItemRow[] = []
  let characters = 0
  for (let index = from; index < items.length && rows.length < MAX_ITEMS && characters < MAX_CHARACTERS; index += 1) {
    const item = items[index]
    if (item === undefined) break
    const document = JSON.stringify(item)
    characters += document.length
    rows.push({ itemId: item.id, document, controls: controlsOfItem(item) })
  }
  return rows
}

function controlsOfItem(item: ReferenceItem): ItemRow['controls'] {
  if (!('definition' in item)) return []
  const references = controlsOf(item.references).map(
    ({ revision, control }) => [`${revision} ${control}`, { revision, control }] as const,
  )
  return [...new Map(references).values()]
}
