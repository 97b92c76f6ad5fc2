import { WRITTEN_TEXTS, type WrittenRule } from '../../../../wording/rule.ts'
import { otherCheckField } from '../rule/values.ts'
import type { Value, Values } from '../saving/draft.ts'

/** The properties of a rule, besides its fields, that advice depends on. */
export interface AdvisedRule {
  readonly checks_attributes: readonly { readonly id: number }[]
  readonly satisfied_by?: readonly unknown[] | null
  readonly srg_rule_attributes: {
    readonly rule_severity: string
    readonly vuln_discussion: string | null
  } | null
}

/** The text of a field with LF at line ends, as a text area has it. */
export function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n') : ''
}

/** Shapes the current texts of a rule for the checks of its words. */
export function shapeWrittenRule(values: Values, rule: AdvisedRule, documentType: 'stig' | 'srg'): WrittenRule {
  const source = rule.srg_rule_attributes
  const { status, rule_severity: severity, title } = values
  const ids = rule.checks_attributes.map(({ id }) => id)
  return {
    documentType,
    status: textOf(status),
    isSatisfied: (rule.satisfied_by ?? []).length > 0,
    severity: textOf(severity),
    title: textOf(title),
    checks: (ids.length === 0 ? [null] : ids).map((id, index) => ({
      id,
      content: textOf(values[checkField(id, index)]),
    })),
    texts: Object.fromEntries(WRITTEN_TEXTS.map((name) => [name, textOf(values[name])])),
    requirement:
      source === null ? null : { severity: source.rule_severity, discussion: textOf(source.vuln_discussion) },
  }
}

function checkField(id: number | null, index: number): string {
  return index === 0 || id === null ? 'content' : otherCheckField(id)
}

/** The field of the form that a finding is about. */
export function formField(
  { field, checkId }: { readonly field: string; readonly checkId: number | null },
  { checks_attributes: checks }: AdvisedRule,
): string {
  if (field !== 'check_content') return field
  return checkField(
    checkId,
    checks.findIndex(({ id }) => id === checkId),
  )
}
