import { DISCUSSION_FIELDS } from '../../../../tables/field-lists.ts'
import type { Rule } from '../benchmark.ts'

interface NamedText {
  readonly name: string
  readonly text: string
}

/** IA controls are those of a directive that SP 800-53 has replaced. */
const ELSEWHERE = new Set(['vuln_discussion', 'ia_controls'])
const ASIDES = DISCUSSION_FIELDS.filter((field) => field.kind === 'text').filter(({ name }) => !ELSEWHERE.has(name))

/** Lists the texts of a rule in reading order, without empty ones. */
export function textsOf(rule: Rule): readonly NamedText[] {
  const texts = [
    { name: 'Discussion', text: rule.vuln_discussion },
    ...numbered(
      'Check',
      rule.checks.map(({ content }) => content),
    ),
    ...numbered(
      'Fix',
      rule.fixes.map(({ text }) => text),
    ),
    ...ASIDES.map((field) => ({ name: field.label, text: rule[field.name] })),
  ]
  return texts.flatMap(({ name, text }) => (text === null || text.trim() === '' ? [] : [{ name, text }]))
}

function numbered(
  name: string,
  texts: readonly (string | null)[],
): readonly { readonly name: string; readonly text: string | null }[] {
  return texts.map((text, at) => ({ name: at === 0 ? name : `${name} ${at + 1}`, text }))
}
