import type { Rule } from './benchmark.ts'
import { wordsOf } from './words-of.ts'

/** All that is written of a rule, to look for words in. */
function textOf(rule: Rule): string {
  const { title, rule_id, group_id, version, requirement, ccis, legacy_ids, nist_controls } = rule
  const identifiers = [rule_id, version, group_id, requirement, ...ccis, ...legacy_ids, ...nist_controls]
  const checks = rule.checks.map(({ content }) => content)
  const fixes = rule.fixes.map(({ text }) => text)
  return [title, ...identifiers, ...fixes, ...checks, rule.vuln_discussion].join('\n').toLowerCase()
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
      (severity === '' || rule.severity === severity) &&
      (words.length === 0 || words.every((word) => knownTextOf(rule).includes(word))),
  )
}
