import { sql } from 'kysely'
import type { GuidanceMatch } from '../../contracts/guidance-records.ts'
import type { RecordKey } from '../../contracts/search-feed.ts'
import type { Iris } from '../catalogue/linked-data/graph/iris.ts'
import { manyRows } from '../database/many-rows.ts'
import { displayedName } from '../database/rule-names.ts'
import type { Reader } from '../database/transaction.ts'
import { idsOf } from './keys.ts'

const KINDS = { srg: 'requirement', stig: 'rule' } as const

/** See `SearchFeed`. One query for each kind of table. */
export async function findMatches(
  reader: Reader,
  iris: Iris,
  keys: readonly RecordKey[],
): Promise<readonly GuidanceMatch[]> {
  const matchesByKind = await Promise.all([
    findCatalogue(reader, iris, idsOf(keys, 'requirement', 'rule')),
    findAuthored(reader, idsOf(keys, 'authored-rule')),
    findComponents(reader, idsOf(keys, 'component')),
  ])
  const matches = new Map(matchesByKind.flat().map((match) => [`${match.kind} ${match.recordId}`, match]))
  return keys.flatMap(({ kind, id }) => matches.get(`${kind} ${id}`) ?? [])
}

async function findCatalogue(reader: Reader, iris: Iris, ids: readonly number[]): Promise<readonly GuidanceMatch[]> {
  if (ids.length === 0) return []
  const rows = await findRuleRows(reader, ids)
  return rows.map((row) => shapeRule(row, iris))
}

function findRuleRows(reader: Reader, ids: readonly number[]) {
  return reader
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
    .where('rule.id', 'in', ids)
    .withPlugin(manyRows)
    .execute()
}

type RuleRow = Awaited<ReturnType<typeof findRuleRows>>[number]

/** Without spreading objects, which takes many times as long in long lists. */
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

/** The names of a rule without duplicates. */
function namesOf({ rule_id, group_id, version, group_title }: RuleRow): string[] {
  const names = [rule_id]
  for (const name of [group_id, version, isId(group_title) ? group_title : null])
    if (name !== null && !names.includes(name)) names.push(name)
  return names
}

/** The title of a group is the id of a requirement in most benchmarks, and prose in others. */
function isId(text: string | null): boolean {
  return text !== null && /^\S+$/.test(text)
}

async function findAuthored(reader: Reader, ids: readonly number[]): Promise<readonly GuidanceMatch[]> {
  if (ids.length === 0) return []
  const rows = await reader
    .selectFrom('rules as rule')
    .innerJoin('components', 'components.id', 'rule.component_id')
    .select(['rule.id', 'rule.number', 'rule.version', 'rule.minted_id', 'rule.vuln_id'])
    .select(['rule.title', 'rule.rule_severity as severity', 'rule.status', 'rule.ident'])
    .select(['components.id as component_id', 'components.name', 'components.prefix'])
    .where('rule.id', 'in', ids)
    .where('rule.deleted_at', 'is', null)
    .execute()
  return rows.map((row) => ({
    kind: 'authored-rule',
    recordId: row.id,
    iri: null,
    path: `/rules/${row.id}`,
    title: row.title,
    severity: row.severity,
    status: row.status,
    benchmark: null,
    names: [
      displayedName(row.prefix, row.number),
      ...[row.vuln_id, row.minted_id, row.version].filter((name) => name !== null),
    ],
    component: { id: row.component_id, name: row.name, prefix: row.prefix },
    ccis: row.ident?.split(', ').filter((value) => value.startsWith('CCI-')) ?? [],
  }))
}

async function findComponents(reader: Reader, ids: readonly number[]): Promise<readonly GuidanceMatch[]> {
  if (ids.length === 0) return []
  const rows = await reader.selectFrom('components').select(['id', 'name', 'prefix']).where('id', 'in', ids).execute()
  return rows.map(({ id, name, prefix }) => ({
    kind: 'component',
    recordId: id,
    iri: null,
    path: `/components/${id}`,
    title: name,
    names: [prefix, name],
    severity: null,
    status: null,
    benchmark: null,
    component: { id, name, prefix },
    ccis: [],
  }))
}
