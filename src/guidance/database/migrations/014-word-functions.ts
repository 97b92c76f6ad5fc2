import { sql, type Kysely } from 'kysely'
import type { DialectName } from '../dialect.ts'

/**
 * Functions that return the numbers of entries with some words and without others (null: none), in order, up to a limit
 * (null: no limit). They are functions because these can have settings of their own: PostgreSQL ignores the cost of
 * unpacking long lists of words, and would read all of them instead of using the index.
 */
export async function wordFunctions(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  if (dialect === 'sqlite') return
  for (const kind of ['benchmark_rule', 'rule', 'component'])
    for (const column of ['title', 'names', 'words'])
      await sql`
        create function ${sql.ref(`${kind}_entries_by_${column}`)}(
          wanted tsquery, unwanted tsquery, most integer)
        returns setof integer language sql stable
        set enable_seqscan = off set enable_indexscan = off
        as $$
          select id from ${sql.table(`${kind}_words`)}
          where ${sql.ref(column)} @@ wanted and (unwanted is null or not words @@ unwanted)
          order by id limit most
        $$`.execute(db)
}
