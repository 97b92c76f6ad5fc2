import type { ListedRule, Rule } from './benchmark.ts'
import { wordsOf } from './words-of.ts'

/** Whole rules by their ids; undefined until their texts are loaded. */
export type WholeRules = ReadonlyMap<string, Rule>

/** The searched text of a rule: its names, and all its texts if they are loaded. */
function textOf(rule: ListedRule, whole: Rule | undefined): string {
  const { title, rule_id, group_id, version, requirement, ccis, legacy_ids } = rule
  const names = [title, rule_id, version, group_id, requirement, ...ccis, ...legacy_ids]
  if (whole === undefined) return names.join('\n').toLowerCase()
  const checks = whole.checks.map(({ content }) => content)
  const fixes = whole.fixes.map(({ text }) => text)
  return [...names, ...whole.nist_controls, ...fixes, ...checks, whole.vuln_discussion].join('\n').toLowerCase()
}

/** Computed once for each rule, because rules do not change. */
const texts = new WeakMap<object, string>()

function knownTextOf(rule: ListedRule, whole: Rule | undefined): string {
  const key = whole ?? rule
  const text = texts.get(key) ?? textOf(rule, whole)
  texts.set(key, text)
  return text
}

/** The rules of a severity (of any, if it is empty) that have all of the words. */
export function matchingRules(
  rules: readonly ListedRule[],
  wanted: { readonly text: string; readonly severity: string; readonly whole?: WholeRules | undefined },
): readonly ListedRule[] {
  const words = wordsOf(wanted.text)
  const { severity, whole } = wanted
  return rules.filter(
    (rule) =>
      (severity === '' || rule.severity === severity) &&
      (words.length === 0 || words.every((word) => knownTextOf(rule, whole?.get(rule.rule_id)).includes(word))),
  )
}
