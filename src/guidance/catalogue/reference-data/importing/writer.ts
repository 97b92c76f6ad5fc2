import type { Actor } from '../../../../http/caller.ts'
import { inPortions } from '../../../../platform/concurrency/turns.ts'
import { writeAudit } from '../../../activity/audits/writer.ts'
import type { Writer } from '../../../database/transaction.ts'
import { controlsOf } from '../controls/control-names.ts'
import { nameOf, type ReferenceData, type ReferenceItem } from '../items.ts'
import type { ReferenceDocument } from './unpack.ts'

/** Items that are inserted at once. */
const CHUNK = 100

type FileFacts = Pick<ReferenceDocument, 'fileName' | 'digest'>

export interface StoredReference {
  readonly id: number
  readonly outcome: 'imported' | 'already_imported'
}

/** Adds a version of a list with all its items, or returns the same bytes that are there already. */
export async function storeReferenceData(
  writer: Writer,
  data: ReferenceData,
  { fileName, digest, actor }: FileFacts & { readonly actor: Actor },
): Promise<StoredReference> {
  await writer.lock('benchmarks', 0)
  const { kind, title, version, published, items } = data
  const known = await writer
    .selectFrom('reference_sources')
    .select('id')
    .where('kind', '=', kind)
    .where('digest', '=', digest)
    .executeTakeFirst()
  if (known !== undefined) return { id: known.id, outcome: 'already_imported' }
  const head = { kind, title, version, published, digest, file_name: fileName, item_count: items.length }
  const { id } = await writer
    .insertInto('reference_sources')
    .values({ ...head, imported_at: new Date().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertItems(writer, id, items)
  const subject = { type: 'ReferenceData', id, name: nameOf(data) }
  await writeAudit(writer, actor, { action: 'create', subject, after: { items: items.length, digest } })
  return { id, outcome: 'imported' }
}

async function insertItems(writer: Writer, source_id: number, items: readonly ReferenceItem[]): Promise<void> {
  let position = 0
  for await (const portion of inPortions(items, CHUNK)) {
    const rows = portion.map((item, index) => {
      return { source_id, position: position + index, item_id: item.id, document: JSON.stringify(item) }
    })
    const inserted = await writer.insertInto('reference_items').values(rows).returning(['id', 'item_id']).execute()
    await insertControls(writer, portion, new Map(inserted.map(({ id, item_id }) => [item_id, id])))
    position += portion.length
  }
}

async function insertControls(
  writer: Writer,
  items: readonly ReferenceItem[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = items.flatMap((item) => {
    if (!('definition' in item)) return []
    const item_id = ids.get(item.id) ?? 0
    const places = controlsOf(item.references).map(
      ({ revision, control }) => [`${revision} ${control}`, { revision, control }] as const,
    )
    return [...new Map(places).values()].map((place) => ({ item_id, ...place }))
  })
  if (rows.length > 0) await writer.insertInto('reference_controls').values(rows).execute()
}
