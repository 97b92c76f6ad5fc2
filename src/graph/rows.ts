import { getOrMake } from '../platform/get-or-make.ts'
import type { Row } from './graph.ts'
import type { Query } from './query.ts'
import { termKey, type Term } from './term.ts'

/** Makes the rows of one graph. They share one object per distinct term, which keeps large tables small. */
export class RowMaker {
  readonly #terms = new Map<string, Term>()

  /** `termOf` returns the term of a column. Throws if a required column is empty. */
  row<Column extends string, Optional extends string>(
    query: Query<Column, Optional>,
    termOf: (column: string) => Term | undefined,
  ): Row<Column, Optional> {
    const row: Record<string, Term> = {}
    for (const column of [...query.columns, ...query.optional]) {
      const term = termOf(column)
      if (term !== undefined) row[column] = getOrMake(this.#terms, termKey(term), () => term)
    }
    if (!hasColumns<Column, Optional>(row, query.columns)) {
      throw new Error(`A row lacks one of ${query.columns.join(', ')}`)
    }
    return row
  }

  /** Forgets the terms that rows share. */
  forget(): void {
    this.#terms.clear()
  }
}

/** Whether a row has a term in each of these columns. */
export function hasColumns<Column extends string, Optional extends string>(
  row: Readonly<Partial<Record<string, Term>>>,
  columns: readonly Column[],
): row is Row<Column, Optional> {
  return columns.every((column) => column in row)
}
