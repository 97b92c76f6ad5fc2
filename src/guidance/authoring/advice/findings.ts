import { adviseInSteps } from '../../../wording/advise.ts'
import { adviseOnControls } from '../../../wording/controls.ts'
import { quoteFrom, type Finding, type QuotedFinding } from '../../../wording/finding.ts'
import { textOf, type WrittenRule, WRITTEN_TEXTS } from '../../../wording/rule.ts'
import { nistControls } from '../../catalogue/benchmarks/nist-controls.ts'
import type { RuleControls } from './written-rule.ts'

/** Finds problems in one rule, each with the words that it is about. Works in steps, because texts may be long. */
export function* findingsIn(written: WrittenRule, cited: RuleControls): Generator<undefined, readonly QuotedFinding[]> {
  const controls = nistControls()
  const onWords = yield* adviseInSteps(written)
  const findings = [...onWords, ...adviseOnControls({ ...cited, controlOf: (cci) => controls.get(cci) })]
  return findings.map((finding) => ({ ...finding, quote: quoteFrom(textIn(finding, written, cited.ident), finding) }))
}

/** The text of a rule that a finding is about. */
export function textIn({ field, checkId }: Finding, rule: WrittenRule, ident: string): string {
  if (field === 'title') return rule.title
  if (field === 'ident') return ident
  if (field === 'check_content') return rule.checks.find(({ id }) => id === checkId)?.content ?? ''
  const name = WRITTEN_TEXTS.find((written) => written === field)
  return name === undefined ? '' : textOf(rule, name)
}
