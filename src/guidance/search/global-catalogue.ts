import { sql } from 'kysely'
import type { RecordNumbers } from '../../contracts/guidance-records.ts'
import type { Search } from '../../contracts/search.ts'
import type { Caller } from '../../http/caller.ts'
import type { Database } from '../database/database.ts'
import type { Reader } from '../database/transaction.ts'
import { filterByTerms, type LiteralTerms } from './filter-by-terms.ts'
import {
  isQuoted,
  identifiersStartingWith,
  identifiersContaining,
  textsContaining,
  termQueries,
} from './global-query.ts'
import type { RecordLookup } from './global-records.ts'
import type { GlobalSearchResult } from './global-schemas.ts'

/** Rules that one term can give. */
const MAX_RULES = 100
/** Limit of terms that are searched inside words. */
const MAX_INSIDE = 4
/** Limit of rules whose texts are read for such terms. */
const MAX_CANDIDATES = 500

const KINDS = ['rule', 'requirement'] as const
const ALL_RELEASES = { severity: null, benchmarks: 'all' } as const

type CatalogueGroups = Pick<GlobalSearchResult, 'stig_rules' | 'srg_rules'>
type CatalogueKind = (typeof KINDS)[number]

/** The search in records of guidance. */
export type GuidanceSearch = Pick<Search<Caller | null>, 'findMatches' | 'findNumbers' | 'texts' | 'similarity'>

export interface GlobalSearchParts {
  readonly database: Database
  readonly search: GuidanceSearch
}

/**
 * Rules of every release in the catalogue: first those with an identifier that contains a term, then those whose check
 * contains it literally, then those with all its words, in titles first (docs/contract.md, Global search). Terms inside
 * words are only looked for if whole words give too few rules.
 */
export async function findCatalogueRules(
  { database: { read }, search }: GlobalSearchParts,
  lookup: RecordLookup,
): Promise<CatalogueGroups> {
  const { text, limit } = lookup
  const { named: byRecordName, worded } = await findWholeWords(search, lookup)
  const records = worded.flatMap((words) => words.records)
  const lacking = KINDS.filter((kind) => numbersOf(kind, [...byRecordName, ...records]).length < limit)
  const [byName, byCheck] = isQuoted(text) || lacking.length === 0 ? [] : await findInside(search, lookup, lacking)
  const literal = [byName ?? [], worded, byCheck ?? []].flat()
  const stigRules = await firstRules(read, { kind: 'rule', named: byRecordName, literal, records }, limit)
  const srgRules = await firstRules(read, { kind: 'requirement', named: byRecordName, literal, records }, limit)
  const rules = await findDetails(read, [...stigRules, ...srgRules])
  const details = new Map(rules.map((rule) => [rule.id, rule]))
  const rowsOf = (ids: readonly number[]): readonly RuleDetail[] => ids.flatMap((id) => details.get(id) ?? [])
  return {
    stig_rules: rowsOf(stigRules).map(({ vuln_id, release_id, release_name, ...rule }) => {
      return { ...rule, vuln_id, stig_id: release_id, stig_name: release_name }
    }),
    srg_rules: rowsOf(srgRules).map(({ id, rule_id, title, fixtext, ident, ...row }) => {
      return { id, rule_id, title, fixtext, ident, srg_id: row.release_id, srg_name: row.release_name }
    }),
  }
}

/** Rules that may contain a term literally. */
interface LiteralCandidates extends Omit<LiteralTerms, 'limit'> {
  readonly records: readonly RecordNumbers[]
}

interface WholeWords {
  /** With an identifier that begins with a term. */
  readonly named: readonly RecordNumbers[]
  /** With all words of a term, for each query. */
  readonly worded: readonly LiteralCandidates[]
}

async function findWholeWords(search: GuidanceSearch, { text, terms }: RecordLookup): Promise<WholeWords> {
  const queries = termQueries(text, terms)
  // Words beside a phrase are not identifiers.
  const names = isQuoted(text) && terms.length > 1 ? [] : terms
  const searches = [
    ...queries.map((words) => ({ ...words, searchedField: 'title' }) as const),
    ...queries.map((words) => ({ ...words, searchedField: 'anywhere' }) as const),
    ...names.map((term) => ({ required: identifiersStartingWith(term), searchedField: 'names' }) as const),
  ]
  const numbers = await search.findNumbers(null, { ...ALL_RELEASES, kinds: KINDS, searches, limit: MAX_RULES })
  const anywhere = numbers.slice(queries.length)
  return {
    named: numbers.slice(2 * queries.length),
    worded: queries.map((query, index) => {
      return { terms: query.terms, field: 'check', records: [numbers, anywhere].flatMap((list) => list[index] ?? []) }
    }),
  }
}

/** Rules with a term inside the words of an identifier, and of a check. */
async function findInside(
  search: GuidanceSearch,
  lookup: RecordLookup,
  kinds: readonly CatalogueKind[],
): Promise<readonly LiteralCandidates[]> {
  const terms = lookup.terms.slice(0, MAX_INSIDE)
  const searches = [
    ...terms.map((term) => ({ required: identifiersContaining(term), searchedField: 'names' }) as const),
    ...terms.map((term) => ({ required: textsContaining(term), searchedField: 'check' }) as const),
  ]
  const numbers = await search.findNumbers(null, { ...ALL_RELEASES, kinds, searches, limit: MAX_CANDIDATES })
  return [
    { terms, field: 'names', records: numbers.slice(0, terms.length) },
    { terms, field: 'check', records: numbers.slice(terms.length) },
  ]
}

interface Candidates {
  readonly kind: CatalogueKind
  readonly named: readonly RecordNumbers[]
  readonly literal: readonly LiteralCandidates[]
  /** Rules that are found also without a literal term. */
  readonly records: readonly RecordNumbers[]
}

/** Numbers of the rules of a kind, best matches first. */
async function firstRules(
  reader: Reader,
  { kind, named: byName, literal, records }: Candidates,
  limit: number,
): Promise<readonly number[]> {
  const first = new Set(numbersOf(kind, byName))
  for (const { records: literalRecords, ...terms } of literal) {
    const others = numbersOf(kind, literalRecords).filter((id) => !first.has(id))
    for (const id of await filterByTerms(reader, others, { ...terms, limit: limit - first.size })) first.add(id)
  }
  return [...new Set([...first, ...numbersOf(kind, records)])].slice(0, limit)
}

/** Each number once. */
function numbersOf(kind: CatalogueKind, records: readonly RecordNumbers[]): readonly number[] {
  return [...new Set(records.flatMap((numbers) => numbers.get(kind) ?? []))]
}

type RuleDetail = Awaited<ReturnType<typeof findDetails>>[number]

async function findDetails(reader: Reader, ids: readonly number[]) {
  if (ids.length === 0) return []
  return reader
    .selectFrom('benchmark_rules as rule')
    .innerJoin('benchmarks', 'benchmarks.id', 'rule.benchmark_id')
    .select(['rule.id', 'rule.rule_id', 'rule.title', 'rule.group_id as vuln_id'])
    .select(['benchmarks.id as release_id', 'benchmarks.name as release_name'])
    .select(
      sql<string | null>`(select text from benchmark_fixes where rule_id = rule.id
        order by id limit 1)`.as('fixtext'),
    )
    .select(
      sql<string | null>`(select string_agg(value, ', ' order by value) from benchmark_idents
        where rule_id = rule.id and system <> 'http://cyber.mil/legacy')`.as('ident'),
    )
    .where('rule.id', 'in', ids)
    .execute()
}
