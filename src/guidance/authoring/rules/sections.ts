import { FIELDS } from '../../../tables/fields.ts'
import type { Section } from '../../../tables/sections.ts'
import type { AuthoredRule } from './reader.ts'
import { lockedFieldsOf } from './shape.ts'

/** The section of each field. Other fields cannot be locked alone. */
const SECTION_OF: ReadonlyMap<string, Section | null> = new Map<string, Section | null>([
  ...FIELDS.map(({ name, section }) => [name, section] as const),
  ['checks_attributes', 'Check'],
  ['rule_descriptions_attributes', 'Vulnerability Discussion'],
])

/**
 * The lockable section of a field: a column of `rules`, or `checks_attributes` or `rule_descriptions_attributes`,
 * also with an id after a dot. Null for fields without one, such as InSpec code and answers.
 */
export function sectionOf(column: string): Section | null {
  return SECTION_OF.get(column.split('.')[0] ?? column) ?? null
}

/** Whether a lock on the whole rule or on the section protects the field (docs/contract.md, Review and locks). */
export function isLockedFor(rule: Pick<AuthoredRule, 'locked' | 'locked_fields'>, column: string): boolean {
  if (rule.locked === 1) return true
  const section = sectionOf(column)
  return section !== null && lockedFieldsOf(rule)[section] === true
}
