import { sql, type RawBuilder } from 'kysely'
import { refuseValues } from '../../../http/toast.ts'
import { CHECK_COLUMNS, DISCUSSION_FIELDS, namesOf } from '../../../tables/field-lists.ts'
import { LEGACY } from '../../catalogue/benchmarks/shape.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Writer } from '../../database/transaction.ts'

/** Title of the toast when a component cannot be made. */
export const NOT_ADDED = 'Could not add component to project.'

export interface SourceSrgs {
  /** Begins with the primary SRG; has no duplicates. */
  readonly ids: readonly number[]
  /** The ids of the selected requirements, by SRG. Without an entry, all are selected. */
  readonly selections: ReadonlyMap<number, readonly string[]>
}

/** Finds the SRGs: a STIG is made from SRGs, an SRG from core SRGs. Refuses others. */
export async function requireSources(writer: Writer, ids: readonly number[], kind: BenchmarkKind): Promise<void> {
  const sources = await writer
    .selectFrom('benchmarks')
    .select(['id', 'core', 'name'])
    .where('kind', '=', 'srg')
    .where('id', 'in', ids)
    // Prevents that somebody removes one meanwhile. SQLite has only one writer at a time.
    .$if(writer.dialect === 'postgres', (query) => query.forKeyShare())
    .execute()
  const field = 'security_requirements_guide_id'
  if (sources.length < ids.length)
    throw refuseValues(NOT_ADDED, [{ field, message: 'Security requirements guide must exist' }])
  const unsuitable = sources.filter(({ core }) => (core === 1) !== (kind === 'srg'))
  if (unsuitable.length === 0) return
  const names = unsuitable.map(({ name }) => name).join(', ')
  const rule = kind === 'srg' ? 'An SRG is made from core SRGs' : 'A STIG is not made from core SRGs'
  throw refuseValues(NOT_ADDED, [{ field, message: `${rule}: ${names}` }])
}

/**
 * Copies the requirements of the SRGs as rules, numbered across all SRGs, each in the order of its requirement ids.
 * The component must be empty.
 */
export async function copyRequirements(
  writer: Writer,
  componentId: number,
  { ids, selections }: SourceSrgs,
): Promise<void> {
  for (const id of ids)
    if (selections.get(id)?.length !== 0) await copyRules(writer, componentId, selectedRules(id, selections.get(id)))
}

/** Copies some catalogue rows as new rules with the next numbers, ordered by id. */
export async function copyRules(writer: Writer, componentId: number, condition: RawBuilder<unknown>): Promise<void> {
  const { last_rule_number: before } = await writer
    .selectFrom('components')
    .select('last_rule_number')
    .where('id', '=', componentId)
    .executeTakeFirstOrThrow()
  await insertRules(writer, { componentId, before, condition })
  await sql`
    insert into rule_checks (rule_id, ${columnsOf(CHECK_COLUMNS)})
    select rules.id, ${columnsOf(CHECK_COLUMNS, 'part')}
    from rules join benchmark_checks as part on part.rule_id = rules.srg_rule_id
    where rules.component_id = ${componentId} and rules.number > ${before}
    order by rules.number, part.id`.execute(writer)
  await auditNew(writer, componentId, before)
  await sql`
    update components set last_rule_number = coalesce(
      (select max(number) from rules where component_id = ${componentId}), last_rule_number)
    where id = ${componentId}`.execute(writer)
}

interface RulesToCopy {
  readonly componentId: number
  readonly before: number
  readonly condition: RawBuilder<unknown>
}

/** Fields that have the same form in the catalogue and in rules. */
const DISCUSSION = namesOf(DISCUSSION_FIELDS)

async function insertRules(writer: Writer, { componentId, before, condition }: RulesToCopy): Promise<void> {
  const now = currentTimestamp(writer)
  const byCode = codeOrder(writer)
  const { ident, ident_system, legacy_ids } = identsFrom(writer)
  await sql`
    insert into rules (
      component_id, number, srg_rule_id, version, title, status, rule_severity, rule_weight,
      vuln_id, legacy_ids, ident, ident_system, fixtext, fixtext_fixref, fix_id,
      ${columnsOf(DISCUSSION)}, locked_fields, created_at, updated_at)
    select ${sql.lit(componentId)},
      ${sql.lit(before)} + row_number() over (
        order by coalesce(rule.version, '') ${byCode}, rule.rule_id ${byCode}, rule.id),
      rule.id, rule.version, rule.title, 'Not Yet Determined', rule.severity, rule.weight,
      rule.group_id, ${legacy_ids}, ${ident}, ${ident_system},
      ${firstFix('text')}, ${firstFix('fixref')}, ${firstFix('fix_id')},
      ${columnsOf(DISCUSSION, 'rule')}, '{}', ${now}, ${now}
    from benchmark_rules as rule where ${condition}`.execute(writer)
}

/** Adds entries to the histories of the rules only: they would flood those of the component and the project. */
export async function auditNew(writer: Writer, componentId: number, before: number): Promise<void> {
  const now = currentTimestamp(writer)
  await sql`
    insert into audits (
      action, auditable_type, auditable_id, audited_name, name, via, changes, created_at)
    select 'create', 'Rule', rules.id,
      components.prefix || '-' || substr(cast(1000000 + rules.number as text), 2),
      'system', 'system', '[]', ${now}
    from rules join components on components.id = rules.component_id
    where rules.component_id = ${componentId} and rules.number > ${before}
    order by rules.number`.execute(writer)
}

/** The current time, in the form of a column of times. */
export function currentTimestamp({ dialect }: Writer): RawBuilder<unknown> {
  const now = new Date().toISOString()
  return dialect === 'sqlite' ? sql`${now}` : sql`${now}::timestamptz`
}

function codeOrder({ dialect }: Writer): RawBuilder<unknown> {
  return dialect === 'sqlite' ? sql`` : sql`collate "C"`
}

/** Columns of identifiers from the catalogue row that the statement calls `rule`. */
export function identsFrom(
  writer: Writer,
): Readonly<Record<'ident' | 'ident_system' | 'legacy_ids', RawBuilder<unknown>>> {
  const byCode = codeOrder(writer)
  return {
    ident: idents(sql`string_agg(value, ', ' order by value ${byCode})`, sql`<>`),
    ident_system: idents(sql`min(system)`, sql`<>`),
    legacy_ids: idents(sql`string_agg(value, ', ' order by id)`, sql`=`),
  }
}

function idents(value: RawBuilder<unknown>, legacy: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select ${value} from benchmark_idents
    where rule_id = rule.id and system ${legacy} ${sql.lit(LEGACY)})`
}

/** A column of the first fix with a text, of the catalogue row that the statement calls `rule`. */
export function firstFix(column: 'text' | 'fixref' | 'fix_id'): RawBuilder<unknown> {
  return sql`(select ${sql.ref(column)} from benchmark_fixes
    where rule_id = rule.id order by case when text is null then 1 else 0 end, id limit 1)`
}

function selectedRules(benchmarkId: number, versions: readonly string[] | undefined): RawBuilder<unknown> {
  const isOfBenchmark = sql`rule.benchmark_id = ${benchmarkId}`
  return versions === undefined ? isOfBenchmark : sql`${isOfBenchmark} and rule.version in (${sql.join(versions)})`
}

/** Columns for a statement, optionally qualified with a table. */
export function columnsOf(names: readonly string[], table?: string): RawBuilder<unknown> {
  const prefix = table === undefined ? '' : `${table}.`
  return sql.join(names.map((name) => sql.ref(`${prefix}${name}`)))
}
