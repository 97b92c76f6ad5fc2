import { append } from '../../../platform/append.ts'
import { nextTurn } from '../../../platform/turns.ts'
import type { StaleKind } from '../schema/words.ts'
import type { Writer } from '../transaction.ts'
import { readyEntries, readyTitleWords } from './ready.ts'
import { findTexts, type RecordTexts } from './texts.ts'
import { writeEntries, writeTitleWords } from './write.ts'

/** Records in one step: SQLite blocks the thread that serves everybody else. */
const PORTION = 25

/** Recomputes the words of all records whose texts this transaction has changed. */
export async function settleWords(writer: Writer): Promise<void> {
  for (;;) {
    const stale = await writer
      .selectFrom('stale_words')
      .select(['kind', 'id'])
      .orderBy('kind')
      .orderBy('id')
      .limit(PORTION)
      .execute()
    const [first] = stale
    if (first === undefined) return
    const { kind } = first
    await settle(
      writer,
      kind,
      stale.filter((one) => one.kind === kind).map(({ id }) => id),
    )
    await nextTurn()
  }
}

async function settle(writer: Writer, kind: StaleKind, ids: readonly number[]): Promise<void> {
  const records = await findTexts[kind](writer, ids)
  const keyed = records.map((record) => ({ key: record.id, ...record }))
  if (records.length > 0) await writeEntries(writer, kind, readyEntries(writer.dialect, keyed))
  for (const [benchmarkId, titles] of titlesOf(records))
    await writeTitleWords(writer, benchmarkId, readyTitleWords(titles))
  await writer.deleteFrom('stale_words').where('kind', '=', kind).where('id', 'in', ids).execute()
}

/** By benchmark. */
function titlesOf(records: readonly RecordTexts[]): ReadonlyMap<number, readonly string[]> {
  const titles = new Map<number, string[]>()
  for (const { benchmarkId, title } of records)
    if (benchmarkId !== undefined) append(titles, benchmarkId, title)
  return titles
}
