import { getOrMake } from '../../../../platform/get-or-make.ts'
import { nameSome } from '../../../parts/name-some.ts'
import { MAX_WARNINGS } from '../reading/limits.ts'

/** Warnings about rows. The same warning about several rows is given once. */
export class RowWarnings {
  readonly #rows = new Map<string, Set<number>>()

  add(row: number, text: string): void {
    getOrMake(this.#rows, text, () => new Set()).add(row)
  }

  /** All warnings in the order of the rows. */
  get all(): readonly string[] {
    const entries = [...this.#rows].map(([text, rows]) => ({ text, rows: [...rows] }))
    entries.sort((a, b) => (a.rows[0] ?? 0) - (b.rows[0] ?? 0))
    return entries.slice(0, MAX_WARNINGS).map(({ text, rows }) => {
      const label = rows.length === 1 ? 'Row' : 'Rows'
      return `${label} ${nameSome(rows.map(String))}: ${text}`
    })
  }
}
