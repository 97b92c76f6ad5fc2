import { sql } from 'kysely'
import type { Search } from '../../contracts/search.ts'
import type { GuidanceSearchRequest } from '../../contracts/sources.ts'
import type { Caller } from '../../http/caller.ts'
import type { Database } from '../database/database.ts'
import type { Reader } from '../database/transaction.ts'
import { isQuoted, namesLike, namesWith, partsOf, termQueries } from './global-query.ts'
import type { RecordLookup } from './global-records.ts'
import type { GlobalSearchResult } from './global-schemas.ts'
import { rulesWith } from './literal.ts'

/** Rules that one term can give. */
const MOST = 100
/** Terms that are looked for inside words: the typed one and its first other spellings. */
const MOST_INSIDE = 4
/** Rules whose texts are read for such terms at most. */
const MOST_CANDIDATES = 500

type CatalogueGroups = Pick<GlobalSearchResult, 'stig_rules' | 'srg_rules'>
type CatalogueKind = 'rule' | 'requirement'

/** Records of guidance by their words, as far as somebody may read them. */
export type GuidanceSearch = Pick<Search<Caller | null>, 'match' | 'keys' | 'texts' | 'likeness'>

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
  const stigRules = await findOf(parts, 'rule', lookup)
  const srgRules = await findOf(parts, 'requirement', lookup)
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

/** Their numbers, best matches first. */
async function findOf(parts: GlobalSearchParts, kind: CatalogueKind, lookup: RecordLookup): Promise<readonly number[]> {
  const { text, limit } = lookup
  const { named, checked, worded } = await findIndexed(parts, kind, lookup)
  const found = new Set([...named, ...checked, ...worded])
  if (found.size >= limit || isQuoted(text)) return [...found].slice(0, limit)
  const inside = await findInside(parts, kind, lookup)
  return [...new Set([...named, ...inside.named, ...checked, ...inside.checked, ...worded])].slice(0, limit)
}

interface RuleNumbers {
  /** With a term in an identifier. */
  readonly named: readonly number[]
  /** With a term in the check, as it is written. */
  readonly checked: readonly number[]
}

/** Rules by identifiers that begin with a term, and by whole words. */
async function findIndexed(
  { database, search }: GlobalSearchParts,
  kind: CatalogueKind,
  { text, terms, limit }: RecordLookup,
): Promise<RuleNumbers & { readonly worded: readonly number[] }> {
  const queries = termQueries(text, terms)
  // Words beside a phrase are no identifiers.
  const names = isQuoted(text) && terms.length > 1 ? [] : terms
  const found = await findNumbers(search, kind, MOST, [
    ...queries.map((words) => ({ ...words, where: 'title' }) as const),
    ...queries.map((words) => ({ ...words, where: 'anywhere' }) as const),
    ...names.map((term) => ({ wanted: namesLike(term), where: 'names' }) as const),
  ])
  const named = new Set(found.slice(2 * queries.length).flat())
  const [checked, worded] = [new Set<number>(), new Set<number>()]
  for (const [place, { terms: literal }] of queries.entries()) {
    if (new Set([...named, ...checked]).size >= limit) break
    const ids = new Set([...(found[place] ?? []), ...(found[queries.length + place] ?? [])])
    const having = await rulesWith(database.read, [...ids], { terms: literal, where: 'check', most: limit })
    for (const id of having) checked.add(id)
    for (const id of ids) worded.add(id)
  }
  return { named: [...named], checked: [...checked], worded: [...worded] }
}

/** Rules with a term inside the words of an identifier or a check. The index leads to them, their texts decide. */
async function findInside(
  { database, search }: GlobalSearchParts,
  kind: CatalogueKind,
  { terms, limit }: RecordLookup,
): Promise<RuleNumbers> {
  const literal = { terms: terms.slice(0, MOST_INSIDE), most: limit }
  const found = await findNumbers(search, kind, MOST_CANDIDATES, [
    ...literal.terms.map((term) => ({ wanted: namesWith(term), where: 'names' }) as const),
    ...literal.terms.map((term) => ({ wanted: partsOf(term), where: 'check' }) as const),
  ])
  const byName = new Set(found.slice(0, literal.terms.length).flat())
  const byCheck = new Set(found.slice(literal.terms.length).flat())
  return {
    named: await rulesWith(database.read, [...byName], { ...literal, where: 'names' }),
    checked: await rulesWith(database.read, [...byCheck], { ...literal, where: 'check' }),
  }
}

type RuleQuestion = Pick<GuidanceSearchRequest, 'wanted' | 'unwanted' | 'where'>

/** Numbers of the rules for each question, in the order in which the rules were stored. */
async function findNumbers(
  search: GuidanceSearch,
  kind: CatalogueKind,
  limit: number,
  questions: readonly RuleQuestion[],
): Promise<readonly (readonly number[])[]> {
  const about = { kinds: [kind], severity: null, benchmarks: 'all', limit } as const
  const found = await search.keys(
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
