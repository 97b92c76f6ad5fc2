import { sql } from 'kysely'
import type { CoverageSource, SourceNames } from '../../contracts/coverage.ts'
import type { Caller } from '../../http/caller.ts'
import { append } from '../../platform/append.ts'
import { Refusal } from '../../platform/errors.ts'
import type { RuleStatus } from '../../tables/statuses.ts'
import { ccisOf } from '../authoring/rules/shape.ts'
import { latestOf, listReleases, type Release } from '../catalogue/benchmarks/releases.ts'
import { manyRows } from '../database/many-rows.ts'
import { displayedName } from '../database/rule-names.ts'
import type { BenchmarkKind } from '../database/schema/benchmarks.ts'
import type { Reader } from '../database/transaction.ts'
import { readableComponents } from '../search-feed/readable.ts'

/** Limit of documents in one request. */
const MAX_SOURCES = 100

/**
 * Reads the requested documents with their rules: STIGs, SRGs, components, without duplicates and in the order of the
 * request.
 */
export async function findSources(
  reader: Reader,
  caller: Caller | null,
  names: SourceNames,
): Promise<readonly CoverageSource[]> {
  const catalogue = names.stig.length + names.srg.length === 0 ? [] : await listReleases(reader)
  const releases = [
    ...names.stig.map((name) => releaseNamed(catalogue, { kind: 'stig', name })),
    ...names.srg.map((name) => releaseNamed(catalogue, { kind: 'srg', name })),
  ]
  const components = await readableAmong(reader, caller, names)
  const count = new Set(releases).size + components.length
  if (count > MAX_SOURCES)
    throw new Refusal('parameter_invalid', `${count} documents are too many. Select at most ${MAX_SOURCES}.`)
  return [
    ...(await readBenchmarks(reader, [...new Set(releases)])),
    ...(await readComponents(reader, components, names.status)),
  ]
}

interface ReleaseName {
  readonly kind: BenchmarkKind
  readonly name: string
}

/** Finds a release by number or by benchmark id: the version after a slash, by default the newest. */
function releaseNamed(releases: readonly Release[], { kind, name }: ReleaseName): Release {
  const ofKind = releases.filter((release) => release.kind === kind)
  const [line, version] = [name.replace(/\/[^/]*$/, ''), /\/([^/]*)$/.exec(name)?.[1]]
  const isNamed = (release: Release): boolean => release.line === line || release.benchmarkId === line
  const matchingRelease =
    ofKind.find(({ id }) => String(id) === name) ??
    (version === undefined
      ? latestOf(ofKind).find(isNamed)
      : ofKind.findLast((release) => isNamed(release) && release.version === version))
  if (matchingRelease !== undefined) return matchingRelease
  throw notThere(kind, name)
}

function notThere(parameter: string, name: string): Refusal {
  return new Refusal('parameter_invalid', `${parameter}: there is no ${name}.`, { parameter })
}

/** Finds the named components and those of the named projects. Unreadable ones are refused as if they did not exist. */
async function readableAmong(
  reader: Reader,
  caller: Caller | null,
  { component, project }: SourceNames,
): Promise<readonly number[]> {
  if (component.length + project.length === 0) return []
  const readable = new Set(await readableComponents(reader, caller))
  const hidden = component.find((id) => !readable.has(id))
  if (hidden !== undefined) throw notThere('component', String(hidden))
  const rows = await componentsOf(reader, project)
  const readableRows = rows.filter(({ id }) => readable.has(id))
  const unreadable = project.find((id) => !readableRows.some(({ project_id }) => project_id === id))
  if (unreadable !== undefined) throw notThere('project', `${unreadable} with a component`)
  return [...new Set([...component, ...readableRows.map(({ id }) => id)])]
}

async function componentsOf(
  reader: Reader,
  projects: readonly number[],
): Promise<readonly { readonly id: number; readonly project_id: number }[]> {
  if (projects.length === 0) return []
  return reader
    .selectFrom('components')
    .select(['id', 'project_id'])
    .where('project_id', 'in', projects)
    .orderBy('id')
    .execute()
}

async function readBenchmarks(reader: Reader, releases: readonly Release[]): Promise<readonly CoverageSource[]> {
  if (releases.length === 0) return []
  const ids = releases.map(({ id }) => id)
  const rows = await reader
    .selectFrom('benchmark_rules as rule')
    .select(['rule.benchmark_id', 'rule.rule_id', 'rule.title', 'rule.severity'])
    .select(
      sql<string | null>`(select string_agg(value, ' ' order by value) from benchmark_idents
        where rule_id = rule.id and value like 'CCI-%')`.as('ccis'),
    )
    .where('rule.benchmark_id', 'in', ids)
    .orderBy('rule.benchmark_id')
    .orderBy('rule.position')
    .withPlugin(manyRows)
    .execute()
  const rules = new Map<number, CoverageSource['rules'][number][]>()
  for (const { benchmark_id, rule_id, title, severity, ccis } of rows)
    append(rules, benchmark_id, {
      ruleId: rule_id,
      title,
      severity,
      status: null,
      path: '',
      ccis: ccis?.split(' ') ?? [],
    })
  return releases.map(({ id, kind, benchmarkId, title, version }) => {
    const path = `/${kind}s/${id}`
    const benchmarkRules = (rules.get(id) ?? []).map((rule) => ({ ...rule, path }))
    return { kind, id, name: benchmarkId, title, version, path, rules: benchmarkRules }
  })
}

async function readComponents(
  reader: Reader,
  ids: readonly number[],
  statuses: readonly RuleStatus[],
): Promise<readonly CoverageSource[]> {
  if (ids.length === 0) return []
  const heads = await reader
    .selectFrom('components')
    .select(['id', 'name', 'prefix', 'title', 'version', 'release'])
    .where('id', 'in', ids)
    .execute()
  const rows = await reader
    .selectFrom('rules')
    .select(['id', 'component_id', 'number', 'title', 'rule_severity', 'status', 'ident'])
    .where('component_id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('status', 'in', statuses)
    .orderBy('number')
    .withPlugin(manyRows)
    .execute()
  const byId = new Map(heads.map((head) => [head.id, head]))
  return ids.flatMap((id) => {
    const head = byId.get(id)
    if (head === undefined) return []
    const { name, prefix, title, version, release } = head
    const componentRules = rows.filter((row) => row.component_id === id)
    return {
      kind: 'component' as const,
      id,
      name,
      title,
      version: version === null ? null : `V${version}R${release ?? 0}`,
      path: `/components/${id}`,
      rules: componentRules.map((row) => ({
        ruleId: displayedName(prefix, row.number),
        title: row.title,
        severity: row.rule_severity,
        status: row.status,
        path: `/rules/${row.id}`,
        ccis: ccisOf(row.ident).filter((value) => value.startsWith('CCI-')),
      })),
    }
  })
}
