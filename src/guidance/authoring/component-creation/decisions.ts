import { z } from 'zod'
import { idValue } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import type { Reader } from '../../database/transaction.ts'
import { nameSome } from '../../parts/name-some.ts'
import { NOT_ADDED } from './from-srg.ts'
import { FATES, planRebase, type PlannedRebase } from './plan.ts'

const MAX_LEFT_OUT = 10_000

/** The `rebase` member of a creation: decisions on single rules. */
export const rebaseDecisions = z.object({
  rules: z
    .record(z.string().regex(/^[1-9]\d{0,9}$/), z.enum(FATES), 'Decisions must be an object')
    .optional()
    .meta({
      description: 'By the number (id) of a rule of the copied component: one of the choices in the preview',
    }),
  leave_out: z
    .array(idValue, 'Requirements to leave out must be a list')
    .max(MAX_LEFT_OUT, 'Too many requirements')
    .optional()
    .meta({ description: 'Numbers of new requirements that do not become rules' }),
})

/** Decisions on single rules, by their numbers in the component, and new requirements to leave out. */
export interface ResolvedDecisions {
  readonly keep: readonly number[]
  readonly take: readonly number[]
  readonly remove: readonly number[]
  readonly leaveOut: readonly number[]
}

/**
 * Finds the outcome for each rule: the decision on it, or the default of the plan. Refuses decisions that the preview
 * does not offer, because they could not be carried out.
 */
export async function resolveDecisions(
  reader: Reader,
  rebase: PlannedRebase,
  { rules = {}, leave_out = [] }: z.infer<typeof rebaseDecisions>,
): Promise<ResolvedDecisions> {
  const plan = await planRebase(reader, rebase)
  const plannedRules = new Map(plan.rules.map((rule) => [String(rule.id), rule]))
  const decisions = Object.entries(rules).map(([id, fate]) => ({ id, fate, rule: plannedRules.get(id) }))
  const notOffered = decisions.filter(({ rule, fate }) => rule?.choices.includes(fate) !== true)
  if (notOffered.length > 0)
    refuse(`Cannot be done: ${nameSome(notOffered.map(({ id, fate }) => `${fate} rule ${id}`))}`)
  const unknownIds = leave_out.filter((id) => !plan.added.includes(id))
  if (unknownIds.length > 0) refuse(`Not new requirements: ${nameSome(unknownIds.map(String))}`)
  const numbersOf = (outcome: (typeof FATES)[number]): readonly number[] =>
    plan.rules.filter(({ id, choices }) => (rules[String(id)] ?? choices[0]) === outcome).map(({ number }) => number)
  return {
    keep: numbersOf('keep'),
    take: numbersOf('take'),
    remove: numbersOf('remove'),
    leaveOut: leave_out,
  }
}

function refuse(message: string): never {
  throw refuseValues(NOT_ADDED, [{ field: 'rebase', message }])
}
