import type { NamedRecord, ClassRelative } from '../../contracts/sources.ts'
import { compareCodeUnits, type Term } from '../../graph/term.ts'
import type { Release } from '../release/release.ts'

export function namedRecord(term: Term, label: Term): NamedRecord {
  return { iri: term.value, label: label.value }
}

/** A record is named by its first label, or by its prefixed name if it has none. */
export function labelledRecord({ names, summaries }: Release, iri: string): NamedRecord {
  return { iri, label: summaries.labels(iri)[0]?.value ?? names.compact(iri) }
}

/** `other` as a relative of `iri`. */
export function relativeOf(release: Release, iri: string, other: NamedRecord): ClassRelative {
  if (other.iri === iri) return { ...other, is: 'itself' }
  return { ...other, is: release.hierarchy.up(iri).has(other.iri) ? 'above' : 'below' }
}

/** A class, its superclasses and its subclasses at all levels. */
export function relatives({ hierarchy }: Release, iri: string): readonly string[] {
  return [...new Set([...hierarchy.up(iri), ...hierarchy.down(iri)])]
}

/** `narrower`; a relation of another namespace keeps its prefix. */
export function relationName({ names }: Release, relation: string): string {
  return names.compact(relation).replace(/^d3f:/, '')
}

/**
 * Takes at most `limit` distinct rows: first one for each target in the order of keys, then a second one for each target
 * that has one, and so on. So a limit leaves out paths before it leaves out targets.
 */
export function takeDistinct<T>(
  rows: readonly T[],
  keyOf: (row: T) => readonly [target: string, ...path: string[]],
  limit: number,
): readonly T[] {
  const byKey = new Map<string, T>()
  for (const row of rows) byKey.set(keyOf(row).join(' '), row)
  const seen = new Map<string, number>()
  return [...byKey]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .map(([, row]) => {
      const [target] = keyOf(row)
      const turn = seen.get(target) ?? 0
      seen.set(target, turn + 1)
      return { row, turn }
    })
    .sort((a, b) => a.turn - b.turn)
    .slice(0, limit)
    .map(({ row }) => row)
}
