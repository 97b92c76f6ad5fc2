import { DISCUSSION_FIELDS } from '../../../../tables/field-lists.ts'
import type { Rule } from '../benchmark.ts'

/** IA controls are those of a directive that SP 800-53 has replaced. */
const FIELDS_ELSEWHERE = new Set(['vuln_discussion', 'ia_controls'])
const FURTHER_FIELDS = DISCUSSION_FIELDS.filter((field) => field.kind === 'text').filter(
  ({ name }) => !FIELDS_ELSEWHERE.has(name),
)

/** Lists the texts of a rule in reading order, without empty ones. */
export function textsOf(rule: Rule): readonly { readonly name: string; readonly text: string }[] {
  const texts = [
    { name: 'Discussion', text: rule.vuln_discussion },
    ...numberTexts(
      'Check',
      rule.checks.map(({ content }) => content),
    ),
    ...numberTexts(
      'Fix',
      rule.fixes.map(({ text }) => text),
    ),
    ...FURTHER_FIELDS.map((field) => ({ name: field.label, text: rule[field.name] })),
  ]
  return texts.flatMap(({ name, text }) => (text === null || text.trim() === '' ? [] : [{ name, text }]))
}

function numberTexts(
  name: string,
  texts: readonly (string | null)[],
): readonly { readonly name: string; readonly text: string | null }[] {
  return texts.map((text, index) => ({ name: index === 0 ? name : `${name} ${index + 1}`, text }))
}
