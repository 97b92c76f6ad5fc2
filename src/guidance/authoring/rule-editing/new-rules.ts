import { sql, type Insertable, type RawBuilder } from 'kysely'
import type { Actor } from '../../../http/caller.ts'
import { inPortions } from '../../../platform/concurrency/turns.ts'
import type { RuleChecksTable, RulesTable } from '../../database/schema/rules.ts'
import type { Writer } from '../../database/transaction.ts'
import { currentTimestamp } from '../component-creation/from-srg.ts'

/** The number of rows to insert at once. SQLite blocks the thread that serves all requests. */
const BATCH_SIZE = 40

export interface NewRule {
  readonly row: Omit<Insertable<RulesTable>, 'component_id'>
  readonly checks: readonly Omit<Insertable<RuleChecksTable>, 'rule_id'>[]
  readonly descriptions: readonly (string | null)[]
}

interface TargetComponent {
  readonly componentId: number
  readonly actor: Actor
}

/** Adds rules with their parts to an empty component, and an audit entry for each. Returns ids by number. */
export async function insertRules(
  writer: Writer,
  rules: readonly NewRule[],
  { componentId, actor }: TargetComponent,
): Promise<Map<number, number>> {
  const ids = new Map<number, number>()
  for await (const chunk of inPortions(rules, BATCH_SIZE))
    for (const [number, id] of await insertRuleRows(writer, chunk, componentId)) ids.set(number, id)
  await beginHistories(writer, { componentId, actor })
  await raiseLastNumber(writer, componentId, Math.max(0, ...ids.keys()))
  return ids
}

/** Adds a few rules with their parts, without audit entries. Returns ids by number. */
export async function insertRuleRows(
  writer: Writer,
  rules: readonly NewRule[],
  componentId: number,
): Promise<ReadonlyMap<number, number>> {
  const inserted = await writer
    .insertInto('rules')
    .values(rules.map(({ row }) => ({ ...row, component_id: componentId })))
    .returning(['id', 'number'])
    .execute()
  const ids = new Map(inserted.map(({ id, number }) => [number, id]))
  await insertParts(writer, rules, ids)
  return ids
}

async function insertParts(writer: Writer, rules: readonly NewRule[], ids: ReadonlyMap<number, number>): Promise<void> {
  const checks = rules.flatMap((rule) =>
    rule.checks.map((check) => ({ ...check, rule_id: ids.get(rule.row.number) ?? 0 })),
  )
  if (checks.length > 0) await writer.insertInto('rule_checks').values(checks).execute()
  const descriptions = rules.flatMap((rule) =>
    rule.descriptions.map((description) => ({
      description,
      rule_id: ids.get(rule.row.number) ?? 0,
    })),
  )
  if (descriptions.length > 0) await writer.insertInto('rule_descriptions').values(descriptions).execute()
}

/**
 * Adds an entry for each rule of a new component, only to the histories of the rules: they would flood those of the
 * component and the project.
 */
export async function beginHistories(
  writer: Writer,
  { componentId, actor: { id, name, via } }: TargetComponent,
): Promise<void> {
  await sql`
    insert into audits (
      action, auditable_type, auditable_id, audited_name, actor_id, name, via, changes, created_at)
    select 'create', 'Rule', rules.id, ${nameOf()}, ${id}, ${name}, ${via}, '[]', ${currentTimestamp(writer)}
    from rules join components on components.id = rules.component_id
    where rules.component_id = ${componentId}
    order by rules.number`.execute(writer)
}

/** Repeats `displayedName` in SQL. Numbers from other programs may have more than six digits. */
function nameOf(): RawBuilder<string> {
  return sql`components.prefix || '-' || case
    when rules.number < 1000000 then substr(cast(1000000 + rules.number as text), 2)
    else cast(rules.number as text) end`
}

/** Numbers of rules are never reused, so the next one must be higher. */
async function raiseLastNumber(writer: Writer, componentId: number, last: number): Promise<void> {
  await writer
    .updateTable('components')
    .set({ last_rule_number: last })
    .where('id', '=', componentId)
    .where('last_rule_number', '<', last)
    .execute()
}
