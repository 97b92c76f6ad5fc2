import { readFileSync } from 'node:fs'

/** A SELECT query from a `.rq` file, and the columns that its rows promise. */
export interface Query<Column extends string, Optional extends string = never> {
  readonly text: string
  readonly columns: readonly Column[]
  readonly optional: readonly Optional[]
}

/** `columns` are bound in every row, `optional` ones in some. The file stands beside the reader. */
export function readQuery<Column extends string, Optional extends string = never>(
  file: URL,
  columns: readonly Column[],
  optional: readonly Optional[] = [],
): Query<Column, Optional> {
  return { text: readFileSync(file, 'utf8'), columns, optional }
}

/**
 * Puts terms in the place of the sample in each `VALUES ?variable { … }`. The terms come serialised from
 * the RDF library, so nothing a caller sends can end the block.
 */
export function bindValues<Column extends string, Optional extends string>(
  query: Query<Column, Optional>,
  variable: string,
  tokens: readonly string[],
): Query<Column, Optional> {
  const block = new RegExp(`VALUES \\?${variable} \\{[^}]*\\}`, 'g')
  const values = `VALUES ?${variable} { ${tokens.join(' ')} }`
  // A function, because a replacement string would expand "$&" inside a term.
  const text = query.text.replace(block, () => values)
  if (!text.includes(values)) throw new Error(`The query has no VALUES block for ?${variable}`)
  return { ...query, text }
}
