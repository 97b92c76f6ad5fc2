import { sql, type Expression, type SqlBool } from 'kysely'
import { anyIn } from '../database/like.ts'
import type { BenchmarkKind } from '../database/schema/benchmarks.ts'
import type { Reader } from '../database/transaction.ts'

/** Rules that one statement searches, so that other requests run in between. */
const PORTION = 1000
/** Rules that are searched at most. */
const MOST_RULES = 50_000
/** Terms that are used: the typed one and its first other spellings. */
const MOST_TERMS = 4

/** Numbers of rules, by the field that contains a term. */
export interface SubstringMatches {
  readonly named: readonly number[]
  readonly checked: readonly number[]
}

interface SubstringSearch {
  readonly kind: BenchmarkKind
  readonly terms: readonly string[]
  /** Rules that are wanted; the search ends with the portion that reaches the number. */
  readonly limit: number
}

/**
 * Rules whose identifiers or checks contain a term anywhere, also inside words, where no index of words helps. In
 * order of their numbers.
 */
export async function findSubstringMatches(
  reader: Reader,
  { kind, terms, limit }: SubstringSearch,
): Promise<SubstringMatches> {
  const named: number[] = []
  const checked: number[] = []
  let after = 0
  for (let looked = 0; looked < MOST_RULES && named.length + checked.length < limit;) {
    const last = await endOf(reader, after)
    if (last === null) break
    const portion = { kind, terms: terms.slice(0, MOST_TERMS), after, last }
    for (const { id, is_named } of await findIn(reader, portion)) (is_named === 1 ? named : checked).push(id)
    after = last
    looked += PORTION
  }
  return { named, checked }
}

/** The number of the last rule of a portion; null at the end. */
async function endOf(reader: Reader, after: number): Promise<number | null> {
  const portion = reader.selectFrom('benchmark_rules').select('id').where('id', '>', after).orderBy('id').limit(PORTION)
  const { last } = await reader
    .selectFrom(portion.as('portion'))
    .select((is) => is.fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  return last
}

interface SearchPortion {
  readonly kind: BenchmarkKind
  readonly terms: readonly string[]
  readonly after: number
  readonly last: number
}

async function findIn(
  reader: Reader,
  { kind, terms, after, last }: SearchPortion,
): Promise<readonly { readonly id: number; readonly is_named: number }[]> {
  const holds = (...columns: readonly string[]): Expression<SqlBool> =>
    anyIn(
      columns.map((column) => sql<string>`lower(${sql.ref(column)})`),
      terms,
    )
  const ids = kind === 'stig' ? ['rule.rule_id', 'rule.group_id'] : ['rule.rule_id']
  const named = sql<SqlBool>`(${holds(...ids)} or exists (select 1 from benchmark_idents
    where rule_id = rule.id and ${holds('benchmark_idents.value')}))`
  const checked = sql<SqlBool>`exists (select 1 from benchmark_checks
    where rule_id = rule.id and ${holds('benchmark_checks.content')})`
  return reader
    .selectFrom('benchmark_rules as rule')
    .innerJoin('benchmarks as release', 'release.id', 'rule.benchmark_id')
    .select('rule.id')
    .select(sql<number>`case when ${named} then 1 else 0 end`.as('is_named'))
    .where('release.kind', '=', kind)
    .where('rule.id', '>', after)
    .where('rule.id', '<=', last)
    .where(sql<SqlBool>`(${named} or ${checked})`)
    .orderBy('rule.id')
    .execute()
}
