import type { Actor } from '../../../../http/caller.ts'
import { nextTurn } from '../../../../platform/concurrency/turns.ts'
import { writeAudit } from '../../../activity/audits/writer.ts'
import type { Writer } from '../../../database/transaction.ts'
import { nameOf } from '../items.ts'
import type { ItemRow } from './reference-protocol.ts'
import type { ReceivedReference } from './reference-thread.ts'

/** Adds a version of a list with all its items, or returns the stored version of the same bytes. */
export async function storeReferenceData(
  writer: Writer,
  received: ReceivedReference,
  actor: Actor,
): Promise<{ readonly id: number; readonly outcome: 'imported' | 'already_imported' }> {
  await writer.lock('benchmarks', 0)
  const { kind, title, version, published, digest, fileName, itemCount } = received
  const storedSource = await writer
    .selectFrom('reference_sources')
    .select('id')
    .where('kind', '=', kind)
    .where('digest', '=', digest)
    .executeTakeFirst()
  if (storedSource !== undefined) return { id: storedSource.id, outcome: 'already_imported' }
  const head = { kind, title, version, published, digest, file_name: fileName, item_count: itemCount }
  const { id } = await writer
    .insertInto('reference_sources')
    .values({ ...head, imported_at: new Date().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertItems(writer, id, received.rows)
  const subject = { type: 'ReferenceData', id, name: nameOf(received) }
  await writeAudit(writer, actor, { action: 'create', subject, after: { items: itemCount, digest } })
  return { id, outcome: 'imported' }
}

async function insertItems(writer: Writer, source_id: number, rows: ReceivedReference['rows']): Promise<void> {
  let position = 0
  for (;;) {
    const portion = await rows(position)
    if (portion.length === 0) return
    const from = position
    const items = portion.map(({ itemId: item_id, document }, index) => {
      return { source_id, position: from + index, item_id, document }
    })
    const inserted = await writer.insertInto('reference_items').values(items).returning(['id', 'item_id']).execute()
    await insertControls(writer, portion, new Map(inserted.map(({ id, item_id }) => [item_id, id])))
    position += portion.length
    await nextTurn()
  }
}

async function insertControls(
  writer: Writer,
  items: readonly ItemRow[],
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = items.flatMap(({ itemId, controls }) =>
    controls.map((reference) => ({ item_id: ids.get(itemId) ?? 0, ...reference })),
  )
  if (rows.length > 0) await writer.insertInto('reference_controls').values(rows).execute()
}
