import { readFileSync } from 'node:fs'

/** A SELECT query from a `.rq` file, and the columns that its rows promise. */
export interface Query<Column extends string, Optional extends string = never> {
  readonly text: string
  readonly columns: readonly Column[]
  readonly optional: readonly Optional[]
}

/** Reads a query. `columns` are bound in every row, `optional` ones in some. */
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
 * Replaces the sample in each `VALUES ?variable { … }` by terms. The RDF library must have serialised them, so that no
 * input can end the block.
 */
export function bindValues(text: string, bindings: Bindings): string {
  const missing = new Set(Object.keys(bindings))
  // One pass, so that terms that were put in are not searched again.
  const bound = text.replace(/VALUES \?(\w+) \{[^}]*\}/g, (block, variable: string) => {
    const tokens = bindings[variable]
    missing.delete(variable)
    return tokens === undefined ? block : `VALUES ?${variable} { ${tokens.join(' ')} }`
  })
  if (missing.size === 0) return bound
  throw new Error(`The query has no VALUES block for ?${[...missing].join(', ?')}`)
}
