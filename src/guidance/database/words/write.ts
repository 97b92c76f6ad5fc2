import { sql, type RawBuilder } from 'kysely'
import type { StaleKind } from '../schema/words.ts'
import type { Writer } from '../transaction.ts'
import type { ReadyWords } from './ready.ts'

/** Replaces the entries of records; the keys are the records' numbers. */
export async function writeEntries(
  writer: Writer,
  kind: StaleKind,
  entries: string,
): Promise<void> {
  const id = writer.dialect === 'sqlite' ? sql`value ->> 'key'` : sql`entry.key::integer`
  await insert(writer, kind, { id, rows: rowsOf(writer, entries) })
}

/** Stores the words of newly stored rules, which then need not be settled. */
export async function writeRuleWords(
  writer: Writer,
  { benchmarkId, ids }: { readonly benchmarkId: number; readonly ids: readonly number[] },
  { entries, titleWords }: ReadyWords,
): Promise<void> {
  const isSqlite = writer.dialect === 'sqlite'
  const key = isSqlite ? sql`value ->> 'key'` : sql`entry.key`
  // In SQLite, a cross join keeps the order; the planner would read the entries once for each rule.
  const rows = sql`${rowsOf(writer, entries)} ${isSqlite ? sql`cross join` : sql`join`}
    benchmark_rules as rule on rule.benchmark_id = ${benchmarkId} and rule.rule_id = ${key}`
  await insert(writer, 'benchmark_rule', { id: sql`rule.id`, rows })
  await writeTitleWords(writer, benchmarkId, titleWords)
  await writer
    .deleteFrom('stale_words')
    .where('kind', '=', 'benchmark_rule')
    .where('id', 'in', ids)
    .execute()
}

/** Only of the public catalogue: authored texts must not be revealed by spelling corrections. */
export async function writeTitleWords(
  writer: Writer,
  benchmarkId: number,
  words: string,
): Promise<void> {
  const given =
    writer.dialect === 'sqlite'
      ? sql`select value, ${benchmarkId} from json_each(${words}) where true`
      : sql`select word, ${benchmarkId}::integer from json_array_elements_text(${words}::json) as word`
  await sql`insert into benchmark_words (word, benchmark_id) ${given} on conflict do nothing`.execute(
    writer,
  )
}

interface WordSource {
  /** The number of the record. */
  readonly id: RawBuilder<unknown>
  /** See `rowsOf`. */
  readonly rows: RawBuilder<unknown>
}

/** The SQL text is the same for any number of entries, so it is prepared once. */
async function insert(writer: Writer, kind: StaleKind, { id, rows }: WordSource): Promise<void> {
  const into = sql.table(`${kind}_words`)
  const statement =
    writer.dialect === 'sqlite'
      ? sql`
        insert or replace into ${into} (rowid, title, names, texts)
        select ${id}, value ->> 'title', value ->> 'names', value ->> 'texts' from ${rows}`
      : sql`
        insert into ${into} (id, title, names, words)
        select ${id}, entry.title::tsvector, entry.names::tsvector, entry.words::tsvector
        from ${rows}
        on conflict (id) do update
        set title = excluded.title, names = excluded.names, words = excluded.words`
  await statement.execute(writer)
}

function rowsOf({ dialect }: Writer, entries: string): RawBuilder<unknown> {
  return dialect === 'sqlite'
    ? sql`json_each(${entries})`
    : sql`json_to_recordset(${entries}::json) as entry (key text, title text, names text, words text)`
}
