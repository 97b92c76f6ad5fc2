import { pick, recordOf } from '../../../../platform/records.ts'
import { DISCUSSION_FLAGS, DISCUSSION_TEXTS } from '../../../../tables/field-lists.ts'
import { joinTexts } from '../../../catalogue/benchmark-diff/compare.ts'
import type { Rule } from '../../../catalogue/xccdf/benchmark.ts'
import { numberOf } from '../../../database/flags.ts'
import { checkRow, fixColumns, identColumns } from '../../rule-editing/catalogue-parts.ts'
import type { NewRule } from '../../rule-editing/new-rules.ts'
import { namedRequirements } from './requirements.ts'

interface RuleOrigin {
  readonly number: number
  readonly requirement: { readonly id: number; readonly version: string | null } | null
  readonly now: string
}

/** Turns a published rule into a rule of a component, with the requirement that it is linked to. */
export function newRuleOf(rule: Rule, { number, requirement, now }: RuleOrigin): NewRule {
  const { title, severity, weight, groupId, discussion, fixes, checks, ruleId } = rule
  return {
    row: {
      number,
      title,
      srg_rule_id: requirement?.id ?? null,
      source_rule_id: ruleId,
      version: requirement === null ? (namedRequirements(rule)[0] ?? null) : requirement.version,
      status: 'Applicable - Configurable',
      rule_severity: severity,
      rule_weight: weight,
      vuln_id: groupId,
      ...identColumns(rule),
      fixtext: joinTexts(fixes.map(({ text }) => text)),
      ...fixColumns(fixes.find(({ text }) => text !== null) ?? fixes[0]),
      ...pick(discussion, DISCUSSION_TEXTS),
      ...recordOf(DISCUSSION_FLAGS, (name) => numberOf(discussion[name])),
      locked_fields: '{}',
      created_at: now,
      updated_at: now,
    },
    checks: checks.map(checkRow),
    descriptions: [],
  }
}
