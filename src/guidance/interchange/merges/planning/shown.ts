import { replaceForbidden } from '../../../../platform/characters.ts'
import { CHECK_CONTENT } from '../../../../tables/check-fields.ts'
import { SHEET_FIELDS } from '../../../../tables/field-lists.ts'
import { isWeight, USUAL_WEIGHT } from '../../../authoring/rule-editing/content.ts'
import { oneLine } from '../../../catalogue/xccdf/node.ts'
import { checkOf } from '../../exports/component/check.ts'
import type { RuleState } from '../../exports/component/snapshot.ts'
import { uncut } from '../../exports/tables/cell.ts'
import type { ReturnedForm } from '../reading/returned.ts'
import { valueOf, type FieldValue, type MergedField } from './fields.ts'

/** The texts of the rule that satisfies another one; exports have them in its place. */
export interface SatisfyingTexts {
  readonly check: string | null
  readonly fix: string | null
}

export interface FormContext {
  readonly form: ReturnedForm
  readonly satisfiedBy: SatisfyingTexts | null
}

/** Whether the value in a file is how an export in this form shows the field of the rule. */
export function isShown(value: FieldValue, field: MergedField, state: RuleState, context: FormContext): boolean {
  const own = valueOf(state, field)
  if (value === own || (value === null && isLeftBlank(field, state, context.form))) return true
  const shown = [own, ...alternatives(field, state, context)]
  const read =
    typeof value === 'string' ? [value, uncut(value, textOf(own)), withoutSatisfies(value, context)] : [value]
  return shown.some((one) => read.some((text) => isSame(one, text)))
}

function textOf(value: FieldValue): string | null {
  return typeof value === 'string' ? value : null
}

/** Other forms in which exports state the field. */
function alternatives(field: MergedField, state: RuleState, { satisfiedBy }: FormContext): readonly FieldValue[] {
  if (field === 'check_content') return [checkOf(state), ...(satisfiedBy === null ? [] : [satisfiedBy.check, null])]
  if (field === 'fixtext') return satisfiedBy === null ? [] : [satisfiedBy.fix, null]
  if (field === 'title') return [oneLine(state.content.title)]
  if (field === 'rule_weight') return isWeight(state.content.rule_weight) ? [] : [USUAL_WEIGHT]
  if (field === 'ident') return [inCitedOrder(state.content.ident)]
  return []
}

/** CCIs in the order of a file say the same as sorted ones. */
function inCitedOrder(ident: string | null): string | null {
  return ident === null ? null : [...new Set(ident.split(/[\s,;]+/))].sort().join(', ')
}

/** The statuses for which DISA's vendor sheet leaves the column of a field blank. */
const LEFT_BLANK: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...SHEET_FIELDS.map(({ name, sheet }) => [name, sheet.blank] as const),
  ['check_content', CHECK_CONTENT.sheet.blank],
])

function isLeftBlank(field: MergedField, { content }: RuleState, form: ReturnedForm): boolean {
  return form === 'vendor sheet' && LEFT_BLANK.get(field)?.includes(content.status) === true
}

const SATISFIES = /\n\nSatisfies: [\w.-]+(?:, [\w.-]+)*\s*$/

/** XCCDF and checklists add the satisfied requirements to the discussion. */
export function withoutSatisfies(text: string, { form }: Pick<FormContext, 'form'>): string {
  return form === 'xccdf' || form === 'checklist' ? text.replace(SATISFIES, '') : text
}

/** Whether two values differ at most in line ends, blanks at ends of lines, and what no file can hold. */
export function isSame(one: FieldValue, other: FieldValue): boolean {
  if (typeof one === 'boolean' || typeof other === 'boolean') return one === other
  return comparable(one) === comparable(other) || isGuarded(one, other)
}

/** In a CSV, an apostrophe before a formula was removed as if an export had added it. */
function isGuarded(one: string | null, other: string | null): boolean {
  return one?.startsWith("'") === true && comparable(one) === comparable(`'${other ?? ''}`)
}

function comparable(text: string | null): string {
  const lines = (text ?? '').replaceAll(/\r\n?/g, '\n').replaceAll(/[ \t\u00a0]+$/gm, '')
  return replaceForbidden(lines).trim()
}

/**
 * A text of a file without what spreadsheets change by themselves: line ends and blanks at ends of lines, which become
 * those of the base. Other characters, such as quotation marks, stay as the file has them.
 */
export function cleaned(text: string, base: FieldValue): string {
  const before = typeof base === 'string' ? base : ''
  const unified = before.includes('\r') ? text : text.replaceAll('\r\n', '\n')
  const known = new Map(before.split('\n').map((line) => [line.trimEnd(), line]))
  const lines = unified.split('\n').map((line) => known.get(line.trimEnd()) ?? line.trimEnd())
  const joined = lines.join('\n')
  return /\s$/.test(before) ? joined : joined.trimEnd()
}
