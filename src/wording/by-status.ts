import { CHECK_CONTENT } from '../tables/check-fields.ts'
import { ADVISED_TEXTS, isRequired, REQUIRED_FIELDS } from '../tables/field-lists.ts'
import type { FieldRow } from '../tables/field-row.ts'
import { FIELDS } from '../tables/fields.ts'
import { statusesOf, type RuleStatus } from '../tables/statuses.ts'
import type { WrittenRule, WrittenText } from './rule.ts'

/** The texts that authors write for a rule with this status, and those that it requires. */
export interface StatusRow {
  /** Whether title, discussion, check and fix are the author's. */
  readonly isWritten: boolean
  readonly texts: readonly WrittenText[]
  readonly required: readonly RequiredField[]
  readonly hasSeverity: boolean
}

export type RequiredField = (typeof REQUIRED_FIELDS)[number] | typeof CHECK_CONTENT

type Kind = WrittenRule['documentType']

/** A rule of a STIG without a status has the texts of its SRG, which its author did not write. */
const UNKNOWN: StatusRow = { isWritten: false, texts: [], required: [], hasSeverity: false }

/** These texts have checks of their own. */
const CHECKED_SEPARATELY = new Set<WrittenText>(['vuln_discussion', 'fixtext'])

const ROWS = { stig: rowsOf('stig'), srg: rowsOf('srg') }

function rowsOf(kind: Kind): ReadonlyMap<string, StatusRow> {
  return new Map(statusesOf(kind).map((status) => [status, makeRow(kind, status)]))
}

function makeRow(kind: Kind, status: RuleStatus): StatusRow {
  const isAdvised = ({ advised }: Pick<FieldRow, 'advised'>): boolean => advised?.[kind].includes(status) ?? false
  const required: readonly RequiredField[] = [CHECK_CONTENT, ...REQUIRED_FIELDS]
  return {
    isWritten: isAdvised(CHECK_CONTENT),
    texts: ADVISED_TEXTS.filter((field) => !CHECKED_SEPARATELY.has(field.name) && isAdvised(field)).map(
      ({ name }) => name,
    ),
    required: required.filter((field) => isRequired(field, status)),
    hasSeverity: FIELDS.some((field) => field.name === 'rule_severity' && isAdvised(field)),
  }
}

export function statusRowOf({ documentType, status }: WrittenRule): StatusRow {
  return ROWS[documentType].get(status) ?? UNKNOWN
}
