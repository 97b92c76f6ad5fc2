import { refuseValues, type FieldError } from '../../../../http/toast.ts'
import { SUGGESTED_FIELDS } from '../../../../tables/field-lists.ts'
import { SECTIONS } from '../../../../tables/sections.ts'
import { ruleChanges, type RuleChanges } from '../../rule-editing/changes.ts'
import { contentOf, lengthFault } from '../../rule-editing/content.ts'
import type { AuthoredRule } from '../../rules/reader.ts'

function fieldNamed(name: string): (typeof SUGGESTED_FIELDS)[number] | undefined {
  return SUGGESTED_FIELDS.find((field) => field.name === name)
}

/** The section of comments to which a field belongs; null for the rule in general. */
export function sectionOfField(name: string): string | null {
  const section = fieldNamed(name)?.section
  return SECTIONS.find((candidate) => candidate.name === section)?.key ?? null
}

export function labelOfField(name: string): string {
  return fieldNamed(name)?.label ?? name
}

/** The present text of a field. If the rule has several checks, the text of the first. */
export function textOfField(rule: AuthoredRule, name: string): string {
  const texts: Readonly<Record<string, unknown>> =
    fieldNamed(name)?.within === 'check' ? { [name]: rule.checks[0]?.content } : contentOf(rule)
  const text = texts[name]
  return typeof text === 'string' ? text : ''
}

/** Finds the fault of a suggested text that the field cannot hold. */
export function faultsOfText(name: string, text: string): readonly FieldError[] {
  const field = fieldNamed(name)
  if (field?.kind === 'required' && text.trim() === '')
    return [{ field: 'suggestion.text', message: `${field.label} can't be blank` }]
  return lengthFault(name, text).map(({ message }) => ({ field: 'suggestion.text', message }))
}

/** The edit of a rule that sets the text of a field. 422 if the field cannot hold the text. */
export function editOf(rule: AuthoredRule, name: string, text: string, failure: string): RuleChanges {
  const parsed = ruleChanges.safeParse(placeText(rule, name, text))
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.map(({ message }) => ({ field: 'text', message }))
  throw refuseValues(failure, errors)
}

function placeText(rule: AuthoredRule, name: string, text: string): object {
  const within = fieldNamed(name)?.within
  if (within === 'description') return { disa_rule_descriptions_attributes: [{ [name]: text }] }
  if (within !== 'check') return { [name]: text }
  const [first] = rule.checks
  return { checks_attributes: [{ ...(first !== undefined && { id: first.id }), [name]: text }] }
}
