import { replaceForbidden } from '../../../../platform/characters.ts'
import { CHECK_CONTENT } from '../../../../tables/check-fields.ts'
import { SHEET_FIELDS } from '../../../../tables/field-lists.ts'
import { isWeight, USUAL_WEIGHT } from '../../../authoring/rule-editing/content.ts'
import { joinChecks } from '../../../authoring/rules/join-checks.ts'
import { oneLine } from '../../../catalogue/xccdf/node.ts'
import type { RuleState } from '../../exports/component/snapshot.ts'
import { restoreTruncated } from '../../exports/tables/cell.ts'
import { reimportedCode, codeInFile } from '../reading/inspec/controls.ts'
import type { FileForm } from '../reading/merge-file.ts'
import { valueOf, type FieldValue, type MergedField } from './fields.ts'

/** The texts of the satisfying rule, which exports have in place of the rule's own. */
export interface SatisfierTexts {
  readonly check: string | null
  readonly fix: string | null
}

export interface ExportContext {
  readonly form: FileForm
  readonly satisfiedBy: SatisfierTexts | null
}

/** Whether a value in a file is the one that an export in this form writes for the field. */
export function matchesExport(
  value: FieldValue,
  field: MergedField,
  state: RuleState,
  context: ExportContext,
): boolean {
  const ownValue = valueOf(state, field)
  if (value === ownValue || (value === null && isBlankInVendorSheet(field, state, context.form))) return true
  const forms = [ownValue, ...exportedForms(field, state, context)]
  const readings =
    typeof value === 'string'
      ? [
          value,
          restoreTruncated(value, typeof ownValue === 'string' ? ownValue : null),
          withoutSatisfies(value, context),
        ]
      : [value]
  return forms.some((form) => readings.some((reading) => isSame(form, reading)))
}

function exportedForms(
  field: MergedField,
  state: RuleState,
  { satisfiedBy, form }: ExportContext,
): readonly FieldValue[] {
  if (field === 'check_content') return [joinChecks(state), ...(satisfiedBy === null ? [] : [satisfiedBy.check, null])]
  if (field === 'fixtext') return satisfiedBy === null ? [] : [satisfiedBy.fix, null]
  if (field === 'title') return [oneLine(state.content.title)]
  if (field === 'inspec_control_body' && form === 'profile') return [exportedCode(state.content)]
  return otherForms(field, state.content)
}

function otherForms(field: MergedField, content: RuleState['content']): readonly FieldValue[] {
  if (field === 'rule_weight') return isWeight(content.rule_weight) ? [] : [USUAL_WEIGHT]
  return field === 'ident' ? [sortedCcis(content.ident)] : []
}

/**
 * The code of an exported control, without leading metadata. It comes from the rule's own control file if there is one.
 */
export function exportedCode({
  inspec_control_file: file,
  inspec_control_body: body,
}: RuleState['content']): string | null {
  return file === null ? reimportedCode(body ?? '') : codeInFile(file)
}

/** Sorts CCIs, because their order in a file has no meaning. */
function sortedCcis(ident: string | null): string | null {
  return ident === null ? null : [...new Set(ident.split(/[\s,;]+/))].sort().join(', ')
}

/** The statuses for which DISA's vendor sheet leaves the column of a field blank. */
const LEFT_BLANK: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...SHEET_FIELDS.map(({ name, sheet }) => [name, sheet.blank] as const),
  ['check_content', CHECK_CONTENT.sheet.blank],
])

function isBlankInVendorSheet(field: MergedField, { content }: RuleState, form: FileForm): boolean {
  return form === 'vendor sheet' && LEFT_BLANK.get(field)?.includes(content.status) === true
}

const SATISFIES = /\n\nSatisfies: [\w.-]+(?:, [\w.-]+)*\s*$/

/** Removes the satisfied requirements that XCCDF and checklists add to the discussion. */
export function withoutSatisfies(text: string, { form }: Pick<ExportContext, 'form'>): string {
  return form === 'xccdf' || form === 'checklist' ? text.replace(SATISFIES, '') : text
}

/** Compares values ignoring line ends, blanks at ends of lines, and characters that files cannot have. */
export function isSame(value: FieldValue, other: FieldValue): boolean {
  if (typeof value === 'boolean' || typeof other === 'boolean') return value === other
  return comparable(value) === comparable(other) || isGuardedFormula(value, other)
}

/** Imports of CSV files remove an apostrophe before a formula, because exports add one. */
function isGuardedFormula(guarded: string | null, formula: string | null): boolean {
  return guarded?.startsWith("'") === true && comparable(guarded) === comparable(`'${formula ?? ''}`)
}

function comparable(text: string | null): string {
  const lines = (text ?? '').replaceAll(/\r\n?/g, '\n').replaceAll(/[ \t\u00a0]+$/gm, '')
  return replaceForbidden(lines).trim()
}

/**
 * Takes changes by spreadsheet programs out of a text: line ends and blanks at ends of lines become those of the base.
 * Other characters, such as quotation marks, stay.
 */
export function withoutSheetChanges(text: string, base: FieldValue): string {
  const before = typeof base === 'string' ? base : ''
  const unified = before.includes('\r') ? text : text.replaceAll('\r\n', '\n')
  const originalLines = new Map(before.split('\n').map((line) => [line.trimEnd(), line]))
  const lines = unified.split('\n').map((line) => originalLines.get(line.trimEnd()) ?? line.trimEnd())
  const joined = lines.join('\n')
  return /\s$/.test(before) ? joined : joined.trimEnd()
}
