import { sql, type QueryExecutorProvider } from 'kysely'
import { foldText } from '../../../platform/characters.ts'

/** Comments of one batch. */
const BATCH_SIZE = 500

/** Search keys of comments: author and text, with folded case. */
export async function reviewSearch(db: QueryExecutorProvider): Promise<void> {
  await sql`alter table reviews add column search_key text`.execute(db)
  for (let after = 0; ;) {
    const { rows } = await sql<{ id: number; author_name: string; comment: string }>`
      select id, author_name, comment from reviews
      where action = 'comment' and id > ${after} order by id limit ${BATCH_SIZE}`.execute(db)
    for (const { id, author_name, comment } of rows) {
      const key = foldText(`${author_name.replaceAll('\n', ' ')}\n${comment}`)
      await sql`update reviews set search_key = ${key} where id = ${id}`.execute(db)
    }
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}
