import type { components } from '#api-types'
import { compareTexts } from '../../parts/words/compare-texts.ts'
import type { Counts, Kind } from '../benchmark.ts'
import type { ReleaseName } from '../release-paths.ts'
import { wordsOf } from '../words-of.ts'

type Row = components['schemas']['ListCatalogueBenchmarksAnswer']['benchmarks'][number]
type OlderRow = components['schemas']['ListCatalogueStigsAnswer']['releases'][number]

/** A release in the list of all guidance. */
export interface ListedRelease extends ReleaseName {
  readonly kind: Kind
  readonly title: string
  readonly product: string
  readonly date: string | null
  readonly counts: Counts
  readonly ruleCount: number
  /** Number of older releases of the product; null for an older release. */
  readonly olderCount: number | null
}

export function shapeNewest(row: Row): ListedRelease {
  return { ...shapeListedRelease(row), product: row.product, olderCount: row.release_count - 1 }
}

/** The releases that are not the newest of their product. */
export function shapeOlder(rows: readonly OlderRow[], newest: readonly ListedRelease[]): readonly ListedRelease[] {
  const products = new Map(newest.map(({ benchmarkId, product }) => [benchmarkId, product]))
  return rows
    .filter(({ id, newest: { id: newestId } }) => id !== newestId)
    .map((row) => ({
      ...shapeListedRelease(row),
      product: products.get(row.benchmark_id) ?? row.title,
      olderCount: null,
    }))
}

type SharedRow = Pick<Row, 'kind' | 'benchmark_id' | 'title' | 'version' | 'date' | 'severity_counts' | 'rule_count'>

function shapeListedRelease(row: SharedRow): Omit<ListedRelease, 'product' | 'olderCount'> {
  const { kind, benchmark_id: benchmarkId, title, version, date, severity_counts: counts, rule_count: ruleCount } = row
  return { kind, benchmarkId, title, version, date, counts, ruleCount }
}

/** The releases of a kind (of both, if it is empty) whose title, id and version have all words. */
export function matchingReleases(
  listed: readonly ListedRelease[],
  wanted: { readonly text: string; readonly kind: string },
): readonly ListedRelease[] {
  const words = wordsOf(wanted.text)
  return listed.filter(({ kind, title, product, benchmarkId, version }) => {
    const text = `${title} ${product} ${benchmarkId} ${version}`.toLowerCase()
    return (wanted.kind === '' || kind === wanted.kind) && words.every((word) => text.includes(word))
  })
}

export const SORTS = { product: 'By product', date: 'Newest first', rules: 'Most rules' } as const

/** By product if the order is not known; releases of one product stay in their order. */
export function sortReleases(listed: readonly ListedRelease[], sort: string): readonly ListedRelease[] {
  if (sort === 'date') return listed.toSorted((a, b) => compareTexts(b.date ?? '', a.date ?? '') || byProduct(a, b))
  if (sort === 'rules') return listed.toSorted((a, b) => b.ruleCount - a.ruleCount || byProduct(a, b))
  return listed.toSorted(byProduct)
}

function byProduct(a: ListedRelease, b: ListedRelease): number {
  return (
    compareTexts(a.product.toLowerCase(), b.product.toLowerCase()) ||
    compareTexts(a.kind, b.kind) ||
    Number(a.olderCount === null) - Number(b.olderCount === null) ||
    compareTexts(b.date ?? '', a.date ?? '')
  )
}
