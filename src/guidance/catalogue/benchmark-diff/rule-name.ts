import { z } from 'zod'
import { SEVERITIES } from '../../../tables/severities.ts'
import type { Rule } from '../xccdf/benchmark.ts'

/** The names of a rule in a comparison; null in the release that does not have it. */
export const ruleNameSchema = z
  .object({
    id: z.int(),
    rule_id: z.string(),
    version: z.string().nullable(),
    title: z.string(),
    severity: z.enum(SEVERITIES),
  })
  .nullable()

export const CHANGE_STATUSES = ['added', 'removed', 'changed', 'unchanged'] as const

/** How many rules have each status. */
export const changeCounts = z.object({ added: z.int(), removed: z.int(), changed: z.int(), unchanged: z.int() })

const text = z.string().nullable()
export const changedFields = z.array(z.object({ field: z.string(), before: text, after: text }))

/** The names of a published rule; `ids` has the record ids of the compared rules. */
export function nameRule(rule: Rule | null, ids: ReadonlyMap<Rule, number>): z.infer<typeof ruleNameSchema> {
  if (rule === null) return null
  const { ruleId, version, title, severity } = rule
  return { id: ids.get(rule) ?? 0, rule_id: ruleId, version, title, severity }
}
