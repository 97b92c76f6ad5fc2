import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import { foldText } from './input.ts'

/** Whether a folded column holds a text anywhere, taken literally. */
export function contains(column: Expression<string | null>, text: string): RawBuilder<SqlBool> {
  const pattern = `%${foldText(text).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<SqlBool>`${column} like ${pattern} escape '\\'`
}
