import type {
  GuidancePhrases,
  GuidanceScope,
  GuidanceSearchRequest,
  NumbersRequest,
  RecordNumbers,
} from '../../contracts/guidance-records.ts'
import type { RecordKey } from '../../contracts/search-feed.ts'
import type { GuidanceKind } from '../../contracts/sources.ts'
import { ANY_FIELD, FIELD_BITS } from '../index/fields.ts'
import { kindNumber, KINDS, recordOf, severityOf } from '../index/keys.ts'
import { ownerNumber, type Library } from '../index/library.ts'
import { matchingKeys } from '../index/matching-keys.ts'
import type { IndexPart } from '../index/record-index.ts'
import { factorsOf } from '../ranking/owner-factors.ts'
import { similaritiesTo } from '../ranking/similarity.ts'

const FIELDS = {
  names: FIELD_BITS.names | FIELD_BITS.cited,
  title: FIELD_BITS.title,
  check: FIELD_BITS.check,
  anywhere: ANY_FIELD,
}

/** Records that match all required phrases, sorted by group and number. The limit applies to each group. */
export function matchGuidance(library: Library, question: GuidanceSearchRequest): readonly RecordKey[] {
  const keys = keyFinder(library, question)(question)
  const sortedKeys = sortKeys(library, keys, question.rankBy)
  return GROUPS.flatMap((group) => firstOfGroup(sortedKeys, { ...question, group }))
}

/** Numbers of the records that match each search. The limit applies to each kind. */
export function matchNumbers(library: Library, { searches, ...scope }: NumbersRequest): readonly RecordNumbers[] {
  const findKeys = keyFinder(library, scope)
  return searches.map((phrases) => {
    const keys = sortKeys(library, findKeys(phrases), undefined)
    return new Map(
      scope.kinds.map((kind) => [kind, firstOfGroup(keys, { ...scope, group: [kind] }).map(({ id }) => id)]),
    )
  })
}

function keyFinder(library: Library, scope: GuidanceScope): (phrases: GuidancePhrases) => readonly number[] {
  const accepts = recordFilter(library, scope)
  const parts = partsWith(library, scope.kinds)
  return ({ required, excluded = [], searchedField }) => {
    const criteria = { required, excluded, fields: FIELDS[searchedField] }
    return parts.flatMap((part) => matchingKeys(part, criteria, (record) => accepts(part, record)))
  }
}

function partsWith({ catalogue, authored }: Library, kinds: readonly GuidanceKind[]): readonly IndexPart[] {
  const [ofCatalogue = []] = GROUPS
  return [
    ...(kinds.some((kind) => ofCatalogue.includes(kind)) ? catalogue.parts : []),
    ...(kinds.some((kind) => !ofCatalogue.includes(kind)) ? authored.parts : []),
  ]
}

function firstOfGroup(
  keys: Float64Array,
  scope: Pick<GuidanceSearchRequest, 'kinds' | 'limit'> & { readonly group: readonly GuidanceKind[] },
): readonly RecordKey[] {
  const kinds = scope.group.filter((kind) => scope.kinds.includes(kind))
  const first: RecordKey[] = []
  for (const key of kinds.length === 0 ? [] : keys) {
    if (first.length >= scope.limit) break
    const kind = kinds.find((candidate) => KINDS[kindNumber(key)] === candidate)
    if (kind !== undefined) first.push({ kind, id: recordOf(key).id })
  }
  return first
}

/** Typed arrays, because there may be tens of thousands of keys. */
function sortKeys(library: Library, keys: readonly number[], rankBy: string | undefined): Float64Array {
  const byNumber = Float64Array.from(keys).sort()
  if (rankBy === undefined) return byNumber
  const similarities = similaritiesTo(rankBy, new Set(keys), library)
  return byNumber.sort((a, b) => (similarities.get(b) ?? 0) - (similarities.get(a) ?? 0))
}

const GROUPS: readonly (readonly GuidanceKind[])[] = [['requirement', 'rule'], ['authored-rule'], ['component']]

function recordFilter(
  library: Library,
  { severity, benchmarks, componentId }: GuidanceScope,
): (part: IndexPart, record: number) => boolean {
  const factors = factorsOf(library, { releases: benchmarks === 'all' ? 'all' : new Set(benchmarks ?? []) })
  const isSearched = (owner: number): boolean => (factors[owner] ?? 0) > 0
  const benchmarkIds = benchmarks === null || benchmarks === 'all' ? null : new Set(benchmarks)
  const only = componentId === undefined ? null : ownerNumber({ kind: 'component', id: componentId })
  return ({ segment }, record) => {
    const owner = segment.owners[record] ?? 0
    if (!isSearched(owner)) return false
    if (severity !== null && severityOf(segment.severities[record] ?? 0) !== severity) return false
    const benchmark = library.owners.get(owner)
    if (benchmark?.kind === 'benchmark') return benchmarkIds === null || benchmarkIds.has(benchmark.id)
    return only === null || owner === only
  }
}
