import { compareCodeUnits, iri, text, type Term } from '../../../graph/term.ts'
import { d3f, xsd } from '../../../graph/vocabulary.ts'
import { getOrMake } from '../../../platform/get-or-make.ts'
import type { Release } from '../../release/release.ts'
import { results, type Results, type ResultRow } from '../rows.ts'

/** One path from a technique to an attack, weakness or control. */
export interface PairPath {
  /** IRI. */
  readonly technique: string
  /** IRI of the attack, weakness or control. */
  readonly other: string
  /** Steps between both: an IRI for each column that lists them. */
  readonly via: readonly string[]
}

/** The inputs of a table of pairs. */
export interface PairTable {
  readonly paths: Iterable<PairPath>
  /** Columns that list the steps of the paths of a pair. */
  readonly viaColumns: readonly string[]
  /** Columns that describe the attack, weakness or control. */
  readonly columns: readonly string[]
  readonly describe: (other: string) => ResultRow
}

const TECHNIQUE = ['def_tech', 'def_tech_id', 'def_tech_label'] as const

/**
 * Every pair once, sorted by both IRIs: a description of both, the number of paths between them, and the names of the
 * steps of these paths, each once, sorted, separated by spaces.
 */
export function pairsOf(release: Release, { paths, viaColumns, columns, describe }: PairTable): Results {
  const rows = [...pathsByPair(paths)]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .flatMap(([, ofPair]) => {
      const [first] = ofPair
      if (first === undefined) return []
      const lists = viaColumns.map((column, index) => {
        const names = new Set(ofPair.map(({ via }) => release.names.compact(via[index] ?? '')))
        return [column, text([...names].sort(compareCodeUnits).join(' '))] as const
      })
      const count: Term = { type: 'literal', value: String(ofPair.length), datatype: xsd.integer }
      const sides = { ...recordColumns(release, first.technique, 'def_tech', d3f.d3fendId), ...describe(first.other) }
      return [{ ...sides, ways: count, ...Object.fromEntries(lists) }]
    })
  return results([...TECHNIQUE, ...columns, 'ways', ...viaColumns], rows)
}

/** The distinct paths of each pair, in the order of their first ones. */
export function pathsByPair(paths: Iterable<PairPath>): ReadonlyMap<string, readonly PairPath[]> {
  const pairs = new Map<string, Map<string, PairPath>>()
  for (const path of paths) {
    const key = `${path.technique}\n${path.other}`
    getOrMake(pairs, key, () => new Map()).set(path.via.join('\n'), path)
  }
  return new Map(Array.from(pairs, ([key, ofPair]) => [key, [...ofPair.values()]]))
}

/** A record with its first identifier and its first label, if it has them, in columns that begin with a name. */
export function recordColumns({ summaries }: Release, subject: string, name: string, idProperty: string): ResultRow {
  const [id] = summaries.values(subject, idProperty)
  const [label] = summaries.labels(subject)
  return {
    [name]: iri(subject),
    ...(id !== undefined && { [`${name}_id`]: id }),
    ...(label !== undefined && { [`${name}_label`]: label }),
  }
}
