import { RULE_STATUSES, type RuleStatus } from '../../../../tables/statuses.ts'

/** The statuses of rules, with the short forms that addresses and narrow places have. */
const SHORT_STATUSES: Readonly<Record<RuleStatus, string>> = {
  'Not Yet Determined': 'NYD',
  'Applicable - Configurable': 'AC',
  'Applicable - Inherently Meets': 'AIM',
  'Applicable - Does Not Meet': 'ADNM',
  Applicable: 'AP',
  'Not Applicable': 'NA',
}

/** Labels for rows of the list, without "Applicable". */
const ROW_LABELS: Readonly<Record<RuleStatus, string>> = {
  'Not Yet Determined': 'Not yet determined',
  'Applicable - Configurable': 'Configurable',
  'Applicable - Inherently Meets': 'Inherently meets',
  'Applicable - Does Not Meet': 'Does not meet',
  Applicable: 'Applicable',
  'Not Applicable': 'Not applicable',
}

export function rowLabel(status: string): string {
  const knownStatus = statusOf(status)
  return knownStatus === undefined ? status : ROW_LABELS[knownStatus]
}

export function shortStatus(status: string): string {
  const knownStatus = statusOf(status)
  return knownStatus === undefined ? status : SHORT_STATUSES[knownStatus]
}

/** The status if the API knows it. */
export function statusOf(value: unknown): RuleStatus | undefined {
  return RULE_STATUSES.find((status) => status === value)
}

export function severityOf(value: unknown): 'high' | 'medium' | 'low' | undefined {
  return (['high', 'medium', 'low'] as const).find((severity) => severity === value)
}
