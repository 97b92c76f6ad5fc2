/** The severities of a rule, as XCCDF spells them. */
export const SEVERITIES = ['high', 'medium', 'low', 'unknown', 'info'] as const

export type Severity = (typeof SEVERITIES)[number]
