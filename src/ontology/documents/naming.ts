import type { NamedRecord, ClassRelative } from '../../contracts/sources.ts'
import { compareCodeUnits, type Term } from '../../graph/term.ts'
import type { Release } from '../release/release.ts'

export function named(term: Term, label: Term): NamedRecord {
  return { iri: term.value, label: label.value }
}

/** A record is named by its first label, or by its prefixed name if it has none. */
export function labelled({ names, summaries }: Release, iri: string): NamedRecord {
  return { iri, label: summaries.labels(iri)[0]?.value ?? names.compact(iri) }
}

/** `other` as a relative of `iri`. */
export function relativeOf(release: Release, iri: string, other: NamedRecord): ClassRelative {
  if (other.iri === iri) return { ...other, is: 'itself' }
  return { ...other, is: release.hierarchy.up(iri).has(other.iri) ? 'above' : 'below' }
}

/** A class with all above and below it. */
export function relatives({ hierarchy }: Release, iri: string): readonly string[] {
  return [...new Set([...hierarchy.up(iri), ...hierarchy.down(iri)])]
}

/** `narrower`; a relation of another namespace keeps its prefix. */
export function relationName({ names }: Release, relation: string): string {
  return names.compact(relation).replace(/^d3f:/, '')
}

/**
 * Distinct rows, at most `limit`: first one for each end in the order of keys, then a second one for each
 * end that has one, and so on. So a limit leaves out ways before it leaves out ends.
 */
export function distinct<T>(
  rows: readonly T[],
  keyOf: (row: T) => readonly [end: string, ...way: string[]],
  limit: number,
): readonly T[] {
  const byKey = new Map<string, T>()
  for (const row of rows) byKey.set(keyOf(row).join(' '), row)
  const seen = new Map<string, number>()
  return [...byKey]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([, row]) => {
      const [end] = keyOf(row)
      const turn = seen.get(end) ?? 0
      seen.set(end, turn + 1)
      return { row, turn }
    })
    .sort((a, b) => a.turn - b.turn)
    .slice(0, limit)
    .map(({ row }) => row)
}
