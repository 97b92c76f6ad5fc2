import { sql, type Kysely } from 'kysely'
import type { DialectName } from '../dialect.ts'

/**
 * Numbers of the entries that have what is wanted and not what is unwanted (null: nothing), in order, as
 * many as at most (null: all). A function has settings of its own: PostgreSQL does not count what it costs
 * to unpack long lists of words, and would rather read all of them than use the index.
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
