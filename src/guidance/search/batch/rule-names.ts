import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { GuidanceMatch } from '../../../contracts/guidance-records.ts'
import { append } from '../../../platform/append.ts'
import { latestOf, listReleases, type Release } from '../../catalogue/benchmarks/releases.ts'
import { LEGACY } from '../../catalogue/benchmarks/shape.ts'
import { decodeSegment, type Iris } from '../../catalogue/linked-data/graph/iris.ts'
import { manyRows } from '../../database/many-rows.ts'
import type { BenchmarkRulesTable } from '../../database/schema/benchmarks.ts'
import type { Reader } from '../../database/transaction.ts'
import { findMatches } from '../../search-feed/matches.ts'

/** Limit of further rules with the same name, of other products. */
const MAX_OTHERS = 5
/** `SV-257777`, a rule id without its revision. */
const WITHOUT_REVISION = /^SV-\d+$/i

/** The rules with a name, the best match first. */
export type RuleNameMatches = readonly GuidanceMatch[]

interface RuleNamesSchema {
  readonly rule: BenchmarkRulesTable
}

/** The names of a rule of the catalogue. */
interface RuleRow {
  readonly id: number
  readonly benchmark_id: number
  readonly rule_id: string
  readonly group_id: string | null
  readonly version: string | null
  /** The id of its benchmark. */
  readonly line: string
  readonly release_version: string
  /** Its id in an earlier release, if it was found by that. */
  readonly legacy?: string
}

/**
 * Rules and requirements by rule id (with or without its revision), group id, STIG or SRG id, IRI, or an id of an
 * earlier release: of each product the newest release that has it. A handful of statements, however many names.
 */
export async function findRulesByNames(
  reader: Reader,
  iris: Iris,
  names: readonly string[],
): Promise<ReadonlyMap<string, RuleNameMatches>> {
  const unresolved = new Map(names.map((name) => [name, readName(iris, name)]))
  if (unresolved.size === 0) return new Map()
  const releases = await listReleases(reader)
  const latest = latestOf(releases)
  const older = releases.filter((release) => !latest.includes(release)).reverse()
  const rowsByName = new Map<string, readonly RuleRow[]>()
  for (const [column, releases] of [
    ['own', latest],
    ['own', older],
    ['legacy', latest],
  ] as const) {
    const byName = await findRows(reader, column, { names: [...unresolved.values()], releases })
    for (const [name, nameQuery] of unresolved) {
      const rows = nameQuery.spellings.flatMap((spelling) => byName.get(spelling) ?? []).filter(nameQuery.matches)
      if (rows.length === 0) continue
      rowsByName.set(name, [...new Set(rows)].slice(0, 1 + MAX_OTHERS))
      unresolved.delete(name)
    }
    if (unresolved.size === 0) break
  }
  return shapeRules(reader, iris, rowsByName)
}

/** The spellings of a name to look up. */
interface NameQuery {
  readonly spellings: readonly string[]
  /** The IRI of a rule says which release it is of. */
  readonly matches: (row: RuleRow) => boolean
}

function readName(iris: Iris, name: string): NameQuery {
  const anyRule = (): boolean => true
  if (name.startsWith(iris.requirement('')))
    return { spellings: [decodeSegment(name.slice(iris.requirement('').length))], matches: anyRule }
  if (!name.startsWith(iris.line(''))) {
    const written = [name, name.toUpperCase(), name.replace(/^sv-/i, 'SV-')]
    return { spellings: [...new Set(written)], matches: anyRule }
  }
  const [line, version, , rule = ''] = name.slice(iris.line('').length).split('/').map(decodeSegment)
  return {
    spellings: [rule],
    matches: (row) => row.line === line && row.release_version === version,
  }
}

/** Rows by each spelling of their names, those of the first release first. */
async function findRows(
  reader: Reader,
  column: 'own' | 'legacy',
  { names, releases }: { readonly names: readonly NameQuery[]; readonly releases: readonly Release[] },
): Promise<ReadonlyMap<string, readonly RuleRow[]>> {
  if (releases.length === 0) return new Map()
  const allSpellings = [...new Set(names.flatMap(({ spellings }) => spellings))]
  const order = new Map(releases.map(({ id }, index) => [id, index]))
  const query = reader
    .selectFrom('benchmark_rules as rule')
    .innerJoin('benchmarks as release', 'release.id', 'rule.benchmark_id')
    .select(['rule.id', 'rule.benchmark_id', 'rule.rule_id', 'rule.group_id', 'rule.version'])
    .select(['release.benchmark_id as line', 'release.version as release_version'])
    .where('rule.benchmark_id', 'in', [...order.keys()])
  const rows: RuleRow[] =
    column === 'own'
      ? await query.where(hasName(allSpellings)).withPlugin(manyRows).execute()
      : await query
          .innerJoin('benchmark_idents as ident', 'ident.rule_id', 'rule.id')
          .select('ident.value as legacy')
          .where('ident.system', '=', LEGACY)
          .where('ident.value', 'in', allSpellings)
          .withPlugin(manyRows)
          .execute()
  const rankOf = (row: RuleRow): number => order.get(row.benchmark_id) ?? 0
  return rowsByName(rows.sort((a, b) => rankOf(a) - rankOf(b) || a.id - b.id))
}

/** Uses the indexes on these columns; that on rule ids also finds ids without their revision. */
function hasName(names: readonly string[]): (is: ExpressionBuilder<RuleNamesSchema, 'rule'>) => Expression<SqlBool> {
  const namesWithR = names.filter((name) => WITHOUT_REVISION.test(name)).map((name) => `${name}r`)
  const stem = sql<string>`rtrim(replace(rule.rule_id, '_rule', ''), '0123456789')`
  const ruleIds = names.flatMap((name) => [name, `${name}_rule`])
  return (is) =>
    is.or([
      is('rule.rule_id', 'in', ruleIds),
      is('rule.group_id', 'in', names),
      is('rule.version', 'in', names),
      ...(namesWithR.length === 0 ? [] : [is(stem, 'in', namesWithR)]),
    ])
}

function rowsByName(rows: readonly RuleRow[]): ReadonlyMap<string, readonly RuleRow[]> {
  const byName = new Map<string, RuleRow[]>()
  for (const row of rows) {
    const bare = row.rule_id.replace(/_rule$/, '')
    const ownNames = [row.rule_id, bare, bare.replace(/r\d+$/, ''), row.group_id, row.version]
    for (const name of new Set([...ownNames, row.legacy ?? null])) if (name !== null) append(byName, name, row)
  }
  return byName
}

async function shapeRules(
  reader: Reader,
  iris: Iris,
  rowsByName: ReadonlyMap<string, readonly RuleRow[]>,
): Promise<ReadonlyMap<string, RuleNameMatches>> {
  const ids = [...new Set([...rowsByName.values()].flat().map(({ id }) => id))]
  const keys = ids.flatMap((id) => [{ kind: 'rule', id } as const, { kind: 'requirement', id } as const])
  const matches = new Map<number, GuidanceMatch>()
  for (const match of await findMatches(reader, iris, keys)) matches.set(match.recordId, match)
  return new Map(Array.from(rowsByName, ([name, rows]) => [name, rows.flatMap(({ id }) => matches.get(id) ?? [])]))
}
