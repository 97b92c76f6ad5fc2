import { z } from 'zod'
import { SEVERITIES } from '../../../tables/severities.ts'
import type { Rule } from '../xccdf/benchmark.ts'
import { MATCHES } from './match.ts'

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

const CHANGE_STATUSES = ['added', 'removed', 'changed', 'unchanged'] as const
type ChangeStatus = (typeof CHANGE_STATUSES)[number]

/** How many rules have each status. */
export const changeCounts = z.object({ added: z.int(), removed: z.int(), changed: z.int(), unchanged: z.int() })

const text = z.string().nullable()
const changedFields = z.array(z.object({ field: z.string(), before: text, after: text }))

/** A rule of a comparison. Other comparisons have other names and other ways to match. */
export const comparedRule = z.object({
  status: z.enum(CHANGE_STATUSES),
  matched_by: z.enum(MATCHES).nullable(),
  before: ruleNameSchema,
  after: ruleNameSchema,
  changes: changedFields,
})

export function countsOf(rules: readonly { readonly status: ChangeStatus }[]): z.infer<typeof changeCounts> {
  const count = (state: ChangeStatus): number => rules.filter(({ status }) => status === state).length
  return {
    added: count('added'),
    removed: count('removed'),
    changed: count('changed'),
    unchanged: count('unchanged'),
  }
}

/** The names of a published rule; `ids` has the record ids of the compared rules. */
export function nameRule(rule: Rule | null, ids: ReadonlyMap<Rule, number>): z.infer<typeof ruleNameSchema> {
  if (rule === null) return null
  const { ruleId, version, title, severity } = rule
  return { id: ids.get(rule) ?? 0, rule_id: ruleId, version, title, severity }
}
