import { z } from 'zod'
import { actorOf, type Caller } from '../../../http/caller.ts'
import { isStorable, unstorable } from '../../../http/input.ts'
import { GUIDE } from '../../../wording/guide.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { recordEvents } from '../../activity/events/record.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Writer } from '../../database/transaction.ts'
import { openRule, ruleSubject } from '../rules/open.ts'
import type { AuthoredRule } from '../rules/reader.ts'

/** All codes of advice. They appear in paths and as names of members. */
export const adviceCode = z.enum(Object.keys(GUIDE))

export const REASON_LIMIT = 1000

const storable = (max: number): z.ZodType<string> => z.string().max(max).refine(isStorable, unstorable('It'))

/** The disabled advice of a rule, by code. Codes that no longer exist are dropped. */
export const adviceOff = z
  .record(storable(100), z.object({ reason: storable(REASON_LIMIT), by: storable(255), at: z.iso.datetime() }))
  .transform((entries) => Object.fromEntries(Object.entries(entries).filter(([code]) => code in GUIDE)))

export type DisabledAdvice = z.output<typeof adviceOff>

export function adviceOffOf({ advice_off }: Pick<AuthoredRule, 'advice_off'>): DisabledAdvice {
  return advice_off === '{}' ? {} : adviceOff.parse(JSON.parse(advice_off))
}

interface AdviceSwitch {
  readonly caller: Caller
  readonly ruleId: number
  readonly code: string
  /** Null turns the advice on again. */
  readonly reason: string | null
}

/**
 * Turns advice of one kind off for a rule, or on again. This is not an edit of the rule: its version stays, and locks
 * do not prevent it.
 */
export async function switchAdvice(writer: Writer, { caller, ruleId, code, reason }: AdviceSwitch): Promise<void> {
  const opened = await openRule(writer, caller, { ruleId, least: 'author', alone: true })
  const { rule, grant } = opened
  const { [code]: before, ...otherAdvice } = adviceOffOf(rule)
  if (reason === (before?.reason ?? null)) return
  const entry = { reason: reason ?? '', by: caller.name, at: new Date().toISOString() }
  const after = reason === null ? otherAdvice : { ...otherAdvice, [code]: entry }
  await writer
    .updateTable('rules')
    .set({ advice_off: JSON.stringify(after) })
    .where('id', '=', ruleId)
    .execute()
  await writeAudit(writer, actorOf(caller), {
    action: 'update',
    subject: ruleSubject(rule, grant.projectId),
    comment: reason,
    before: { advice_off: codesOf(adviceOffOf(rule)) },
    after: { advice_off: codesOf(after) },
  })
  await recordEvents(writer, actorOf(caller), [
    {
      kind: 'rule.updated',
      projectId: grant.projectId,
      componentId: rule.component_id,
      data: {
        rule_id: rule.id,
        displayed_name: displayedName(rule.prefix, rule.number),
        fields: ['advice_off'],
      },
    },
  ])
}

function codesOf(disabled: DisabledAdvice): readonly string[] {
  return Object.keys(disabled).sort()
}
