import { sql } from 'kysely'
import type { StaleKind } from '../../../src/guidance/database/schema/words.ts'
import type { Writer } from '../../../src/guidance/database/transaction.ts'
import { entryOf } from '../../../src/guidance/database/words/entry.ts'
import { findTexts } from '../../../src/guidance/database/words/texts.ts'
import { append } from '../../../src/platform/append.ts'
import type { GuidanceUnderTest } from '../../support/guidance.ts'

const RECORDS = {
  benchmark_rule: 'benchmark_rules',
  rule: 'rules',
  component: 'components',
} as const

/** By record: each word with its column and place, in order. */
type Index = Readonly<Record<string, readonly string[]>>

interface Row {
  readonly id: number
  readonly place: string
}

/** The full-text tables as they are, and as the rows say that they should be. */
export async function bothIndexes({ service }: GuidanceUnderTest): Promise<{
  readonly kept: Index
  readonly meant: Index
}> {
  return service.guidance.database.transact(async (writer) => {
    const [kept, meant]: [Row[], Row[]] = [[], []]
    for (const kind of ['benchmark_rule', 'rule', 'component'] as const) {
      kept.push(...(await (writer.dialect === 'sqlite' ? inSqlite : inPostgres)(writer, kind)))
      meant.push(...(await meantOf(writer, kind)))
    }
    const stale = await writer.selectFrom('stale_words').selectAll().execute()
    kept.push(...stale.map(({ id, kind }) => ({ id, place: `${kind} is stale` })))
    return { kept: indexOf(kept), meant: indexOf(meant) }
  })
}

function indexOf(rows: readonly Row[]): Index {
  const found = new Map<string, string[]>()
  for (const { id, place } of rows) append(found, `${id} ${place.split(' ')[0] ?? ''}`, place)
  return Object.fromEntries([...found].sort().map(([key, places]) => [key, places.sort()]))
}

async function inSqlite(writer: Writer, kind: StaleKind): Promise<readonly Row[]> {
  const words = sql.lit(`${kind}_words`)
  await sql`create virtual table temp.places using fts5vocab(main, ${words}, instance)`.execute(
    writer,
  )
  const { rows } = await sql<Row>`
    select doc as id, ${kind} || ' ' || col || ' ' || offset || ' ' || term as place
    from temp.places where term <> '-'`.execute(writer)
  await sql`drop table temp.places`.execute(writer)
  return rows
}

async function inPostgres(writer: Writer, kind: StaleKind): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const column of ['title', 'names', 'words']) {
    const found = await sql<Row>`
      select entry.id, ${kind} || ' ' || ${column} || ' ' || place - 1 || ' ' || lexeme as place
      from ${sql.table(`${kind}_words`)} as entry, unnest(${sql.ref(column)}) as word,
        unnest(word.positions) as place`.execute(writer)
    rows.push(...found.rows)
  }
  return rows
}

async function meantOf(writer: Writer, kind: StaleKind): Promise<readonly Row[]> {
  const records = await writer.selectFrom(RECORDS[kind]).select('id').execute()
  if (records.length === 0) return []
  const texts = await findTexts[kind](
    writer,
    records.map(({ id }) => id),
  )
  return texts.flatMap((record) => {
    const { title, names, texts: bodies } = entryOf(record)
    const columns =
      writer.dialect === 'sqlite'
        ? { title, names, texts: bodies }
        : { title, names, words: [...title, '-', ...names, '-', ...bodies] }
    return Object.entries(columns).flatMap(([column, words]) =>
      words.flatMap((word, place) =>
        word === '-' ? [] : [{ id: record.id, place: `${kind} ${column} ${place} ${word}` }],
      ),
    )
  })
}
