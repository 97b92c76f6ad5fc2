import { z } from 'zod'
import type { Caller } from '../../../../http/caller.ts'
import type { Reader } from '../../../database/transaction.ts'
import { findParents } from './component-rows.ts'
import { commentRow, findCommentRows } from './rows.ts'

/** A comment in the list of its author, with the result of its triage. */
export const userCommentRow = commentRow.extend({
  parent_rule_displayed_name: z.string().nullable().meta({ description: 'The rule that satisfies this one' }),
  latest_activity_at: z.string().meta({
    description: 'Time of the last edit, decision or reply',
  }),
})

type UserCommentRow = z.infer<typeof userCommentRow>

/** Shapes comments as rows of their author, in the order of the ids. */
export async function findUserRows(reader: Reader, caller: Caller, ids: readonly number[]): Promise<UserCommentRow[]> {
  if (ids.length === 0) return []
  const rows = await findCommentRows(reader, caller, ids)
  const ruleIds = rows.flatMap(({ rule_id }) => (rule_id === null ? [] : [rule_id]))
  const parents = await findParents(reader, ruleIds)
  const replies = await findLatestReplies(reader, ids)
  return rows.map((row) => {
    const replied = replies.get(row.id) ?? ''
    return {
      ...row,
      parent_rule_displayed_name: parents.get(row.rule_id ?? 0) ?? null,
      latest_activity_at: replied > row.updated_at ? replied : row.updated_at,
    }
  })
}

/** Finds when the latest reply to each comment was written or changed. Comments without replies are left out. */
async function findLatestReplies(reader: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await reader
    .selectFrom('reviews')
    .select('responding_to_review_id as id')
    .select((is) => is.fn.max('updated_at').as('latest'))
    .where('responding_to_review_id', 'in', ids)
    .groupBy('responding_to_review_id')
    .execute()
  return new Map(rows.flatMap(({ id, latest }) => (id === null ? [] : [[id, latest] as const])))
}
