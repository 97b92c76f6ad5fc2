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

/** Serialised terms for each variable that has a sample in the query. */
export type Bindings = Readonly<Record<string, readonly string[]>>

/**
 * Puts terms in the place of the sample in each `VALUES ?variable { … }`. The terms must come
 * serialised from the RDF library, so that nothing a caller sends can end the block.
 */
export function bindValues(text: string, bindings: Bindings): string {
  return Object.entries(bindings).reduce((bound, [variable, tokens]) => {
    const block = new RegExp(`VALUES \\?${variable} \\{[^}]*\\}`, 'g')
    const values = `VALUES ?${variable} { ${tokens.join(' ')} }`
    // A function, because a replacement string would expand "$&" inside a term.
    const next = bound.replace(block, () => values)
    if (!next.includes(values)) throw new Error(`The query has no VALUES block for ?${variable}`)
    return next
  }, text)
}
