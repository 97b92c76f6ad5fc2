import { sql, type Kysely } from 'kysely'
import type { DialectName } from '../dialect.ts'

/**
 * Replaces the functions of 014: single words and phrases are separate parameters, and each may be null. For a query
 * that contains a phrase, PostgreSQL unpacks the words of every entry that the index finds, also of those that match a
 * single word instead.
 */
export async function phraseFunctions(db: Kysely<unknown>, dialect: DialectName): Promise<void> {
  if (dialect === 'sqlite') return
  for (const kind of ['benchmark_rule', 'rule', 'component'])
    for (const column of ['title', 'names', 'words']) {
      const [name, from] = [sql.ref(`${kind}_entries_by_${column}`), sql.table(`${kind}_words`)]
      await sql`drop function ${name} (tsquery, tsquery, integer)`.execute(db)
      await sql`
        create function ${name}(plain tsquery, phrased tsquery, unwanted tsquery, most integer)
        returns setof integer language sql stable
        set enable_seqscan = off set enable_indexscan = off
        as $$
          select id from ${from}
          where (${sql.ref(column)} @@ plain or ${sql.ref(column)} @@ phrased)
          and (unwanted is null or not words @@ unwanted)
          order by id limit most
        $$`.execute(db)
    }
}
