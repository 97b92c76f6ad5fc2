import { sql, type RawBuilder } from 'kysely'
import { CHECK_COLUMNS } from '../../../tables/field-lists.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Writer } from '../../database/transaction.ts'
import type { ResolvedDecisions } from './decisions.ts'
import { columnsOf, copyRules, firstFix, identsFrom } from './from-srg.ts'
import type { RequirementMatches } from './requirement-matches.ts'

/** A new copy of a component that gets another primary SRG. */
export interface RebaseContext {
  readonly componentId: number
  readonly kind: BenchmarkKind
  /** The ids of the two SRGs. */
  readonly before: number
  readonly after: number
  readonly matches: RequirementMatches
  readonly decided: ResolvedDecisions
}

/** Authors write the content of rules with this status themselves. */
const CONFIGURABLE = sql.lit('Applicable - Configurable')

/** Whether a rule takes the texts of the new SRG, if that has its requirement. The statement calls the rule `name`. */
function takesTexts({ kind, decided }: RebaseContext, name: string): RawBuilder<unknown> {
  const number = `${name}.number`
  const takesByDefault = sql`(${sql.ref(`${name}.status`)} <> ${CONFIGURABLE} and not ${oneOf(number, decided.keep)})`
  return sql`(${kind === 'srg' ? sql`1 = 0` : takesByDefault} or ${oneOf(number, decided.take)})`
}

/**
 * Links rules made from the old SRG to the requirements of the new one with the same ids. In a STIG, a rule whose
 * requirement is gone is removed unless its author wrote the content, and the other rules take the new texts. An SRG
 * keeps its requirements unchanged. Must be called before the rules have parts. Returns how many were removed.
 */
export async function relinkRules(writer: Writer, rebasing: RebaseContext): Promise<number> {
  const { componentId, kind, before, after, matches, decided } = rebasing
  const overridden = await findOverridden(writer, rebasing)
  for (const [oldId, newId] of matches.pairs)
    await sql`
      update rules set srg_rule_id = ${newId}
      where component_id = ${componentId} and srg_rule_id = ${oldId}`.execute(writer)
  const isRemoved = oneOf('srg_rule_id', matches.removed)
  const derived = sql`component_id = ${componentId}
    and srg_rule_id in (select id from benchmark_rules where benchmark_id = ${before})`
  const newVersions = sql`(select version from benchmark_rules
    where benchmark_id = ${after} and version is not null)`
  const removedByDefault = kind === 'srg' ? sql`1 = 0` : sql`status <> ${CONFIGURABLE}`
  const removed = await sql`
    delete from rules where ${derived} and (${isRemoved} or coalesce(version, '') not in ${newVersions})
      and ((${removedByDefault} and not ${oneOf('number', decided.keep)})
        or ${oneOf('number', decided.remove)})`.execute(writer)
  await sql`
    update rules set srg_rule_id = (
      select min(rule.id) from benchmark_rules as rule
      where rule.benchmark_id = ${after} and rule.version = rules.version)
    where ${derived} and version in ${newVersions} and not ${isRemoved}`.execute(writer)
  await takeOver(writer, rebasing, overridden)
  return Number(removed.numAffectedRows ?? 0)
}

/** The numbers of rules whose severity differs from that of their requirement in the old SRG. */
async function findOverridden(writer: Writer, { componentId, before }: RebaseContext): Promise<readonly number[]> {
  const rows = await writer
    .selectFrom('rules')
    .innerJoin('benchmark_rules as rule', 'rule.id', 'rules.srg_rule_id')
    .select('rules.number')
    .where('rules.component_id', '=', componentId)
    .where('rule.benchmark_id', '=', before)
    .whereRef('rules.rule_severity', '<>', 'rule.severity')
    .execute()
  return rows.map(({ number }) => number)
}

/**
 * In a STIG, rules always take the CCIs of the SRG, and its severities unless an author had changed them. In an SRG,
 * they take both only together with the texts.
 */
async function takeOver(writer: Writer, rebasing: RebaseContext, overridden: readonly number[]): Promise<void> {
  const { componentId, kind, after } = rebasing
  const isTaken = takesTexts(rebasing, 'rules')
  const { ident, ident_system, legacy_ids } = identsFrom(writer)
  const fromUpdate = (column: string, updated: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`${sql.ref(column)} = case when ${isTaken}
      then ${updated} else ${sql.ref(`rules.${column}`)} end`
  await sql`
    update rules set rule_weight = rule.weight,
      rule_severity = case when ${oneOf('rules.number', overridden)}
        then rules.rule_severity else rule.severity end,
      ident = ${ident}, ident_system = ${ident_system}, legacy_ids = ${legacy_ids},
      fixtext_fixref = ${firstFix('fixref')}, fix_id = ${firstFix('fix_id')},
      ${fromUpdate('title', sql`rule.title`)}, ${fromUpdate('fixtext', firstFix('text'))},
      ${fromUpdate('vuln_discussion', sql`rule.vuln_discussion`)}
    from benchmark_rules as rule
    where rule.id = rules.srg_rule_id and rule.benchmark_id = ${after}
      and rules.component_id = ${componentId}
      and ${kind === 'srg' ? isTaken : sql`1 = 1`}`.execute(writer)
}

/** Whether the rule called `copy` keeps its checks. */
export function keepsChecks(rebasing: RebaseContext): RawBuilder<unknown> {
  const { after } = rebasing
  return sql`(not ${takesTexts(rebasing, 'copy')} or coalesce(copy.srg_rule_id, 0) not in
    (select id from benchmark_rules where benchmark_id = ${after}))`
}

/** Copies the checks of the new SRG for rules that do not keep theirs. */
export async function takeChecks(writer: Writer, rebasing: RebaseContext): Promise<void> {
  const { componentId, after } = rebasing
  await sql`
    insert into rule_checks (rule_id, ${columnsOf(CHECK_COLUMNS)})
    select rules.id, ${columnsOf(CHECK_COLUMNS, 'part')}
    from rules join benchmark_checks as part on part.rule_id = rules.srg_rule_id
      join benchmark_rules as rule on rule.id = rules.srg_rule_id
    where rules.component_id = ${componentId} and ${takesTexts(rebasing, 'rules')}
      and rule.benchmark_id = ${after}
    order by rules.number, part.id`.execute(writer)
}

function oneOf(column: string, ids: readonly number[]): RawBuilder<unknown> {
  return ids.length === 0 ? sql`1 = 0` : sql`${sql.ref(column)} in (${sql.join(ids.map((id) => sql.lit(id)))})`
}

/** Adds the requirements that are new in the SRG, and returns their number. */
export async function addNewRequirements(
  writer: Writer,
  { componentId, before, after, matches, decided }: RebaseContext,
): Promise<number> {
  const count = async (): Promise<number> => {
    const { rules } = await writer
      .selectFrom('rules')
      .select((is) => is.fn.countAll<number>().as('rules'))
      .where('component_id', '=', componentId)
      .executeTakeFirstOrThrow()
    return rules
  }
  const countBefore = await count()
  await copyRules(
    writer,
    componentId,
    sql`rule.benchmark_id = ${after}
      and (${oneOf('rule.id', matches.added)} or coalesce(rule.version, '') not in (
        select coalesce(version, '') from benchmark_rules where benchmark_id = ${before}))
      and rule.id not in (
        select srg_rule_id from rules
        where component_id = ${componentId} and srg_rule_id is not null)
      and not ${oneOf('rule.id', decided.leaveOut)}`,
  )
  return (await count()) - countBefore
}
