import { z } from 'zod'
import { RULE_STATUSES } from '../../../../tables/statuses.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { ComponentGrant } from '../../access/component-access.ts'
import { findRules } from '../../rules/reader.ts'
import { ruleView, type RuleView } from '../../rules/schemas.ts'
import { shapeView } from '../../rules/shape.ts'
import { commentRow, findCommentRows } from './rows.ts'

const text = z.string().nullable()

/** A comment in the list of its component, with the data that triage needs. */
export const componentCommentRow = commentRow.extend({
  author_email: text.meta({ description: 'Null if the caller has no role in the component' }),
  rule_status: z.enum(RULE_STATUSES).nullable(),
  parent_rule_displayed_name: text.meta({ description: 'The rule that satisfies this one' }),
  group_rule_displayed_name: z
    .string()
    .meta({ description: 'The rule that satisfies this one; without one, this rule' }),
  rule_content: ruleView
    .nullable()
    .optional()
    .meta({ description: 'With include_rule_content=true; null for a comment on the component itself' }),
})

type ComponentCommentRow = z.infer<typeof componentCommentRow>

/** Shapes comments as rows of their component, in the order of the ids. */
export async function findComponentRows(
  reader: Reader,
  { caller, role }: ComponentGrant,
  { ids, content }: { readonly ids: readonly number[]; readonly content: boolean },
): Promise<ComponentCommentRow[]> {
  if (ids.length === 0) return []
  const rows = await findCommentRows(reader, caller, ids)
  const people = await findEmails(reader, ids)
  const ruleIds = rows.flatMap(({ rule_id }) => (rule_id === null ? [] : [rule_id]))
  const statuses = await findStatuses(reader, ruleIds)
  const parents = await findParents(reader, ruleIds)
  const contents = content ? await findContents(reader, ruleIds) : null
  return rows.map((row) => {
    const rule = row.rule_id ?? 0
    const parent = parents.get(rule) ?? null
    return {
      ...row,
      author_email: role === null ? null : (people.get(row.id) ?? null),
      rule_status: statuses.get(rule) ?? null,
      parent_rule_displayed_name: parent,
      group_rule_displayed_name: parent ?? row.rule_displayed_name,
      ...(contents !== null && { rule_content: contents.get(rule) ?? null }),
    }
  })
}

async function findEmails(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, string | null>> {
  const rows = await reader
    .selectFrom('reviews')
    .leftJoin('users', 'users.id', 'reviews.user_id')
    .select(['reviews.id', 'users.email', 'reviews.author_email'])
    .where('reviews.id', 'in', ids)
    .execute()
  return new Map(rows.map(({ id, email, author_email }) => [id, email ?? author_email]))
}

async function findStatuses(
  reader: Reader,
  ruleIds: readonly number[],
): Promise<ReadonlyMap<number, ComponentCommentRow['rule_status']>> {
  if (ruleIds.length === 0) return new Map()
  const rows = await reader.selectFrom('rules').select(['id', 'status']).where('id', 'in', ruleIds).execute()
  return new Map(rows.map(({ id, status }) => [id, status]))
}

/** Finds the name of the rule that satisfies each rule; the first one if there are several. */
export async function findParents(reader: Reader, ruleIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ruleIds.length === 0) return new Map()
  const rows = await reader
    .selectFrom('rule_satisfactions as link')
    .innerJoin('rules', 'rules.id', 'link.satisfied_by_rule_id')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .select(['link.rule_id', 'rules.number', 'components.prefix'])
    .where('link.rule_id', 'in', ruleIds)
    .where('rules.deleted_at', 'is', null)
    .orderBy('rules.number', 'desc')
    .orderBy('rules.id', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.rule_id, displayedName(row.prefix, row.number)]))
}

async function findContents(reader: Reader, ruleIds: readonly number[]): Promise<ReadonlyMap<number, RuleView>> {
  if (ruleIds.length === 0) return new Map()
  const rules = await findRules(reader, (is) => is('rules.id', 'in', ruleIds))
  return new Map(rules.map((rule) => [rule.id, shapeView(rule)]))
}
