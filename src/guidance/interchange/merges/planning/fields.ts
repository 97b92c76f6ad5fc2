import { CHECK_CONTENT } from '../../../../tables/check-fields.ts'
import { namesOf } from '../../../../tables/field-lists.ts'
import { FIELDS } from '../../../../tables/fields.ts'
import { flagOf } from '../../../database/flags.ts'
import { markedChecks } from '../../exports/component/check-text.ts'
import type { RuleState } from '../../exports/component/snapshot.ts'

/** A text, a flag, or nothing. */
export type FieldValue = string | boolean | null

/** The SRG requirement identifies a rule, and no person writes the other columns. */
const NOT_MERGED = [
  'version',
  'ident_system',
  'fixtext_fixref',
  'fix_id',
  'inspec_control_body_lang',
  'inspec_control_file',
  'inspec_control_file_lang',
] as const
type Column = Exclude<(typeof FIELDS)[number]['name'], (typeof NOT_MERGED)[number]>

/** A column of a rule, or its checks. */
export type MergedField = Column | 'check_content'

const notMerged = new Set<string>(NOT_MERGED)

export const MERGED_COLUMNS: readonly Column[] = namesOf(FIELDS).filter((name): name is Column => !notMerged.has(name))

/** All merged fields, in the order of the table of fields. */
export const MERGED_FIELDS: readonly MergedField[] = [...MERGED_COLUMNS, 'check_content']

const KINDS: ReadonlyMap<string, string> = new Map(
  [...FIELDS, { ...CHECK_CONTENT, name: 'check_content' }].map(({ name, kind }) => [name, kind]),
)

/** Texts are merged line by line. Other values, such as a status or a list of CCIs, are merged as a whole. */
export function isProse(field: MergedField): boolean {
  return KINDS.get(field) === 'text' && field !== 'ident'
}

/** Joins several checks into one text, with a line between them. */
export function valueOf({ content, checks }: RuleState, field: MergedField): FieldValue {
  if (field === 'check_content') return markedChecks({ checks }) || null
  const value = content[field]
  return typeof value === 'string' ? value || null : flagOf(value)
}

/** Locks know a field by this name. */
export function lockNameOf(field: MergedField): string {
  return field === 'check_content' ? 'checks_attributes' : field
}
