import type { ListedRule, Rule } from './benchmark.ts'
import { wordsOf } from './words-of.ts'

/** Whole rules by their ids; undefined until their texts are loaded. */
export type WholeRules = ReadonlyMap<string, Rule>

/** The searched text of a rule: its names, and all its texts if they are loaded. */
function textOf(rule: ListedRule, fullRule: Rule | undefined): string {
  const { title, rule_id, group_id, version, requirement, ccis, legacy_ids } = rule
  const names = [title, rule_id, version, group_id, requirement, ...ccis, ...legacy_ids]
  if (fullRule === undefined) return names.join('\n').toLowerCase()
  const checks = fullRule.checks.map(({ content }) => content)
  const fixes = fullRule.fixes.map(({ text }) => text)
  return [...names, ...fullRule.nist_controls, ...fixes, ...checks, fullRule.vuln_discussion].join('\n').toLowerCase()
}

/** Computed once for each rule, because rules do not change. */
const texts = new WeakMap<object, string>()

function cachedTextOf(rule: ListedRule, fullRule: Rule | undefined): string {
  const key = fullRule ?? rule
  const text = texts.get(key) ?? textOf(rule, fullRule)
  texts.set(key, text)
  return text
}

/** The rules of a severity (of any, if it is empty) that have all of the words. */
export function matchingRules(
  rules: readonly ListedRule[],
  filter: { readonly text: string; readonly severity: string; readonly whole?: WholeRules | undefined },
): readonly ListedRule[] {
  const words = wordsOf(filter.text)
  const { severity, whole } = filter
  return rules.filter(
    (rule) =>
      (severity === '' || rule.severity === severity) &&
      (words.length === 0 || words.every((word) => cachedTextOf(rule, whole?.get(rule.rule_id)).includes(word))),
  )
}
