import type { SearchAnswer } from '../../contracts/search-answer.ts'
import { ATTACK_DOMAINS, type RecordKind } from '../../contracts/sources.ts'
import { compareCodeUnits } from '../../graph/term.ts'
import { getOrMake } from '../../platform/get-or-make.ts'
import { KIND, OWNER, SEVERITY } from '../index/facts.ts'
import { KINDS, SEVERITIES } from '../index/keys.ts'
import { ownerNumber, type Library } from '../index/library.ts'
import { runsOf, type Candidates } from './candidates.ts'
import type { ColumnFilter } from './column-filters.ts'
import { countBits, countNumbers } from './counts.ts'
import type { ResultGroups } from './groups.ts'
import { foldTactic, TacticSets } from './tactics.ts'

/** Filters of a search; empty sets allow everything. */
export interface Filters {
  readonly kinds: ReadonlySet<RecordKind>
  readonly severities: ReadonlySet<string>
  /** Record ids. */
  readonly benchmarks: ReadonlySet<number>
  /** Ids and labels in the form of `foldTactic`. */
  readonly tactics: ReadonlySet<string>
  readonly domains: ReadonlySet<string>
}

export type Facets = SearchAnswer['facets']
type FacetValues = Facets['kind']

const MAX_VALUES = 50

/** A property by which results can be filtered. */
export interface Facet extends ColumnFilter {
  /** Counts groups, among candidates that no other filter rejects. */
  readonly count: (groups: ResultGroups, rejectedBy: Uint8Array | null) => FacetValues
}

interface FacetInput {
  readonly candidates: Candidates
  readonly library: Library
  readonly filters: Filters
}

const KIND_HEADS = KINDS.map(labelledByValue)
/** 0 stands for no severity. */
const SEVERITY_HEADS = [null, ...SEVERITIES.map(labelledByValue)]

export function facetsOf(facetted: FacetInput): Readonly<Record<keyof Facets, Facet>> {
  const { candidates, filters } = facetted
  return {
    kind: listedFacet({ number: 1, values: candidates.facts, ...KIND }, KIND_HEADS, filters.kinds),
    severity: listedFacet({ number: 2, values: candidates.facts, ...SEVERITY }, SEVERITY_HEADS, filters.severities),
    benchmark: benchmarkFacet(facetted),
    tactic: tacticFacet(facetted),
    domain: domainFacet(facetted),
  }
}

/** The numbers of the column are places in the list of heads; null stands for no value. */
function listedFacet(
  column: Omit<ColumnFilter, 'allowed'>,
  heads: readonly (FacetLabel | null)[],
  chosen: ReadonlySet<string>,
): Facet {
  const isChosen = (head: FacetLabel | null): number => (head !== null && chosen.has(head.value) ? 1 : 0)
  const filter: ColumnFilter = { ...column, allowed: chosen.size === 0 ? null : Uint8Array.from(heads, isChosen) }
  const masks = [Uint32Array.from(heads, (_, number) => 1 << number)]
  return {
    ...filter,
    count: (groups, rejectedBy) => topValues(countBits({ groups, rejectedBy }, filter, masks), heads),
  }
}

/** Only rules of the catalogue have one. */
function benchmarkFacet({ candidates, library, filters: { benchmarks } }: FacetInput): Facet {
  const heads = benchmarkHeads(library)
  const filter: ColumnFilter = {
    number: 3,
    values: candidates.facts,
    ...OWNER,
    allowed: benchmarks.size === 0 ? null : new Uint8Array(heads.length),
  }
  for (const id of benchmarks) {
    const number = ownerNumber({ kind: 'benchmark', id })
    filter.allowed?.fill(1, number, number + 1)
  }
  return {
    ...filter,
    count: (groups, rejectedBy) => topValues(countNumbers({ groups, rejectedBy }, filter, heads.length), heads),
  }
}

const knownHeads = new WeakMap<Library['owners'], readonly (FacetLabel | null)[]>()

/** By the number of the owner; null for owners that are not benchmarks. */
function benchmarkHeads({ owners }: Library): readonly (FacetLabel | null)[] {
  return getOrMake(knownHeads, owners, () => {
    const last = Array.from(owners.keys()).reduce((most, number) => Math.max(most, number), 0)
    return Array.from({ length: last + 1 }, (_, number): FacetLabel | null => {
      const owner = owners.get(number)
      if (owner?.benchmark == null) return null
      return { value: String(owner.id), label: `${owner.title} ${owner.benchmark.version}` }
    })
  })
}

function tacticFacet({ candidates, library, filters: { tactics } }: FacetInput): Facet {
  const tacticSets = TacticSets.ofRelease(library.knowledge)
  const values = new Uint32Array(candidates.records.length)
  for (const run of runsOf(candidates)) tacticSets.note(values, { ...run, records: candidates.records }, library)
  const filter: ColumnFilter = {
    number: 4,
    values,
    shift: 0,
    mask: ALL_BITS,
    allowed: tactics.size === 0 ? null : setsWith(tactics, tacticSets),
  }
  return {
    ...filter,
    count: (groups, rejectedBy) =>
      topValues(
        countBits({ groups, rejectedBy }, filter, tacticSets.masks()),
        tacticSets.tactics.map(({ id, label }) => ({ value: id, label })),
      ),
  }
}

const ALL_BITS = -1

/** 0 stands for no domain. */
const DOMAIN_HEADS = [null, ...ATTACK_DOMAINS.map(labelledByValue)]

/** Only attacks and offensive tactics have one. */
function domainFacet({ candidates, library, filters: { domains } }: FacetInput): Facet {
  const values = new Uint32Array(candidates.records.length)
  const ontology = new Set(library.ontology.parts)
  for (const { part, from, to } of runsOf(candidates)) {
    if (!ontology.has(part)) continue
    for (let candidate = from; candidate < to; candidate += 1) {
      const domain = library.document(candidates.keys[candidate] ?? 0)?.domain ?? null
      if (domain !== null) values[candidate] = ATTACK_DOMAINS.indexOf(domain) + 1
    }
  }
  return listedFacet({ number: 5, values, shift: 0, mask: ALL_BITS }, DOMAIN_HEADS, domains)
}

/** 1 for each set of tactics that has one of these. */
function setsWith(chosen: ReadonlySet<string>, { tactics, sets }: TacticSets): Uint8Array {
  const isChosen = tactics.map(({ id, label }) => chosen.has(foldTactic(id)) || chosen.has(foldTactic(label)))
  return Uint8Array.from(sets, (set) => (set.some((tactic) => isChosen[tactic] === true) ? 1 : 0))
}

/** A value with its label. */
interface FacetLabel {
  readonly value: string
  readonly label: string
}

function labelledByValue(value: string): FacetLabel {
  return { value, label: value }
}

/** The most frequent values that have a label. */
function topValues(counts: Uint32Array, heads: readonly (FacetLabel | null)[]): FacetValues {
  return Array.from(counts)
    .flatMap((count, number) => {
      const head = heads[number] ?? null
      return count === 0 || head === null ? [] : { value: head.value, label: head.label, count }
    })
    .sort((a, b) => b.count - a.count || compareCodeUnits(a.label, b.label))
    .slice(0, MAX_VALUES)
}
