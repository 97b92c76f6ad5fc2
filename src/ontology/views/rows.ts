import { termKey, text, type Term } from '../../graph/term.ts'

/** A SPARQL 1.1 Query Results JSON object (W3C), the shape of every mapping. */
export interface Results {
  readonly head: { readonly vars: readonly string[] }
  readonly results: { readonly bindings: readonly ResultRow[] }
}

export type ResultRow = Readonly<Record<string, Term>>
export type PartialRow = Readonly<Record<string, Term | undefined>>

/** The column `sc` of rows that join two sides; constant since the first release. */
export const SUBCLASS_MARK = text('-<-')

export function results(vars: readonly string[], bindings: readonly ResultRow[]): Results {
  return { head: { vars }, results: { bindings } }
}

/** One row of the join: the parts side by side, reduced to the columns and in their order. */
export function joinRow(vars: readonly string[], ...parts: readonly PartialRow[]): ResultRow {
  const row: Record<string, Term> = {}
  // Plain loops: the largest answers run through here 80,000 times.
  for (const column of vars) {
    for (const part of parts) {
      const term = part[column]
      if (term !== undefined) row[column] ??= term
    }
  }
  return row
}

/** The columns of a row under other names: `artifact_label` becomes `off_artifact_label`. */
export function prefixColumns(prefix: string, row: PartialRow): PartialRow {
  return Object.fromEntries(Object.entries(row).map(([name, term]) => [prefix + name, term]))
}

/** Rows without repetition, first occurrences kept in order. */
export function distinct(rows: readonly ResultRow[]): readonly ResultRow[] {
  const seen = new Map<string, ResultRow>()
  for (const row of rows) {
    const key = Object.entries(row)
      .map(([column, term]) => `${column}\u0000${termKey(term)}`)
      .join('\u0001')
    if (!seen.has(key)) seen.set(key, row)
  }
  return [...seen.values()]
}
