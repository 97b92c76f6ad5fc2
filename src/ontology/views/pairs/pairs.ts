import { compareCodeUnits, iri, text, type Term } from '../../../graph/term.ts'
import { d3f, xsd } from '../../../graph/vocabulary.ts'
import type { Release } from '../../release/release.ts'
import { results, type Results, type ResultRow } from '../rows.ts'

/** One of the ways in which a technique meets something. */
export interface PairPath {
  /** IRI. */
  readonly technique: string
  /** IRI of what it meets. */
  readonly other: string
  /** Steps between both: an IRI for each column that lists them. */
  readonly via: readonly string[]
}

/** The inputs of a table of pairs. */
export interface PairTable {
  readonly paths: Iterable<PairPath>
  /** Columns that list what the ways of a pair lead through. */
  readonly viaColumns: readonly string[]
  /** Columns that tell what a technique meets. */
  readonly columns: readonly string[]
  readonly describe: (other: string) => ResultRow
}

const TECHNIQUE = ['def_tech', 'def_tech_id', 'def_tech_label'] as const

/**
 * Every pair once, sorted by both IRIs: who they are, in how many ways they meet, and the names of what these lead
 * through, each once, sorted, with a blank between two.
 */
export function pairsOf(release: Release, { paths, viaColumns, columns, describe }: PairTable): Results {
  const pairs = new Map<string, Map<string, PairPath>>()
  for (const path of paths) {
    const key = `${path.technique}\n${path.other}`
    const ofPair = pairs.get(key) ?? new Map<string, PairPath>()
    pairs.set(key, ofPair)
    ofPair.set(path.via.join('\n'), path)
  }
  const rows = [...pairs]
    .sort(([a], [b]) => compareCodeUnits(a, b))
    .flatMap(([, ofPair]) => {
      const own = [...ofPair.values()]
      const [first] = own
      if (first === undefined) return []
      const lists = viaColumns.map((column, index) => {
        const names = new Set(own.map(({ via }) => release.names.compact(via[index] ?? '')))
        return [column, text([...names].sort(compareCodeUnits).join(' '))] as const
      })
      const count: Term = { type: 'literal', value: String(own.length), datatype: xsd.integer }
      const sides = { ...describeTechnique(release, first.technique), ...describe(first.other) }
      return [{ ...sides, ways: count, ...Object.fromEntries(lists) }]
    })
  return results([...TECHNIQUE, ...columns, 'ways', ...viaColumns], rows)
}

function describeTechnique(release: Release, technique: string): ResultRow {
  return {
    def_tech: iri(technique),
    ...identified(release, technique, { id: 'def_tech_id', property: d3f.d3fendId }),
    ...labelled(release, technique, 'def_tech_label'),
  }
}

/** The first label, where there is one. */
export function labelled({ summaries }: Release, subject: string, column: string): ResultRow {
  const [label] = summaries.labels(subject)
  return label === undefined ? {} : { [column]: label }
}

/** The first identifier, where there is one. */
export function identified(
  { summaries }: Release,
  subject: string,
  { id: column, property }: { readonly id: string; readonly property: string },
): ResultRow {
  const [id] = summaries.values(subject, property)
  return id === undefined ? {} : { [column]: id }
}
