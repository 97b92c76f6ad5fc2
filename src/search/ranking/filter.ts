import type { RecordOwner } from '../../contracts/search-feed.ts'
import type { SearchAnswer } from '../../contracts/search.ts'
import type { Kind } from '../../contracts/sources.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { nameOf } from '../../platform/words.ts'
import { FIELD_BITS } from '../index/fields.ts'
import { severityOf } from '../index/keys.ts'
import type { Library } from '../index/library.ts'
import type { Segment } from '../index/segment.ts'
import { firstSection } from '../index/texts.ts'
import type { OntologyIndex } from '../knowledge/knowledge.ts'
import { tacticHead, tacticsOfControls, type TacticHead } from '../knowledge/links.ts'
import type { Ranked } from './rank.ts'

/** What is allowed; empty sets allow everything. */
export interface Filters {
  readonly kinds: ReadonlySet<Kind>
  readonly severities: ReadonlySet<string>
  /** Record ids. */
  readonly benchmarks: ReadonlySet<number>
  /** As `foldTactic` writes ids and labels. */
  readonly tactics: ReadonlySet<string>
}

export type Facets = SearchAnswer['facets']

const MOST_VALUES = 50

export interface Filtered {
  /** Those that pass, in their order; of those that say the same of different products the first. */
  readonly results: readonly FoldedResult[]
  /** Each as if its own filter were not there, so that more of it can be chosen; in results, folded as these. */
  readonly facets: Facets
}

export interface FoldedResult {
  readonly ranked: Ranked
  /** Those that say the same of other products. */
  readonly others: readonly Ranked[]
}

interface HowToFilter {
  readonly library: Library
  readonly filters: Filters
  readonly isFolded: boolean
}

/** Applies filters, counts, and folds. */
export function filterAndFold(
  ranked: readonly Ranked[],
  { library, filters, isFolded }: HowToFilter,
): Filtered {
  const allowed = allowedBy(filters)
  const [kind, severity, benchmark, tactic] = [new Tally(), new Tally(), new Tally(), new Tally()]
  const tallies = [kind, severity, benchmark, tactic]
  const groups = new Map<number, { readonly ranked: Ranked; readonly others: Ranked[] }>()
  for (const one of ranked) {
    const fold = isFolded ? foldOf(one) : one.key
    const values = valuesOf(one, library)
    const failed = values.flatMap((own, at) => (passes(own, allowed[at]) ? [] : [at]))
    if (failed.length === 0) addTo(groups, fold, one)
    for (const [at, tally] of tallies.entries())
      if (failed.every((other) => other === at)) tally.addAll(values[at] ?? [], fold)
  }
  return {
    results: [...groups.values()],
    facets: {
      ...{ kind: kind.values(), severity: severity.values() },
      ...{ benchmark: benchmark.values(), tactic: tactic.values() },
    },
  }
}

function addTo(
  groups: Map<number, { readonly ranked: Ranked; readonly others: Ranked[] }>,
  fold: number,
  ranked: Ranked,
): void {
  const group = groups.get(fold)
  if (group === undefined) groups.set(fold, { ranked, others: [] })
  else group.others.push(ranked)
}

/** In the order of the facets. */
function allowedBy({
  kinds,
  severities,
  benchmarks,
  tactics,
}: Filters): readonly ReadonlySet<string>[] {
  return [kinds, severities, new Set(Array.from(benchmarks, String)), tactics]
}

interface FacetValue {
  readonly value: string
  readonly label: string
  /** What a filter may call it. */
  readonly names: readonly string[]
}

function passes(values: readonly FacetValue[], allowed: ReadonlySet<string> | undefined): boolean {
  if (allowed === undefined || allowed.size === 0) return true
  return values.some(({ names }) => names.some((name) => allowed.has(name)))
}

type FacetValues = readonly FacetValue[]

const NONE: FacetValues = []

/** By facet. Only rules belong to benchmarks and have a severity. */
function valuesOf(ranked: Ranked, library: Library): readonly FacetValues[] {
  const { part, record, kind } = ranked
  const severity = severityOf(part.segment.severities[record] ?? 0)
  const owner = library.owners.get(part.segment.owners[record] ?? 0)
  return [
    plainValue(kind),
    severity === null ? NONE : plainValue(severity),
    owner === undefined ? NONE : ownerValue(owner),
    tacticValues(ranked, library),
  ]
}

const plainValues = new Map<string, FacetValues>()

/** Of few different ones, for thousands of records. */
function plainValue(value: string): FacetValues {
  const known = plainValues.get(value) ?? [{ value, label: value, names: [value] }]
  plainValues.set(value, known)
  return known
}

const ownerValues = new WeakMap<RecordOwner, FacetValues>()

function ownerValue(owner: RecordOwner): FacetValues {
  const { id, title, benchmark } = owner
  if (benchmark === null) return NONE
  const label = `${title} ${benchmark.version}`
  const known = ownerValues.get(owner) ?? [{ value: String(id), label, names: [String(id)] }]
  ownerValues.set(owner, known)
  return known
}

/** By release of the ontology, segment and record: nothing in these changes. */
const known = new WeakMap<OntologyIndex, WeakMap<Segment, Map<number, FacetValues>>>()

function tacticValues(ranked: Ranked, library: Library): FacetValues {
  const { record, part } = ranked
  const bySegment = known.get(library.knowledge) ?? new WeakMap<Segment, Map<number, FacetValues>>()
  known.set(library.knowledge, bySegment)
  const byRecord = bySegment.get(part.segment) ?? new Map<number, FacetValues>()
  bySegment.set(part.segment, byRecord)
  const there = byRecord.get(record)
  if (there !== undefined) return there
  const values = tacticsOf(ranked, library).map(({ id, label }) => ({
    ...{ value: id, label },
    names: [foldTactic(id), foldTactic(label)],
  }))
  byRecord.set(record, values)
  return values
}

/** Its own, or else those of the techniques that it is linked to. */
export function tacticsOf({ part, record, key }: Ranked, library: Library): readonly TacticHead[] {
  const { knowledge } = library
  const document = library.document(key)
  if (document === null)
    return tacticsOfControls(firstSection(part.segment, record, FIELD_BITS.cited), knowledge)
  return document.tactics.length > 0
    ? document.tactics.map(tacticHead)
    : tacticsOfControls([nameOf(document.id ?? '')], knowledge)
}

/** `d3f:Harden` and `harden` are the same. */
export function foldTactic(text: string): string {
  return text.replace(/^(?:d3f:|https?:\/\/\S*#)/i, '').toLowerCase()
}

/** What is alone has its own key, which no hash can be: those are below 2^32, and not negative. */
function foldOf({ part, record, key }: Ranked): number {
  const fold = part.segment.folds[record] ?? 0
  return fold === 0 ? -1 - key : fold
}

class Tally {
  readonly #values = new Map<string, { readonly label: string; readonly folds: Set<number> }>()

  addAll(values: readonly FacetValue[], fold: number): void {
    for (const value of values) this.#add(value, fold)
  }

  #add({ value, label }: FacetValue, fold: number): void {
    const there = this.#values.get(value) ?? { label, folds: new Set<number>() }
    there.folds.add(fold)
    this.#values.set(value, there)
  }

  values(): Facets['kind'] {
    return Array.from(this.#values, ([value, { label, folds }]) => ({
      value,
      label,
      count: folds.size,
    }))
      .sort((a, b) => b.count - a.count || compareCodeUnits(a.label, b.label))
      .slice(0, MOST_VALUES)
  }
}
