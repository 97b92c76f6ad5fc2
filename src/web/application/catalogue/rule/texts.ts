import type { Rule } from '../benchmark.ts'

interface NamedText {
  readonly name: string
  readonly text: string
}

const ASIDES = [
  ['false_positives', 'False positives'],
  ['false_negatives', 'False negatives'],
  ['mitigations', 'Mitigations'],
  ['mitigation_control', 'Mitigation control'],
  ['severity_override_guidance', 'Severity override guidance'],
  ['potential_impacts', 'Potential impacts'],
  ['third_party_tools', 'Third-party tools'],
  ['responsibility', 'Responsibility'],
] as const

/** What is written of a rule, in the order in which it is read; what is empty is left out. */
export function textsOf(rule: Rule): readonly NamedText[] {
  const descriptions = rule.disa_rule_descriptions_attributes
  const texts = [
    ...numbered(
      'Check',
      rule.checks_attributes.map(({ content }) => content),
    ),
    { name: 'Fix', text: rule.fixtext },
    ...numbered(
      'Discussion',
      descriptions.map(({ vuln_discussion: text }) => text),
    ),
    ...ASIDES.flatMap(([field, name]) =>
      numbered(
        name,
        descriptions.map((description) => description[field]),
      ),
    ),
  ]
  return texts.flatMap(({ name, text }) => (text === null || text.trim() === '' ? [] : [{ name, text }]))
}

function numbered(
  name: string,
  texts: readonly (string | null)[],
): readonly { readonly name: string; readonly text: string | null }[] {
  return texts.map((text, at) => ({ name: at === 0 ? name : `${name} ${at + 1}`, text }))
}
