import { inOrder } from '../../../../platform/records.ts'
import { namesOf, SHEET_COLUMNS, SHEET_FIELDS } from '../../../../tables/field-lists.ts'
import { joinChecks } from '../../../authoring/rules/join-checks.ts'
import type { AuthoredRule } from '../../../authoring/rules/reader.ts'
import { isLockedFor } from '../../../authoring/rules/sections.ts'
import { limitOf } from '../../../authoring/rules/text-limits.ts'
import { groupDigits } from '../../../catalogue/files/limits.ts'
import { markedChecks, separateChecks } from '../../exports/component/check-text.ts'
import { restoreTruncated } from '../../exports/tables/cell.ts'
import type { SheetRecord } from '../reading/records.ts'
import { quoted, unusable } from '../reading/refusals.ts'
import { isSameText, severityOf, statusOf } from '../reading/values.ts'
import type { RecordRulePair } from './match-records.ts'

export interface FieldChange {
  readonly from: string | null
  readonly to: string | null
}

export type SkipReason = 'inherited' | 'locked' | 'section locked'

/** The changes that a row makes to its rule. */
export interface Comparison extends RecordRulePair {
  /** By the field of the column. */
  readonly changes: ReadonlyMap<UpdatedField, FieldChange>
  /** Changes that are not allowed. */
  readonly skipped: ReadonlyMap<UpdatedField, SkipReason>
  readonly warnings: readonly string[]
}

/** The fields that a sheet can change. */
export type UpdatedField = (typeof SHEET_COLUMNS)[number]['name'] | 'check'

const COLUMN_OF: ReadonlyMap<UpdatedField, (typeof SHEET_FIELDS)[number]['name']> = new Map(
  SHEET_FIELDS.map(({ name, sheet }) => [sheet.name, name]),
)

/** These fields come first in answers, for compatibility. */
const FIRST_FIELDS = [
  'title',
  'vuln_discussion',
  'artifact_description',
  'status_justification',
  'check',
  'fix',
] as const

const FIELDS: readonly UpdatedField[] = inOrder(FIRST_FIELDS, namesOf(SHEET_COLUMNS.filter(({ required }) => required)))

/** Fields that change only together with another field of the row. */
const DEPENDENT_FIELDS: readonly UpdatedField[] = namesOf(SHEET_COLUMNS.filter(({ required }) => !required))

/** Compares a row with its rule. Refuses a new text that is too long for its field. */
export function compare(pair: RecordRulePair): Comparison {
  const { record, rule } = pair
  const warnings: string[] = []
  const fieldChanges = new Map<UpdatedField, FieldChange>()
  for (const field of FIELDS) {
    const change = changeOf(pair, field, warnings)
    if (change !== null) fieldChanges.set(field, change)
  }
  const dependentChanges = DEPENDENT_FIELDS.flatMap((field) => {
    const change = changeOf(pair, field, warnings)
    return change === null ? [] : [[field, change] as const]
  })
  const parts = separateSkipped(rule, fieldChanges)
  if (parts.changes.size > 0) {
    const dependentParts = separateSkipped(rule, new Map(dependentChanges))
    const changes = new Map([...parts.changes, ...dependentParts.changes])
    return { ...pair, changes, skipped: new Map([...parts.skipped, ...dependentParts.skipped]), warnings }
  }
  if (dependentChanges.length > 0) {
    const names = dependentChanges.map(([field]) => field).join(', ')
    warnings.push(`Row ${record.row}: ${names} is not a change by itself; change another column, too.`)
  }
  return { ...pair, ...parts, warnings }
}

function separateSkipped(
  rule: AuthoredRule,
  fieldChanges: ReadonlyMap<UpdatedField, FieldChange>,
): Pick<Comparison, 'changes' | 'skipped'> {
  const changes = new Map<UpdatedField, FieldChange>()
  const skipped = new Map<UpdatedField, SkipReason>()
  for (const [field, change] of fieldChanges) {
    const reason = reasonToSkip(rule, field)
    if (reason === null) changes.set(field, change)
    else skipped.set(field, reason)
  }
  return { changes, skipped }
}

