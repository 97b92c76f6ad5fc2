import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../database/database.ts'
import type { StaleKind } from '../database/schema/words.ts'

/** Records of one transaction, so that others can write in between. */
const PORTION = 200

const TABLES = {
  benchmark_rule: 'benchmark_rules',
  rule: 'rules',
  component: 'components',
} as const
const KINDS: readonly StaleKind[] = ['benchmark_rule', 'rule', 'component']

/** Computes the words of records that have none because an older program wrote them. */
export async function completeWords(database: Database): Promise<void> {
  const key = database.dialect === 'sqlite' ? sql`rowid` : sql`id`
  for (const kind of KINDS)
    await workOut(database, kind, sql`id not in (select ${key} from ${sql.table(`${kind}_words`)})`)
}

/** Recomputes all words; records that are not done yet are not found meanwhile. */
export async function rebuildWords(database: Database): Promise<number> {
  let records = 0
  for (const kind of KINDS) {
    await database.transact(async (writer) => {
      await clear(writer.dialect, kind).execute(writer)
      if (kind === 'benchmark_rule') await writer.deleteFrom('benchmark_words').execute()
    })
    records += await workOut(database, kind, sql`true`)
  }
  return records
}

function clear(dialect: Database['dialect'], kind: StaleKind): RawBuilder<unknown> {
  const name = `${kind}_words`
  return dialect === 'sqlite'
    ? sql`insert into ${sql.table(name)} (${sql.ref(name)}) values ('delete-all')`
    : sql`delete from ${sql.table(name)}`
}

async function workOut(
  database: Database,
  kind: StaleKind,
  which: RawBuilder<unknown>,
): Promise<number> {
  const table = sql.table(TABLES[kind])
  const found = sql<{ id: number }>`select id from ${table} where ${which} order by id`
  const ids = (await found.execute(database.read)).rows.map(({ id }) => id)
  for (let from = 0; from < ids.length; from += PORTION)
    await database.transact(async (writer) => {
      const portion = sql.join(ids.slice(from, from + PORTION))
      // Locked, so that changes of these records and this transaction wait for each other.
      const locked = writer.dialect === 'postgres' ? sql`for update` : sql``
      await sql`
        insert into stale_words (kind, id)
        select ${kind}, id from ${table} where id in (${portion}) order by id ${locked}
        `.execute(writer)
    })
  return ids.length
}
