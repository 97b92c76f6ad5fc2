import type { AuthoredRule } from '../../../authoring/rules/reader.ts'
import { displayedName } from '../../../database/rule-names.ts'
import { exportedCode } from './exported-forms.ts'
import type { MatchedRule, MatchResult } from './match-rules.ts'

type Match = MatchResult<AuthoredRule>

/**
 * Leaves out the code of rules that have their own control file. Exports contain that file, so new code in the body
 * would have no effect. Warns of code that differs.
 */
export function withoutReplacedCode(match: Match): { readonly match: Match; readonly warnings: readonly string[] } {
  const names: string[] = []
  const matched = match.matched.map((pair): MatchedRule<AuthoredRule> => {
    const { rule, fileRule } = pair
    const code = fileRule.values.inspec_control_body
    if (rule.inspec_control_file === null || code === undefined || code === exportedCode(rule)) return pair
    names.push(displayedName(rule.prefix, rule.number))
    return { ...pair, fileRule: { ...fileRule, values: {} } }
  })
  const warnings = names.map(
    (name) => `${name} has a control file of its own, which replaces the code of the rule. It stays as it is.`,
  )
  return { match: { ...match, matched }, warnings }
}
