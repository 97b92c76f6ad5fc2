import { STATUSES } from '../../../authoring/rules/schemas.ts'
import type { RuleStatus } from '../../../database/schema/rules.ts'

type Level = 'high' | 'medium' | 'low'

/** Severities as DISA names them (operations H), and as we do. */
const SEVERITIES: ReadonlyMap<string, Level> = new Map([
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

const STATUS_NAMES: ReadonlyMap<string, RuleStatus> = new Map(
  Object.values(STATUSES.stig).map((status) => [folded(status), status]),
)

/** Null if it is no severity. */
export function severityOf(text: string): Level | null {
  return SEVERITIES.get(folded(text)) ?? null
}

/** The status of a STIG's rule, ignoring case and kind of dash; null if it is none. */
export function statusOf(text: string): RuleStatus | null {
  return STATUS_NAMES.get(folded(text)) ?? null
}

function folded(text: string): string {
  return text
    .slice(0, 100)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** The number at the end of a STIG id: 12 in `CNTR-00-000012`; null without one. */
export function numberOf(stigId: string): number | null {
  const digits = /(\d{1,9})\D*$/.exec(stigId.slice(-40))?.[1]
  return digits === undefined || Number(digits) === 0 ? null : Number(digits)
}

/** A STIG id for comparison, ignoring case and zeros before the number. */
export function stigIdKey(stigId: string): string {
  return stigId
    .trim()
    .slice(0, 100)
    .toUpperCase()
    .replace(/-0*(\d{1,9})$/, '-$1')
}

/** The STIG ids in `Satisfies: CNTR-00-000004, CNTR-00-000009`. */
export function satisfiedIds(text: string): readonly string[] {
  const ids = text.replace(/^\s*satisfies\s*:/i, '').split(/[,;\s]+/)
  return ids.filter((id) => id !== '')
}

/** Whether two texts are the same apart from line ends and blanks around them. */
export function isSameText(one: string | null, other: string | null): boolean {
  return comparable(one) === comparable(other)
}

function comparable(text: string | null): string {
  return (text ?? '').replaceAll(/\r\n?/g, '\n').trim()
}
