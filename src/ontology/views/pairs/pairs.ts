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
  const pairs = new Map<string, Map<string, PairPath>>()
  for (const path of paths) {
    const key = `${path.technique}\n${path.other}`
    getOrMake(pairs, key, () => new Map()).set(path.via.join('\n'), path)
  }
  const rows = [...pairs]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .flatMap(([, ofPair]) => {
      const paths = [...ofPair.values()]
      const [first] = paths
      if (first === undefined) return []
      const lists = viaColumns.map((column, index) => {
        const names = new Set(paths.map(({ via }) => release.names.compact(via[index] ?? '')))
        return [column, text([...names].sort(compareCodeUnits).join(' '))] as const
      })
      const count: Term = { type: 'literal', value: String(paths.length), datatype: xsd.integer }
      const sides = { ...describeTechnique(release, first.technique), ...describe(first.other) }
      return [{ ...sides, ways: count, ...Object.fromEntries(lists) }]
    })
  return results([...TECHNIQUE, ...columns, 'ways', ...viaColumns], rows)
}

function describeTechnique(release: Release, technique: string): ResultRow {
  return {
    def_tech: iri(technique),
    ...identifiedRow(release, technique, { id: 'def_tech_id', property: d3f.d3fendId }),
    ...labelledRow(release, technique, 'def_tech_label'),
  }
}

/** The first label, if there is one. */
export function labelledRow({ summaries }: Release, subject: string, column: string): ResultRow {
  const [label] = summaries.labels(subject)
  return label === undefined ? {} : { [column]: label }
}

/** The first identifier, if there is one. */
export function identifiedRow(
  { summaries }: Release,
  subject: string,
  { id: column, property }: { readonly id: string; readonly property: string },
): ResultRow {
  const [id] = summaries.values(subject, property)
  return id === undefined ? {} : { [column]: id }
}
