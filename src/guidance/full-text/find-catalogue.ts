import { sql, type RawBuilder } from 'kysely'
import type { GuidanceKind, GuidanceMatch, GuidanceQuestion } from '../../contracts/sources.ts'
import type { Iris } from '../catalogue/linked-data/graph/iris.ts'
import type { Database } from '../database/database.ts'
import { manyRows } from '../database/many-rows.ts'
import type { BenchmarkKind } from '../database/schema/benchmarks.ts'
import { entriesInPostgres, firstOf, isIn, matchInSqlite, type Sought } from './expression.ts'

/** Up to this many benchmarks are searched one by one, instead of searching all rules with the words. */
const FEW = 16

const BENCHMARKS: Readonly<Partial<Record<GuidanceKind, BenchmarkKind>>> = {
  requirement: 'srg',
  rule: 'stig',
}
const KINDS = { srg: 'requirement', stig: 'rule' } as const

/** Rules and requirements of the catalogue, in order of their numbers. One query. */
export async function findCatalogueRules(
  { dialect, read }: Database,
  iris: Iris,
  question: GuidanceQuestion,
): Promise<readonly GuidanceMatch[]> {
  const found = numbersOf(dialect, question)
  if (found === null) return []
  const rows = await read
    .selectFrom('benchmark_rules as rule')
    .innerJoin('benchmarks as release', 'release.id', 'rule.benchmark_id')
    .select(['rule.id', 'rule.rule_id', 'rule.group_id', 'rule.group_title', 'rule.version'])
    .select(['rule.title', 'rule.severity', 'rule.status', 'release.id as release_id'])
    .select(['release.kind', 'release.benchmark_id', 'release.title as release_title'])
    .select('release.version as release_version')
    .select(
      sql<string | null>`(select string_agg(value, ' ' order by value) from benchmark_idents
        where rule_id = rule.id)`.as('idents'),
    )
    .where('rule.id', 'in', found)
    .orderBy('rule.id')
    .withPlugin(manyRows)
    .execute()
  return rows.map((row) => shapeRule(row, iris))
}

interface RuleRow {
  readonly id: number
  readonly rule_id: string
  readonly group_id: string | null
  readonly group_title: string | null
  readonly version: string | null
  readonly title: string
  readonly severity: string
  readonly status: string | null
  readonly release_id: number
  readonly kind: BenchmarkKind
  readonly benchmark_id: string
  readonly release_title: string
  readonly release_version: string
  readonly idents: string | null
}

/** Written out, as in every shape of long lists: object spread takes many times as long. */
function shapeRule(row: RuleRow, iris: Iris): GuidanceMatch {
  const { kind, idents } = row
  const benchmark = {
    id: row.release_id,
    kind,
    benchmarkId: row.benchmark_id,
    title: row.release_title,
    version: row.release_version,
  }
  const values = idents?.split(' ') ?? []
  return {
    kind: KINDS[kind],
    recordId: row.id,
    iri: iris.rule(benchmark, row.rule_id),
    path: `/${kind}s/${row.release_id}`,
    title: row.title,
    names: namesOf(row).concat(values.filter((value) => !value.startsWith('CCI-'))),
    severity: row.severity,
    status: row.status,
    benchmark,
    component: null,
    ccis: values.filter((value) => value.startsWith('CCI-')),
  }
}

/** Without duplicates. */
function namesOf({ rule_id, group_id, version, group_title }: RuleRow): string[] {
  const names = [rule_id]
  for (const name of [group_id, version, isId(group_title) ? group_title : null])
    if (name !== null && !names.includes(name)) names.push(name)
  return names
}

/** Group titles are ids of requirements in most benchmarks, and prose in others. */
function isId(text: string | null): boolean {
  return text !== null && /^\S+$/.test(text)
}

type Dialect = Database['dialect']

function numbersOf(dialect: Dialect, question: GuidanceQuestion): RawBuilder<number> | null {
  const { kinds, severity, benchmarks, limit } = question
  const of = kinds.flatMap((kind) => BENCHMARKS[kind] ?? [])
  if (of.length === 0) return null
  const sought: Sought = { ...question, kind: 'benchmark_rule' }
  const releases = releasesOf(dialect, benchmarks, of)
  const severe = severity === null ? sql`` : sql`and rule.severity = ${severity}`
  if (Array.isArray(benchmarks) && benchmarks.length <= FEW) {
    const filter = sql`rule.benchmark_id in (${releases}) ${severe}`
    return oneByOne(dialect, sought, { releases, filter, limit })
  }
  const filter = sql`rule.benchmark_id ${isIn(dialect, sql`(${releases})`)} ${severe}`
  return firstOf(dialect, sought, { table: 'benchmark_rules', filter, limit })
}

interface ReleaseFilter {
  readonly releases: RawBuilder<unknown>
  readonly filter: RawBuilder<unknown>
  readonly limit: number
}

/** The rules of a benchmark were stored together, so SQLite need not read the others. */
function oneByOne(
  dialect: Dialect,
  sought: Sought,
  { releases, filter, limit }: ReleaseFilter,
): RawBuilder<number> | null {
  if (dialect === 'postgres') {
    const entries = entriesInPostgres(sought, sql`null`)
    if (entries === null) return null
    return sql`(select entry.id from (${entries}) as entry
      join benchmark_rules as rule on rule.id = entry.id
      where ${filter} order by rule.id limit ${limit})`
  }
  const matches = matchInSqlite(sought)
  if (matches === null) return null
  return sql`(select rule.id from (
      select min(id) as first, max(id) as last from benchmark_rules
      where benchmark_id in (${releases}) group by benchmark_id) as release
    cross join benchmark_rule_words
      on benchmark_rule_words.rowid between release.first and release.last
    cross join benchmark_rules as rule on rule.id = benchmark_rule_words.rowid
    where ${matches} and ${filter} order by rule.id limit ${limit})`
}

function releasesOf(
  dialect: Dialect,
  benchmarks: GuidanceQuestion['benchmarks'],
  kinds: readonly BenchmarkKind[],
): RawBuilder<unknown> {
  if (benchmarks === null) return newest(kinds)
  const all = sql`select id from benchmarks where kind in (${sql.join(kinds)})`
  if (benchmarks === 'all') return all
  const given = JSON.stringify(benchmarks)
  return dialect === 'sqlite'
    ? sql`${all} and id in (select value from json_each(${given}))`
    : sql`${all} and id in (select value::integer from json_array_elements_text(${given}::json))`
}

/** The newest release of each line, by the same rule as `latestOf` (`benchmarks/releases.ts`). */
function newest(kinds: readonly string[]): RawBuilder<unknown> {
  return sql`
    select id from (
      select release.id, row_number() over (
        partition by release.kind, coalesce(alias.benchmark_id, release.benchmark_id)
        order by release.major desc, release.minor desc, release.patch desc, release.id desc
      ) as place
      from benchmarks as release
      left join benchmark_aliases as alias on alias.alias = release.benchmark_id
      where release.kind in (${sql.join(kinds)})
    ) as placed where place = 1`
}
