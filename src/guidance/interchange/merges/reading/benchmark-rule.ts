import { pick } from '../../../../platform/records.ts'
import { DISCUSSION_FLAGS, DISCUSSION_TEXTS, ELEMENT_FIELDS, namesOf } from '../../../../tables/field-lists.ts'
import { identOf } from '../../../catalogue/benchmarks/shape.ts'
import type { Rule } from '../../../catalogue/xccdf/benchmark.ts'
import type { FieldValue, MergedField } from '../planning/fields.ts'
import type { FileRule } from './merge-file.ts'

/** A rule of an XCCDF file. An element that the file lacks says nothing; a tag of the description may be blank. */
export function benchmarkRule(rule: Rule): FileRule {
  const statedValues = pick(rule.discussion, [...DISCUSSION_TEXTS, ...DISCUSSION_FLAGS])
  const lacking = new Set<string>(namesOf(ELEMENT_FIELDS.filter(({ name }) => rule.discussion[name] === null)))
  const discussion = Object.fromEntries(Object.entries(statedValues).filter(([name]) => !lacking.has(name)))
  const values: Partial<Record<MergedField, FieldValue>> = {
    ...discussion,
    title: rule.title,
    rule_severity: rule.severity,
    rule_weight: rule.weight,
    ident: identOf(rule),
    fixtext: joined(rule.fixes.map(({ text }) => text)),
    check_content: joined(rule.checks.map(({ content }) => content)),
  }
  const stigId = rule.version ?? ''
  return { place: stigId || rule.ruleId, srgId: rule.groupTitle ?? '', stigId, values }
}

function joined(texts: readonly (string | null)[]): string | null {
  return texts.filter((text) => text !== null).join('\n\n') || null
}
