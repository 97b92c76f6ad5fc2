/** The statuses of rules, with the short forms that addresses and narrow places have. */
const SHORT: Readonly<Record<string, string>> = {
  'Not Yet Determined': 'NYD',
  'Applicable - Configurable': 'AC',
  'Applicable - Inherently Meets': 'AIM',
  'Applicable - Does Not Meet': 'ADNM',
  Applicable: 'AP',
  'Not Applicable': 'NA',
}

export function shortOf(status: string): string {
  return SHORT[status] ?? status
}

const STATUSES = {
  stig: [
    'Not Yet Determined',
    'Applicable - Configurable',
    'Applicable - Inherently Meets',
    'Applicable - Does Not Meet',
    'Not Applicable',
  ],
  srg: ['Not Yet Determined', 'Applicable', 'Not Applicable'],
} as const

/** What rules of this kind of component can be. */
export function statusesOf(kind: keyof typeof STATUSES): readonly string[] {
  return STATUSES[kind]
}

const ALL = [
  'Not Yet Determined',
  'Applicable - Configurable',
  'Applicable - Inherently Meets',
  'Applicable - Does Not Meet',
  'Applicable',
  'Not Applicable',
] as const

/** As the API knows it. */
export function statusOf(value: unknown): (typeof ALL)[number] | undefined {
  return ALL.find((status) => status === value)
}

export function severityOf(value: unknown): 'high' | 'medium' | 'low' | undefined {
  return (['high', 'medium', 'low'] as const).find((severity) => severity === value)
}
