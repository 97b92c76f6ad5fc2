import type { Insertable } from 'kysely'
import type { Actor } from '../../../http/caller.ts'
import { inPortions } from '../../../platform/turns.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { RuleChecksTable, RulesTable } from '../../database/schema/rules.ts'
import type { Writer } from '../../database/transaction.ts'

/** Rows that are inserted at once: SQLite blocks the thread that serves everybody else. */
const CHUNK = 40

export interface NewRule {
  readonly row: Omit<Insertable<RulesTable>, 'component_id'>
  readonly checks: readonly Omit<Insertable<RuleChecksTable>, 'rule_id'>[]
  readonly descriptions: readonly (string | null)[]
}

interface TargetComponent {
  readonly componentId: number
  readonly prefix: string
  readonly actor: Actor
}

/** Adds rules with their parts to a component, and an audit entry for each; returns ids by number. */
export async function insertRules(
  writer: Writer,
  rules: readonly NewRule[],
  into: TargetComponent,
): Promise<Map<number, number>> {
  const ids = new Map<number, number>()
  for await (const chunk of inPortions(rules, CHUNK)) {
    const inserted = await writer
      .insertInto('rules')
      .values(chunk.map(({ row }) => ({ ...row, component_id: into.componentId })))
      .returning(['id', 'number'])
      .execute()
    for (const { id, number } of inserted) ids.set(number, id)
    await insertParts(writer, chunk, ids)
    await beginHistories(writer, inserted, into)
  }
  await raiseLastNumber(writer, into.componentId, Math.max(0, ...ids.keys()))
  return ids
}

async function insertParts(
  writer: Writer,
  rules: readonly NewRule[],
  ids: ReadonlyMap<number, number>,
): Promise<void> {
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
  if (descriptions.length > 0)
    await writer.insertInto('rule_descriptions').values(descriptions).execute()
}

/** Only in the histories of the rules: they would flood those of the component and the project. */
async function beginHistories(
  writer: Writer,
  rules: readonly { readonly id: number; readonly number: number }[],
  { prefix, actor }: TargetComponent,
): Promise<void> {
  const created_at = new Date().toISOString()
  await writer
    .insertInto('audits')
    .values(
      rules.map(({ id, number }) => ({
        ...{ action: 'create' as const, auditable_type: 'Rule', auditable_id: id },
        ...{ project_id: null, component_id: null, audited_name: displayedName(prefix, number) },
        ...{ actor_id: actor.id, name: actor.name, via: actor.via },
        ...{ comment: null, changes: '[]', created_at },
      })),
    )
    .execute()
}

/** Raised, because numbers of rules are never reused. */
async function raiseLastNumber(writer: Writer, componentId: number, last: number): Promise<void> {
  await writer
    .updateTable('components')
    .set({ last_rule_number: last })
    .where('id', '=', componentId)
    .where('last_rule_number', '<', last)
    .execute()
}
