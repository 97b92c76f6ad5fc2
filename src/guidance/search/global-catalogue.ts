import { sql } from 'kysely'
import type { Search } from '../../contracts/search.ts'
import type { GuidanceMatch } from '../../contracts/sources.ts'
import type { Caller } from '../../http/caller.ts'
import { foldText } from '../../platform/characters.ts'
import type { Database } from '../database/database.ts'
import type { Reader } from '../database/transaction.ts'
import { namesLike, termQueries } from './global-query.ts'
import type { RecordLookup } from './global-records.ts'
import type { GlobalSearchResult } from './global-schemas.ts'
import { findSubstringMatches } from './substrings.ts'

/** Rules that one term can give. */
const MOST = 100

type CatalogueGroups = Pick<GlobalSearchResult, 'stig_rules' | 'srg_rules'>
type CatalogueKind = 'rule' | 'requirement'

const BENCHMARKS = { rule: 'stig', requirement: 'srg' } as const

/** Records of guidance by their words, as far as somebody may read them. */
export type GuidanceSearch = Pick<Search<Caller | null>, 'match' | 'texts' | 'likeness'>

export interface GlobalSearchParts {
  readonly database: Database
  readonly search: GuidanceSearch
}

/**
 * Rules of every release in the catalogue: first those with an identifier that contains a term, then those whose check
 * contains it literally, then those with all its words, in titles first (docs/contract.md, Global search). The index of
 * words is asked first; terms inside words are only looked for if it gives too few.
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
async function findOf(
  { database, search }: GlobalSearchParts,
  kind: CatalogueKind,
  { text, terms, limit }: RecordLookup,
): Promise<readonly number[]> {
  const question = { kinds: [kind], severity: null, benchmarks: 'all', limit: MOST } as const
  const named: number[] = []
  for (const term of terms) {
    const substringQuery = { ...question, wanted: namesLike(term), where: 'names' } as const
    named.push(...numbersOf(await search.match(null, substringQuery)))
  }
  const [checked, worded]: [number[], number[]] = [[], []]
  for (const { terms: literal, ...words } of termQueries(text, terms)) {
    if (new Set([...named, ...checked]).size >= limit) break
    const query = { ...question, ...words }
    const titled = await search.match(null, { ...query, where: 'title' })
    const anywhere = await search.match(null, { ...query, where: 'anywhere' })
    checked.push(...numbersOf(await withCheck(search, [...titled, ...anywhere], literal)))
    worded.push(...numbersOf([...titled, ...anywhere]))
  }
  const found = new Set([...named, ...checked, ...worded])
  if (found.size >= limit) return [...found].slice(0, limit)
  const substringMatches = await findSubstringMatches(database.read, { kind: BENCHMARKS[kind], terms, limit })
  const all = new Set([...named, ...substringMatches.named, ...checked, ...substringMatches.checked, ...worded])
  return [...all].slice(0, limit)
}

async function withCheck(
  search: GuidanceSearch,
  matches: readonly GuidanceMatch[],
  terms: readonly string[],
): Promise<readonly GuidanceMatch[]> {
  const texts = await search.texts(matches.map(({ kind, recordId }) => ({ kind, id: recordId })))
  const sought = terms.map(foldText)
  return matches.filter(({ kind, recordId }) => {
    const fields = texts.get(`${kind} ${recordId}`) ?? []
    const checks = fields.filter(({ field }) => field === 'check').map(({ text }) => foldText(text))
    return checks.some((check) => sought.some((term) => check.includes(term)))
  })
}

function numbersOf(matches: readonly GuidanceMatch[]): readonly number[] {
  return matches.map(({ recordId }) => recordId)
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
