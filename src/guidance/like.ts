import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { foldText } from './input.ts'

/** SQLite refuses longer patterns. Folding can make a text 18 times as long (U+FDFA). */
const MAX_BYTES = 50_000

/** Whether a folded column holds a text anywhere, taken literally. One beyond all bounds is nowhere. */
export function contains(column: Expression<string | null>, text: string): RawBuilder<SqlBool> {
  const pattern = `%${foldText(text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  if (Buffer.byteLength(pattern) > MAX_BYTES) return sql<SqlBool>`1 = 0`
  return sql<SqlBool>`${column} like ${pattern} escape '\\'`
}
