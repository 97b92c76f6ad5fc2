import { STATUSES } from '../../../authoring/rules/schemas.ts'
import type { RuleStatus } from '../../../database/schema/rules.ts'

type Level = 'high' | 'medium' | 'low'

/** DISA's names of severities (operations H), and ours. */
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

/** Null: it is none. */
export function severityOf(text: string): Level | null {
  return SEVERITIES.get(folded(text)) ?? null
}

/** Of a rule of a STIG, whatever the letter case and the kind of dash; null where it is none. */
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

/** The number at the end of a STIG id: 12 of `CNTR-00-000012`; null where there is none. */
export function numberOf(stigId: string): number | null {
  const digits = /(\d{1,9})\D*$/.exec(stigId.slice(-40))?.[1]
  return digits === undefined || Number(digits) === 0 ? null : Number(digits)
}

/** The whole of a STIG id, for comparison: letter case and zeros before the number say nothing. */
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

/** Whether two texts say the same: line ends and blanks around them say nothing. */
export function isSameText(one: string | null, other: string | null): boolean {
  return comparable(one) === comparable(other)
}

function comparable(text: string | null): string {
  return (text ?? '').replaceAll(/\r\n?/g, '\n').trim()
}