/** A satisfied rule has the check and fix of the satisfying rule. */
function reasonToSkip(rule: AuthoredRule, field: UpdatedField): SkipReason | null {
  if (rule.locked === 1) return 'locked'
  if (isLockedFor(rule, columnOf(field))) return 'section locked'
  const inherits = rule.satisfiedBy.length > 0 && (field === 'check' || field === 'fix')
  return inherits ? 'inherited' : null
}

function changeOf(pair: RecordRulePair, field: UpdatedField, warnings: string[]): FieldChange | null {
  const { record, rule } = pair
  if (record.values[field] === undefined || hasUnnamedSeverity(pair, field)) return null
  const from = currentOf(rule, field)
  const value = valueOf(record, field, warnings)
  const to = typeof value === 'string' ? restoreTruncated(value, from) : value
  if (to === undefined || isUnchanged(rule, field, to) || isInherited(pair, field, to)) return null
  requireShort(record, field, to)
  warnings.push(...joinWarnings(pair, field, to))
  return { from, to }
}

/** Whether the cell is blank because sheets cannot name the severity of the rule. */
function hasUnnamedSeverity({ record, rule }: RecordRulePair, field: UpdatedField): boolean {
  const { rule_severity } = rule
  const hasName = rule_severity !== 'unknown' && rule_severity !== 'info'
  return field === 'severity' && record.values.severity === '' && !hasName
}

function isUnchanged(rule: AuthoredRule, field: UpdatedField, to: string | null): boolean {
  const from = currentOf(rule, field)
  if (isSameText(from, to)) return true
  // Tables other than working copies join checks without marks.
  if (field === 'check' && isSameText(joinChecks(rule), to)) return true
  // Imports of CSV files remove an apostrophe before a formula, because exports add one.
  return from !== null && isSameText(from, `'${to ?? ''}`)
}

/** Warns if the cell has fewer checks than the rule, for example because somebody removed its marks. */
function joinWarnings(
  { record, rule: { checks } }: RecordRulePair,
  field: UpdatedField,
  to: string | null,
): readonly string[] {
  const before = checks.filter(({ content }) => content !== null).length
  const after = separateChecks(to ?? '').length
  if (field !== 'check' || before < 2 || after >= before) return []
  return [`Row ${record.row}: of ${before} checks ${after === 1 ? 'one is' : `${after} are`} left.`]
}

/** Exports write the satisfying rule's text or nothing in its place, so neither is a change. */
function isInherited(
  { rule: { satisfiedBy }, parent }: RecordRulePair,
  field: UpdatedField,
  to: string | null,
): boolean {
  const [link] = satisfiedBy
  if (link === undefined || (field !== 'check' && field !== 'fix')) return false
  const inheritedText = field === 'fix' ? link.fixtext : parent === null ? null : joinChecks(parent)
  return to === null || isSameText(inheritedText, restoreTruncated(to, inheritedText))
}

/** Reads values of fields that must not be blank; null if the text is not a value. */
const PARSE_VALUE: Readonly<Record<'title' | 'status' | 'severity', (text: string) => string | null>> = {
  title: (text) => (text.trim() === '' ? null : text.trim()),
  status: statusOf,
  severity: severityOf,
}

/** Undefined if the cell has no value that can be stored. The cell is then ignored. */
function valueOf({ row, values }: SheetRecord, field: UpdatedField, warnings: string[]): string | null | undefined {
  const text = values[field] ?? ''
  if (field === 'title' || field === 'status' || field === 'severity') {
    const value = PARSE_VALUE[field](text)
    if (value !== null) return value
    const fault = text === '' ? `${field} is blank` : `${field} ${quoted(text)} is not known`
    warnings.push(`Row ${row}: ${fault}; it stays as it is.`)
    return undefined
  }
  return text === '' ? null : text
}

function requireShort({ row }: SheetRecord, field: UpdatedField, text: string | null): void {
  const max = limitOf(columnOf(field))
  const texts = field === 'check' ? separateChecks(text ?? '') : [text ?? '']
  if (texts.every(({ length }) => length <= max)) return
  throw unusable(`Row ${row}: ${field} is longer than the limit of ${groupDigits(max)} characters.`)
}

function columnOf(field: UpdatedField): string {
  return COLUMN_OF.get(field) ?? 'checks_attributes'
}

function currentOf(rule: AuthoredRule, field: UpdatedField): string | null {
  const column = COLUMN_OF.get(field)
  return column === undefined ? markedChecks(rule) : rule[column]
}
