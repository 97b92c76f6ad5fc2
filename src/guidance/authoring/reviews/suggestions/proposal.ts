import { z } from 'zod'
import { Pauses } from '../../../../platform/concurrency/turns.ts'
import type { Reader } from '../../../database/transaction.ts'
import { mergeTexts } from '../../../parts/three-way.ts'
import { findRules, type AuthoredRule } from '../../rules/reader.ts'
import type { Review, Suggestion } from '../records/schemas.ts'
import { textOfField } from './suggested-field.ts'

/** A suggestion compared with the rule as it is now. */
export const proposal = z.object({
  state: z.enum(['applies', 'rebased', 'stale', 'accepted']).meta({
    description:
      'applies: the field has not changed since; rebased: it has, elsewhere; stale: it has, in the same lines; accepted',
  }),
  current: z.string().meta({ description: 'The text of the field now' }),
  proposed: z
    .string()
    .nullable()
    .meta({ description: 'What accepting it writes; null if somebody has to edit it first' }),
  rule_lock_version: z.int(),
})

export type Proposal = z.infer<typeof proposal>

/** Compares a suggestion with the rule as it is now. */
export function proposalFor({ field, text, base, accepted_text }: Suggestion, rule: AuthoredRule): Proposal {
  const current = textOfField(rule, field)
  const ruleState = { current, rule_lock_version: rule.lock_version }
  if (accepted_text !== null) return { ...ruleState, state: 'accepted', proposed: null }
  if (current === base) return { ...ruleState, state: 'applies', proposed: text }
  const proposed = mergeTexts({ base, ours: current, theirs: text })
  return { ...ruleState, state: proposed === null ? 'stale' : 'rebased', proposed }
}

/** Finds the proposals of comments, by the id of the comment. Comments without a suggestion are left out. */
export async function findProposals(
  reader: Reader,
  reviews: readonly Review[],
): Promise<ReadonlyMap<number, Proposal>> {
  const suggesting = reviews.flatMap(({ id, rule_id, suggestion }) =>
    suggestion === null || rule_id === null ? [] : [{ id, rule_id, suggestion }],
  )
  if (suggesting.length === 0) return new Map()
  const ruleIds = [...new Set(suggesting.map(({ rule_id }) => rule_id))]
  const rules = new Map((await findRules(reader, (is) => is('rules.id', 'in', ruleIds))).map((rule) => [rule.id, rule]))
  const proposals = new Map<number, Proposal>()
  const pauses = new Pauses()
  for (const { id, rule_id, suggestion } of suggesting) {
    const rule = rules.get(rule_id)
    if (rule !== undefined) proposals.set(id, proposalFor(suggestion, rule))
    await pauses.rest()
  }
  return proposals
}
