import { STATUSES, type RuleStatus } from '../../../../tables/statuses.ts'
import { keyOf } from './columns.ts'

type SeverityLevel = 'high' | 'medium' | 'low'

/** Names of severities by DISA and in Parapet. */
const SEVERITIES: ReadonlyMap<string, SeverityLevel> = new Map([
  ['cati', 'high'],
  ['catii', 'medium'],
  ['catiii', 'low'],
  ['cat1', 'high'],
  ['cat2', 'medium'],
  ['cat3', 'low'],
  ['high', 'high'],
  ['medium', 'medium'],
  ['low', 'low'],
])

/** Other names of a status that people write. */
const STATUS_ALIASES: readonly (readonly [string, RuleStatus])[] = [
  ['Configurable', 'Applicable - Configurable'],
  ['Inherently Meets', 'Applicable - Inherently Meets'],
  ['Inherently Met', 'Applicable - Inherently Meets'],
  ['Applicable - Inherently Met', 'Applicable - Inherently Meets'],
  ['Does Not Meet', 'Applicable - Does Not Meet'],
  ['Not Met', 'Applicable - Does Not Meet'],
  ['Applicable - Not Met', 'Applicable - Does Not Meet'],
  ['N/A', 'Not Applicable'],
]

const STATUS_NAMES: ReadonlyMap<string, RuleStatus> = new Map([
  ...Object.values(STATUSES.stig).map((status) => [keyOf(status), status] as const),
  ...STATUS_ALIASES.map(([alias, status]) => [keyOf(alias), status] as const),
])

/** Null if the text is not a severity. */
export function severityOf(text: string): SeverityLevel | null {
  return SEVERITIES.get(keyOf(text)) ?? null
}

/**
 * The status of a STIG rule, also by other names, ignoring case and the kind of dash; null if the text is not a status.
 */
export function statusOf(text: string): RuleStatus | null {
  return STATUS_NAMES.get(keyOf(text)) ?? null
}

/** The number at the end of a STIG id, such as 12 in `CNTR-00-000012`; null without one. */
export function numberOf(stigId: string): number | null {
  const digits = /(\d{1,9})\D*$/.exec(stigId.slice(-40))?.[1]
  return digits === undefined || Number(digits) === 0 ? null : Number(digits)
}

/** Makes STIG ids comparable, ignoring case and zeros before the number. */
export function stigIdKey(stigId: string): string {
  return stigId
    .trim()
    .slice(0, 100)
    .toUpperCase()
    .replace(/-0*(\d{1,9})$/, '-$1')
}

/** The STIG ids in a text such as `Satisfies: CNTR-00-000004, CNTR-00-000009`. */
export function satisfiedIds(text: string): readonly string[] {
  const ids = text.replace(/^\s*satisfies\s*:/i, '').split(/[,;\s]+/)
  return ids.filter((id) => id !== '')
}

/** Whether two texts are equal apart from line ends and blanks around them. */
export function isSameText(a: string | null, b: string | null): boolean {
  return comparable(a) === comparable(b)
}

function comparable(text: string | null): string {
  return (text ?? '').replaceAll(/\r\n?/g, '\n').trim()
}
