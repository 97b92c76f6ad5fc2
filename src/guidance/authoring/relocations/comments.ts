import { actorOf } from '../../../http/caller.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { recordEvents } from '../../activity/events/record.ts'
import type { Writer } from '../../database/transaction.ts'
import { reviewEvent, lockReviews, type ReviewRecord } from '../reviews/records/record.ts'
import { ruleSubject } from '../rules/open.ts'
import type { AcceptedRelocation } from './accepted-relocation.ts'

/**
 * Moves the comments on a requirement with it, including threads, decisions and original places. Other reviews stay
 * with the old rule.
 */
export async function moveComments(writer: Writer, accepted: AcceptedRelocation): Promise<void> {
  const { source, newRule, target } = accepted
  const movedComments = await writer
    .selectFrom('reviews')
    .select('id')
    .where('rule_id', '=', source.id)
    .where('action', '=', 'comment')
    .execute()
  if (movedComments.length === 0) return
  const ids = movedComments.map(({ id }) => id)
  const comments = await lockReviews(writer, source.component_id, ids)
  await writer
    .updateTable('reviews')
    .set((is) => ({
      component_id: target.id,
      rule_id: newRule.id,
      original_rule_id: is.fn.coalesce('original_rule_id', 'rule_id'),
      lock_version: is('lock_version', '+', 1),
    }))
    .where('rule_id', '=', source.id)
    .where('action', '=', 'comment')
    .execute()
  // Comments that this requirement addresses must refer to its new rule.
  await writer
    .updateTable('reviews')
    .set({ addressed_by_rule_id: newRule.id })
    .where('rule_id', '=', newRule.id)
    .where('addressed_by_rule_id', '=', source.id)
    .execute()
  await recordMove(writer, accepted, comments)
}

/** Followers of the source learn that the comments were removed, followers of the target that they are new. */
async function recordMove(
  writer: Writer,
  { source, newRule, grant, relocation, target }: AcceptedRelocation,
  comments: readonly ReviewRecord[],
): Promise<void> {
  const actor = actorOf(grant.caller)
  await writeAudit(writer, actor, {
    action: 'custom',
    comment: 'review_moved_out',
    subject: ruleSubject(source, relocation.projectId),
    after: {
      source_rule_id: source.id,
      destination_rule_id: newRule.id,
      review_ids: comments.map(({ id }) => String(id)),
    },
  })
  const newLocation = { component_id: target.id, project_id: target.project_id, rule_id: newRule.id }
  await recordEvents(writer, actor, [
    ...comments.map((comment) => reviewEvent('comment.deleted', comment)),
    ...comments.map((comment) => reviewEvent('comment.created', { ...comment, ...newLocation })),
  ])
}
