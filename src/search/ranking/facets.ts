import type { SearchAnswer } from '../../contracts/search.ts'
import type { Kind } from '../../contracts/sources.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { kindNumber, KINDS, severityOf, SEVERITIES } from '../index/keys.ts'
import { ownerNumber, type Library } from '../index/library.ts'
import type { Candidates } from './candidates.ts'
import { Pairs, type Groups } from './groups.ts'
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
export interface Facet {
  readonly name: keyof Facets
  /** Whether a candidate passes the filter. */
  readonly passes: (candidate: number) => boolean
  /** Notes a candidate, where it passes all other filters. */
  readonly count: (candidate: number, group: number) => void
  /** In groups. */
  readonly values: () => Values
}

export interface Facetted {
  readonly found: Candidates
  readonly groups: Groups
  readonly library: Library
  readonly filters: Filters
}

export function facetsOf(facetted: Facetted): readonly Facet[] {
  return [kindFacet, severityFacet, benchmarkFacet, tacticFacet].map((facet) => facet(facetted))
}

function kindFacet({ found: { keys }, groups, filters: { kinds } }: Facetted): Facet {
  const tally = new Tally(KINDS.length, groups.count)
  const allowed = KINDS.map((kind) => kinds.size === 0 || kinds.has(kind))
  return {
    name: 'kind',
    passes: (candidate) => allowed[kindNumber(keys[candidate] ?? 0)] === true,
    count: (candidate, group) => {
      tally.add(kindNumber(keys[candidate] ?? 0), group)
    },
    values: () => tally.values((number) => plain(KINDS[number] ?? null)),
  }
}

function severityFacet({ found, groups, filters: { severities } }: Facetted): Facet {
  const { parts, partOf, records } = found
  const columns = parts.map(({ segment }) => segment.severities)
  const numberOf = (candidate: number): number =>
    columns[partOf[candidate] ?? 0]?.[records[candidate] ?? 0] ?? 0
  const tally = new Tally(SEVERITIES.length + 1, groups.count)
  const allowed = Array.from({ length: SEVERITIES.length + 1 }, (_, number) =>
    severities.has(severityOf(number) ?? ''),
  )
  return {
    name: 'severity',
    passes: (candidate) => severities.size === 0 || allowed[numberOf(candidate)] === true,
    count: (candidate, group) => {
      tally.add(numberOf(candidate), group)
    },
    values: () => tally.values((number) => plain(severityOf(number))),
  }
}

/** Only rules of the catalogue have one. There are too many for a `Tally`. */
function benchmarkFacet({ found, library, filters: { benchmarks } }: Facetted): Facet {
  const { parts, partOf, records } = found
  const columns = parts.map(({ segment }) => segment.owners)
  const ownerOf = (candidate: number): number =>
    columns[partOf[candidate] ?? 0]?.[records[candidate] ?? 0] ?? 0
  const allowed = new Set(Array.from(benchmarks, (id) => ownerNumber({ of: 'benchmark', id })))
  const counts = new Map<number, number>()
  const pairs = new Pairs(records.length)
  let counted = 0
  return {
    name: 'benchmark',
    passes: (candidate) => allowed.size === 0 || allowed.has(ownerOf(candidate)),
    count: (candidate, group) => {
      const owner = ownerOf(candidate)
      if (owner === 0 || pairs.put(owner, group, counted) !== counted) return
      counted += 1
      counts.set(owner, (counts.get(owner) ?? 0) + 1)
    },
    values: () =>
      firstValues(
        Array.from(counts).flatMap(([number, count]) => {
          const owner = library.owners.get(number)
          if (owner?.benchmark == null) return []
          const label = `${owner.title} ${owner.benchmark.version}`
          return [{ value: String(owner.id), label, count }]
        }),
      ),
  }
}

function tacticFacet({ found, groups, library, filters: { tactics } }: Facetted): Facet {
  const known = TacticSets.ofRelease(library.knowledge)
  const sets = known.of(found, library)
  const tally = new Tally(known.tactics.length, groups.count)
  const isChosen = known.tactics.map(
    ({ id, label }) => tactics.has(foldTactic(id)) || tactics.has(foldTactic(label)),
  )
  const allowed = known.sets.map((set) => set.some((tactic) => isChosen[tactic] === true))
  return {
    name: 'tactic',
    passes: (candidate) => tactics.size === 0 || allowed[sets[candidate] ?? 0] === true,
    count: (candidate, group) => {
      for (const tactic of known.sets[sets[candidate] ?? 0] ?? []) tally.add(tactic, group)
    },
    values: () =>
      tally.values((number) => {
        const { id = '', label = '' } = known.tactics[number] ?? {}
        return { value: id, label }
      }),
  }
}

function plain(value: string | null): { readonly value: string; readonly label: string } | null {
  return value === null ? null : { value, label: value }
}

/** In how many groups each of a few values is. */
class Tally {
  readonly #counts: Uint32Array
  /** Of each group the values that it has, as bits. */
  readonly #had: Uint32Array
  readonly #width: number

  constructor(values: number, groups: number) {
    this.#counts = new Uint32Array(values)
    this.#width = Math.ceil(values / 32)
    this.#had = new Uint32Array(this.#width * groups)
  }

  add(value: number, group: number): void {
    const at = group * this.#width + (value >>> 5)
    const [had, bit] = [this.#had[at] ?? 0, 1 << (value & 31)]
    if ((had & bit) !== 0) return
    this.#had[at] = had | bit
    this.#counts[value] = (this.#counts[value] ?? 0) + 1
  }

  /** `head` is null for what is no value. */
  values(
    head: (value: number) => { readonly value: string; readonly label: string } | null,
  ): Values {
    const found = Array.from(this.#counts, (count, number) => ({ count, head: head(number) }))
    return firstValues(
      found.flatMap((one) =>
        one.count === 0 || one.head === null ? [] : [{ ...one.head, count: one.count }],
      ),
    )
  }
}

function firstValues(values: readonly Values[number][]): Values {
  return values
    .toSorted((a, b) => b.count - a.count || compareCodeUnits(a.label, b.label))
    .slice(0, MOST_VALUES)
}
