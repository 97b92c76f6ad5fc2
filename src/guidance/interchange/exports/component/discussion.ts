import type { ExportedRule } from './component.ts'
import { satisfiedRequirements } from './identifiers.ts'

/** The discussion with the requirements that the rule satisfies besides its own. */
export function discussionOf(rule: ExportedRule): string {
  const others = satisfiedRequirements(rule)
  const text = rule.vuln_discussion ?? ''
  return others.length === 0 ? text : `${text}\n\nSatisfies: ${others.join(', ')}`
}

/** What looks like one of the tags would be read as one. */
const TAG =
  /<(?=\/?(?:VulnDiscussion|FalsePositives|FalseNegatives|Documentable|Mitigations|SeverityOverrideGuidance|SecurityOverrideGuidance|PotentialImpacts?|ThirdPartyTools|MitigationControl|Responsibility|IAControls)\s*\/?>)/g

/** The text of a `Rule/description`: DISA's tags, each there even if it is empty. */
export function descriptionOf(rule: ExportedRule): string {
  const parts: readonly (readonly [string, string | null])[] = [
    ['VulnDiscussion', discussionOf(rule)],
    ['FalsePositives', rule.false_positives],
    ['FalseNegatives', rule.false_negatives],
    ['Documentable', documentableOf(rule)],
    ['Mitigations', rule.mitigations],
    ['SeverityOverrideGuidance', rule.severity_override_guidance],
    ['PotentialImpacts', rule.potential_impacts],
    ['ThirdPartyTools', rule.third_party_tools],
    ['MitigationControl', rule.mitigation_control],
    ['Responsibility', rule.responsibility],
    ['IAControls', rule.ia_controls],
  ]
  return parts
    .map(([tag, text]) => `<${tag}>${(text ?? '').replaceAll(TAG, '&lt;')}</${tag}>`)
    .join('')
}

/** `true` or `false`; empty where nobody has said. */
export function documentableOf({ documentable }: ExportedRule): string {
  if (documentable === null) return ''
  return documentable === 1 ? 'true' : 'false'
}
