import { TAGGED_FIELDS, type Field } from '../../../../tables/field-lists.ts'
import { escapeTags } from '../../../catalogue/xccdf/description.ts'
import { flagOf } from '../../../database/flags.ts'
import type { ExportedRule } from './component.ts'
import { satisfiedRequirements } from './identifiers.ts'

/** The discussion, with a list of the other requirements that the rule satisfies. */
export function discussionOf(rule: ExportedRule): string {
  const satisfied = satisfiedRequirements(rule)
  const text = rule.vuln_discussion ?? ''
  return satisfied.length === 0 ? text : `${text}\n\nSatisfies: ${satisfied.join(', ')}`
}

/** The text of a `Rule/description`. It has all of DISA's tags, even empty ones. */
export function descriptionOf(rule: ExportedRule): string {
  return TAGGED_FIELDS.map((field) => {
    const [tag] = field.xccdf.names
    const text = field.name === 'vuln_discussion' ? discussionOf(rule) : textOf(rule, field)
    return `<${tag}>${escapeTags(text ?? '')}</${tag}>`
  }).join('')
}

/** Flags become `true` or `false`; null becomes an empty text. */
export function textOf(rule: ExportedRule, field: Extract<Field, { readonly kind: 'text' | 'flag' }>): string | null {
  if (field.kind === 'text') return rule[field.name]
  return flagOf(rule[field.name])?.toString() ?? ''
}
