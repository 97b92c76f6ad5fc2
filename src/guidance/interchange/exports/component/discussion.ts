import { ANY_TAG } from '../../../catalogue/xccdf/description.ts'
import { flagOf } from '../../../database/flags.ts'
import { DISCUSSION_FIELDS, type Field } from '../../../fields/fields.ts'
import type { ExportedRule } from './component.ts'
import { satisfiedRequirements } from './identifiers.ts'

/** The discussion with the requirements that the rule satisfies besides its own. */
export function discussionOf(rule: ExportedRule): string {
  const others = satisfiedRequirements(rule)
  const text = rule.vuln_discussion ?? ''
  return others.length === 0 ? text : `${text}\n\nSatisfies: ${others.join(', ')}`
}

/** What looks like one of the tags would be read as one. */
const TAG = new RegExp(`<(?=/?(?:${ANY_TAG})\\s*/?>)`, 'g')

/** The text of a `Rule/description`: DISA's tags, each there even if it is empty. */
export function descriptionOf(rule: ExportedRule): string {
  return DISCUSSION_FIELDS.map((field) => {
    const [tag] = field.tags
    const text = field.name === 'vuln_discussion' ? discussionOf(rule) : textOf(rule, field)
    return `<${tag}>${(text ?? '').replaceAll(TAG, '&lt;')}</${tag}>`
  }).join('')
}

type TextField = Extract<Field, { readonly kind: 'text' | 'flag' }>

/** A truth value is `true` or `false`; empty where nobody has said. */
export function textOf(rule: ExportedRule, field: TextField): string | null {
  if (field.kind === 'text') return rule[field.name]
  return flagOf(rule[field.name])?.toString() ?? ''
}
