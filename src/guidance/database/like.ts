import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { foldText } from '../../platform/characters.ts'

/** SQLite refuses longer patterns. Folding can make a text 18 times as long (U+FDFA). */
const MAX_BYTES = 50_000

/** Whether a folded column contains the texts literally and in this order. Overlong texts are never contained. */
export function contains(column: Expression<string | null>, ...texts: readonly string[]): RawBuilder<SqlBool> {
  const literals = texts.map((text) => foldText(text).replaceAll(/[\\%_]/g, String.raw`\$&`))
  const pattern = `%${literals.join('%')}%`
  if (Buffer.byteLength(pattern) > MAX_BYTES) return sql<SqlBool>`1 = 0`
  return sql<SqlBool>`${column} like ${pattern} escape '\\'`
}

/** Whether any of the folded columns contains any of the terms. */
export function matchesAny(
  columns: readonly Expression<string | null>[],
  terms: readonly string[],
): Expression<SqlBool> {
  const conditions = columns.flatMap((column) => terms.map((term) => contains(column, term)))
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}
