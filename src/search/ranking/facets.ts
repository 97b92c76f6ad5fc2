import type { SearchAnswer } from '../../contracts/search.ts'
import type { Kind } from '../../contracts/sources.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { KINDS, severityOf, SEVERITIES } from '../index/keys.ts'
import { kindsOf } from '../index/kinds.ts'
import { ownerNumber, type Library } from '../index/library.ts'
import { runsOf, type Candidates } from './candidates.ts'
import { countBits, countNumbers } from './counts.ts'
import type { Groups } from './groups.ts'
import type { ColumnFilter } from './refusals.ts'
import { foldTactic, TacticSets } from './tactics.ts'

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
type Values = Facets['kind']

const MOST_VALUES = 50

/** One of the things that results can be narrowed by. */
export interface Facet extends ColumnFilter {
  /** In groups; of candidates that no other filter refuses. */
  readonly count: (groups: Groups, refused: Uint8Array | null) => Values
}

interface Facetted {
  readonly found: Candidates
  readonly library: Library
  readonly filters: Filters
}

export function facetsOf(facetted: Facetted): Readonly<Record<keyof Facets, Facet>> {
  return {
    kind: kindFacet(facetted),
    severity: severityFacet(facetted),
    benchmark: benchmarkFacet(facetted),
    tactic: tacticFacet(facetted),
  }
}

function kindFacet({ found, filters: { kinds } }: Facetted): Facet {
  const columns = found.parts.map(({ segment }) => kindsOf(segment))
  const filter: ColumnFilter = {
    number: 1,
    column: (place) => columns[place] ?? NO_COLUMN,
    allowed: kinds.size === 0 ? null : Uint8Array.from(KINDS, (kind) => (kinds.has(kind) ? 1 : 0)),
  }
  const masks = [Uint32Array.from(KINDS, (_, number) => 1 << number)]
  return {
    ...filter,
    count: (groups, refused) =>
      valuesOf(countBits({ found, groups, refused }, filter, masks), (number) =>
        plain(KINDS[number] ?? null),
      ),
  }
}

const NO_COLUMN = new Uint8Array()
const SEVERITY_NUMBERS = Array.from({ length: SEVERITIES.length + 1 }, (_, number) => number)

function severityFacet({ found, filters: { severities } }: Facetted): Facet {
  const isAllowed = (number: number): number => (severities.has(severityOf(number) ?? '') ? 1 : 0)
  const filter: ColumnFilter = {
    number: 2,
    column: (place) => found.parts[place]?.segment.severities ?? NO_COLUMN,
    allowed: severities.size === 0 ? null : Uint8Array.from(SEVERITY_NUMBERS, isAllowed),
  }
  const masks = [Uint32Array.from(SEVERITY_NUMBERS, (number) => 1 << number)]
  return {
    ...filter,
    count: (groups, refused) =>
      valuesOf(countBits({ found, groups, refused }, filter, masks), (number) =>
        plain(severityOf(number)),
      ),
  }
}

/** Only rules of the catalogue have one. */
function benchmarkFacet({ found, library, filters: { benchmarks } }: Facetted): Facet {
  const numbers = Array.from(library.owners.keys())
  const size = 1 + numbers.reduce((most, number) => Math.max(most, number), 0)
  const filter: ColumnFilter = {
    number: 3,
    column: (place) => found.parts[place]?.segment.owners ?? NO_COLUMN,
    allowed: benchmarks.size === 0 ? null : new Uint8Array(size),
  }
  for (const id of benchmarks) filter.allowed?.fill(1, ...placeOf(ownerNumber({ of: 'benchmark', id })))
  return {
    ...filter,
    count: (groups, refused) => {
      const counts = countNumbers({ found, groups, refused }, filter, size)
      return valuesOf(counts, (number) => {
        const owner = library.owners.get(number)
        if (owner?.benchmark == null) return null
        return { value: String(owner.id), label: `${owner.title} ${owner.benchmark.version}` }
      })
    },
  }
}

function placeOf(at: number): readonly [number, number] {
  return [at, at + 1]
}

function tacticFacet({ found, library, filters: { tactics } }: Facetted): Facet {
  const known = TacticSets.ofRelease(library.knowledge)
  const columns = runsOf(found).map((run) => known.in(run, found.records, library))
  const isChosen = known.tactics.map(
    ({ id, label }) => tactics.has(foldTactic(id)) || tactics.has(foldTactic(label)),
  )
  const isAllowed = (set: readonly number[]): number =>
    set.some((tactic) => isChosen[tactic] === true) ? 1 : 0
  const filter: ColumnFilter = {
    number: 4,
    column: (place) => columns[place] ?? NO_COLUMN,
    allowed: tactics.size === 0 ? null : Uint8Array.from(known.sets, isAllowed),
  }
  return {
    ...filter,
    count: (groups, refused) =>
      valuesOf(countBits({ found, groups, refused }, filter, known.masks), (number) => {
        const { id = '', label = '' } = known.tactics[number] ?? {}
        return { value: id, label }
      }),
  }
}

function plain(value: string | null): { readonly value: string; readonly label: string } | null {
  return value === null ? null : { value, label: value }
}

/** In their order of counts; `head` is null for what is no value. */
function valuesOf(
  counts: Uint32Array,
  head: (value: number) => { readonly value: string; readonly label: string } | null,
): Values {
  const values: Values[number][] = []
  for (const [number, count] of counts.entries()) {
    const named = count === 0 ? null : head(number)
    if (named !== null) values.push({ ...named, count })
  }
  return firstValues(values)
}

function firstValues(values: readonly Values[number][]): Values {
  return values
    .toSorted((a, b) => b.count - a.count || compareCodeUnits(a.label, b.label))
    .slice(0, MOST_VALUES)
}
