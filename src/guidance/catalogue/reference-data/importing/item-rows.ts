import { controlsOf } from '../controls/control-names.ts'
import type { ReferenceData, ReferenceItem } from '../items.ts'
import type { ItemRow, ReferenceHead } from './reference-protocol.ts'
import type { ReferenceDocument } from './unpack.ts'

/** Items that are inserted at once: so many, or characters of their documents. */
const MAX_ITEMS = 100
const MAX_CHARACTERS = 100_000

/** A version of a list without its items. */
export function headOf(
  { items, ...data }: ReferenceData,
  { fileName, digest }: Pick<ReferenceDocument, 'fileName' | 'digest'>,
): ReferenceHead {
  return { ...data, fileName, digest, itemCount: items.length }
}

/** The items from a position on that are stored together, at least one where there are any. */
export function rowsFrom(items: readonly ReferenceItem[], from: number): readonly ItemRow[] {
  const rows: ItemRow[] = []
  let characters = 0
  for (let at = from; at < items.length && rows.length < MAX_ITEMS && characters < MAX_CHARACTERS; at += 1) {
    const item = items[at]
    if (item === undefined) break
    const document = JSON.stringify(item)
    characters += document.length
    rows.push({ itemId: item.id, document, controls: controlsOfItem(item) })
  }
  return rows
}

function controlsOfItem(item: ReferenceItem): ItemRow['controls'] {
  if (!('definition' in item)) return []
  const places = controlsOf(item.references).map(
    ({ revision, control }) => [`${revision} ${control}`, { revision, control }] as const,
  )
  return [...new Map(places).values()]
}
