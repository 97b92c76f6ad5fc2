import type { Rule } from './benchmark.ts'
import { wordsOf } from './words-of.ts'

/** All that is written of a rule, to look for words in. */
function textOf(rule: Rule): string {
  const { title, rule_id, version, vuln_id, srg_id, ident, legacy_ids, fixtext } = rule
  const checks = rule.checks_attributes.map(({ content }) => content)
  const discussions = rule.disa_rule_descriptions_attributes.map((one) => one.vuln_discussion)
  const controls = rule.nist_control_family
  const identifiers = [rule_id, version, vuln_id, srg_id, ident, legacy_ids, controls]
  return [title, ...identifiers, fixtext, ...checks, ...discussions].join('\n').toLowerCase()
}

/** Made when it is first asked for: rules stay as they are. */
const texts = new WeakMap<Rule, string>()

function knownTextOf(rule: Rule): string {
  const text = texts.get(rule) ?? textOf(rule)
  texts.set(rule, text)
  return text
}

/** The rules of a severity (of any, if it is empty) that have all of the words. */
export function matchingRules(
  rules: readonly Rule[],
  wanted: { readonly text: string; readonly severity: string },
): readonly Rule[] {
  const words = wordsOf(wanted.text)
  const { severity } = wanted
  return rules.filter(
    (rule) =>
      (severity === '' || rule.rule_severity === severity) &&
      (words.length === 0 || words.every((word) => knownTextOf(rule).includes(word))),
  )
}
