import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Writer } from '../database/database.ts'
import type { StaleKind } from '../database/schema/words.ts'
import { entryOf, vectorOf, type Entry } from './entry.ts'
import { findTexts, type RecordTexts } from './texts.ts'

/** Records at once: SQLite runs on the thread that answers everybody else. */
const PORTION = 25

/** Works the words out of all records whose texts this transaction has changed. */
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
  const entries = records.map((record) => ({ id: record.id, ...entryOf(record) }))
  if (entries.length > 0) await writeEntries(writer, kind, entries)
  await writeTitleWords(writer, records)
  await writer.deleteFrom('stale_words').where('kind', '=', kind).where('id', 'in', ids).execute()
}

/** In the place of what was there. One text of a statement for any number of entries. */
async function writeEntries(
  writer: Writer,
  kind: StaleKind,
  entries: readonly (Entry & { readonly id: number })[],
): Promise<void> {
  const into = sql.table(`${kind}_words`)
  const insert =
    writer.dialect === 'sqlite'
      ? sql`
        insert or replace into ${into} (rowid, title, names, texts)
        select value ->> 'id', value ->> 'title', value ->> 'names', value ->> 'texts'
        from json_each(${JSON.stringify(entries.map(spaced))})`
      : sql`
        insert into ${into} (id, title, names, words)
        select id, title::tsvector, names::tsvector, words::tsvector
        from json_to_recordset(${JSON.stringify(entries.map(vectors))}::json)
          as entry (id integer, title text, names text, words text)
        on conflict (id) do update
        set title = excluded.title, names = excluded.names, words = excluded.words`
  await insert.execute(writer)
}

type Columns = Readonly<Record<string, string | number>>

function spaced({ id, title, names, texts }: Entry & { readonly id: number }): Columns {
  return { id, title: title.join(' '), names: names.join(' '), texts: texts.join(' ') }
}

function vectors({ id, title, names, texts }: Entry & { readonly id: number }): Columns {
  const words = vectorOf(title, names, texts)
  return { id, title: vectorOf(title), names: vectorOf(names), words }
}

/** Only of the catalogue, which is open: what others write never helps anybody to spell. */
async function writeTitleWords(writer: Writer, records: readonly RecordTexts[]): Promise<void> {
  const seen = new Map<string, { word: string; benchmark_id: number }>()
  for (const { benchmarkId, title } of records)
    if (benchmarkId !== undefined)
      for (const word of title.toLowerCase().match(/[\p{L}\p{N}]{3,40}/gu) ?? [])
        seen.set(`${benchmarkId} ${word}`, { word, benchmark_id: benchmarkId })
  if (seen.size === 0) return
  const rows = JSON.stringify([...seen.values()])
  const given =
    writer.dialect === 'sqlite'
      ? sql`select value ->> 'word', value ->> 'benchmark_id' from json_each(${rows}) where true`
      : sql`select word, benchmark_id from json_to_recordset(${rows}::json)
        as given (word text, benchmark_id integer)`
  await sql`insert into benchmark_words (word, benchmark_id) ${given} on conflict do nothing`.execute(
    writer,
  )
}
