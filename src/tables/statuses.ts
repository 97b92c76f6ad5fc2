/** The statuses of rules, by kind of component; the keys are the names in figures (docs/contract.md, Rule status). */
export const STATUSES = {
  stig: {
    not_yet_determined: 'Not Yet Determined',
    applicable_configurable: 'Applicable - Configurable',
    applicable_inherently_meets: 'Applicable - Inherently Meets',
    applicable_does_not_meet: 'Applicable - Does Not Meet',
    not_applicable: 'Not Applicable',
  },
  srg: {
    not_yet_determined: 'Not Yet Determined',
    applicable: 'Applicable',
    not_applicable: 'Not Applicable',
  },
} as const

export const RULE_STATUSES = [...Object.values(STATUSES.stig), STATUSES.srg.applicable] as const

export type RuleStatus = (typeof RULE_STATUSES)[number]

/** The statuses that rules of a kind of component can have, in the order of forms. */
export function statusesOf(kind: keyof typeof STATUSES): readonly RuleStatus[] {
  return Object.values(STATUSES[kind])
}
