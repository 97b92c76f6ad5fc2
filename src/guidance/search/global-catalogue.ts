import { sql } from 'kysely'
import type { GuidanceSearchRequest } from '../../contracts/guidance-records.ts'
import type { Search } from '../../contracts/search.ts'
import type { Caller } from '../../http/caller.ts'
import type { Database } from '../database/database.ts'
import type { Reader } from '../database/transaction.ts'
import { filterByTerms } from './filter-by-terms.ts'
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

type CatalogueGroups = Pick<GlobalSearchResult, 'stig_rules' | 'srg_rules'>
type CatalogueKind = 'rule' | 'requirement'

/** The search in records of guidance. */
export type GuidanceSearch = Pick<Search<Caller | null>, 'findMatches' | 'findKeys' | 'texts' | 'similarity'>

export interface GlobalSearchParts {
  readonly database: Database
  readonly search: GuidanceSearch
}

/**
 * Rules of every release in the catalogue: first those with an identifier that contains a term, then those whose check
 * contains it literally, then those with all its words, in titles first (docs/contract.md, Global search). Terms inside
 * words are only looked for if whole words give too few rules.
 */
export async function findCatalogueRules(parts: GlobalSearchParts, lookup: RecordLookup): Promise<CatalogueGroups> {
  const stigRules = await findRuleNumbers(parts, 'rule', lookup)
  const srgRules = await findRuleNumbers(parts, 'requirement', lookup)
  const details = await findDetails(parts.database.read, [...stigRules, ...srgRules])
  const rowsOf = (ids: readonly number[]): readonly RuleDetail[] => ids.flatMap((id) => details.get(id) ?? [])
  return {
    stig_rules: rowsOf(stigRules).map(({ vuln_id, release_id, release_name, ...rule }) => {
      return { ...rule, vuln_id, stig_id: release_id, stig_name: release_name }
    }),
    srg_rules: rowsOf(srgRules).map(({ id, rule_id, title, fixtext, ident, ...row }) => {
      const group = { srg_id: row.release_id, srg_name: row.release_name }
      return { id, rule_id, title, fixtext, ident, ...group }
    }),
  }
}

/** Numbers of the rules, best matches first. */
async function findRuleNumbers(
  parts: GlobalSearchParts,
  kind: CatalogueKind,
  lookup: RecordLookup,
): Promise<readonly number[]> {
  const { text, limit } = lookup
  const { byIdentifier, byCheck, byWords } = await findIndexed(parts, kind, lookup)
  const found = new Set([...byIdentifier, ...byCheck, ...byWords])
  if (found.size >= limit || isQuoted(text)) return [...found].slice(0, limit)
  const inside = await findInside(parts, kind, lookup)
  return [...new Set([...byIdentifier, ...inside.byIdentifier, ...byCheck, ...inside.byCheck, ...byWords])].slice(
    0,
    limit,
  )
}

interface RuleNumbers {
  /** With a term in an identifier. */
  readonly byIdentifier: readonly number[]
  /** With a term in the check, literally. */
  readonly byCheck: readonly number[]
}

/** Rules by identifiers that begin with a term, and by whole words. */
async function findIndexed(
  { database, search }: GlobalSearchParts,
  kind: CatalogueKind,
  { text, terms, limit }: RecordLookup,
): Promise<RuleNumbers & { readonly byWords: readonly number[] }> {
  const queries = termQueries(text, terms)
  // Words beside a phrase are not identifiers.
  const names = isQuoted(text) && terms.length > 1 ? [] : terms
  const found = await findNumbers(search, kind, MAX_RULES, [
    ...queries.map((words) => ({ ...words, searchedField: 'title' }) as const),
    ...queries.map((words) => ({ ...words, searchedField: 'anywhere' }) as const),
    ...names.map((term) => ({ required: identifiersStartingWith(term), searchedField: 'names' }) as const),
  ])
  const named = new Set(found.slice(2 * queries.length).flat())
  const [checked, worded] = [new Set<number>(), new Set<number>()]
  for (const [place, { terms: literal }] of queries.entries()) {
    if (new Set([...named, ...checked]).size >= limit) break
    const ids = new Set([...(found[place] ?? []), ...(found[queries.length + place] ?? [])])
    const matching = await filterByTerms(database.read, [...ids], { terms: literal, field: 'check', limit: limit })
    for (const id of matching) checked.add(id)
    for (const id of ids) worded.add(id)
  }
  return { byIdentifier: [...named], byCheck: [...checked], byWords: [...worded] }
}

/** Rules with a term inside the words of an identifier or a check: candidates from the index, filtered by their texts. */
async function findInside(
  { database, search }: GlobalSearchParts,
  kind: CatalogueKind,
  { terms, limit }: RecordLookup,
): Promise<RuleNumbers> {
  const literal = { terms: terms.slice(0, MAX_INSIDE), limit }
  const found = await findNumbers(search, kind, MAX_CANDIDATES, [
    ...literal.terms.map((term) => ({ required: identifiersContaining(term), searchedField: 'names' }) as const),
    ...literal.terms.map((term) => ({ required: textsContaining(term), searchedField: 'check' }) as const),
  ])
  const byName = new Set(found.slice(0, literal.terms.length).flat())
  const byCheck = new Set(found.slice(literal.terms.length).flat())
  return {
    byIdentifier: await filterByTerms(database.read, [...byName], { ...literal, field: 'names' }),
    byCheck: await filterByTerms(database.read, [...byCheck], { ...literal, field: 'check' }),
  }
}

/** Numbers of the rules for each question, in the order in which the rules were stored. */
async function findNumbers(
  search: GuidanceSearch,
  kind: CatalogueKind,
  limit: number,
  questions: readonly Pick<GuidanceSearchRequest, 'required' | 'excluded' | 'searchedField'>[],
): Promise<readonly (readonly number[])[]> {
  const about = { kinds: [kind], severity: null, benchmarks: 'all', limit } as const
  const found = await search.findKeys(
    null,
    questions.map((question) => ({ ...about, ...question })),
  )
  return found.map((keys) => keys.map(({ id }) => id))
}

interface RuleDetail {
  readonly id: number
  readonly rule_id: string
  readonly title: string
  readonly vuln_id: string | null
  readonly fixtext: string | null
  readonly ident: string | null
  readonly release_id: number
  readonly release_name: string
}

async function findDetails(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, RuleDetail>> {
  if (ids.length === 0) return new Map()
  const rows = await reader
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
  return new Map(rows.map((row) => [row.id, row]))
}
