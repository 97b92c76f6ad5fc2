import { nameBasedUuid } from '../../../../platform/stable-uuid.ts'
import type { MapEntry, Mapping } from './schema.ts'

/** An item of a mapping: a CCI, a control or a technique. */
interface Item {
  /** `CCI-000015`, `ac-2.1`, `D3-AL` */
  readonly id: string
  readonly label: string | null
}

export interface Pair {
  readonly source: Item
  readonly relationship: MapEntry['relationship']
  readonly target: Item
}

/** UUIDs depend on the names of the mapping and its items, so they are the same in every version of the lists. */
export function mappingUuid(mapping: string, ...names: readonly string[]): string {
  return nameBasedUuid(JSON.stringify(['mapping-collection', mapping, ...names]))
}

export function shapeEntry(mapping: string, { source, relationship, target }: Pair): MapEntry {
  return {
    uuid: mappingUuid(mapping, source.id, relationship, target.id),
    relationship,
    sources: [shapeItem(source)],
    targets: [shapeItem(target)],
  }
}

function shapeItem({ id, label }: Item): MapEntry['sources'][number] {
  return { type: 'control', 'id-ref': id, ...(label !== null && { remarks: label }) }
}

/** Returns the items without a partner in a mapping; undefined if there is none. */
export function gapOf(mapping: string, ids: readonly string[]): Mapping['source-gap-summary'] {
  return ids.length === 0
    ? undefined
    : { uuid: mappingUuid(mapping, 'gap'), 'unmapped-controls': [{ 'with-ids': [...ids] }] }
}
