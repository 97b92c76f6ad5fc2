import type { CsvRow } from '../../../../platform/csv/csv.ts'
import { element, startTag, textElement } from '../../../../platform/xml.ts'
import { STATUSES } from '../../../../tables/statuses.ts'
import { lockedFieldsOf } from '../../../authoring/rules/shape.ts'
import type { ExportedRule } from '../component/component.ts'
import { cellText, columnName } from './cell.ts'
import type { Column } from './columns.ts'
import { STYLE } from './styles.ts'

/** A sheet of rules that people edit. */
export interface RuleSheet {
  readonly kind: 'rules'
  readonly name: string
  readonly columns: readonly Column[]
  readonly rules: readonly ExportedRule[]
  /** Whether to add a last column with the rules that satisfy each rule. */
  readonly withSource: boolean
  /** The digest of the component's rules. */
  readonly snapshot: string
}

/** A read-only sheet. */
export interface TextSheet {
  readonly kind: 'texts'
  readonly name: string
  /** The first row is the header. */
  readonly rows: readonly CsvRow[]
}

/** The content of a worksheet, with its elements in the order of the schema (ECMA-376 §18.3.1.99). */
export function* sheetPieces(sheet: RuleSheet | TextSheet): Generator<string, void> {
  yield FROZEN_HEADER
  yield* sheet.kind === 'rules' ? rulePieces(sheet) : textPieces(sheet)
}

/** The cells that a filter covers, such as `$A$1:$V$7`; null if the sheet has no filter. */
export function filterOf(sheet: RuleSheet | TextSheet): string | null {
  if (sheet.kind === 'texts') return null
  return `$A$1:$${columnName(columnsOf(sheet).length - 1)}$${sheet.rules.length + 1}`
}

const FROZEN_HEADER =
  '<sheetViews><sheetView workbookViewId="0">' +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
  '</sheetView></sheetViews>'

const SOURCE: Column = {
  header: 'Source',
  value: ({ satisfiedBy }) => (satisfiedBy.length > 0 ? 'Inherited' : 'Direct'),
  section: 'reference',
}

const CHOICES: ReadonlyMap<string, readonly string[]> = new Map([
  ['Status', Object.values(STATUSES.stig)],
  ['Severity', ['CAT I', 'CAT II', 'CAT III']],
  ['Source', ['Direct', 'Inherited']],
])

const NARROW_WIDTH = '18'
const WIDE_WIDTH = '50'
const NARROW_HEADERS = new Set(['IA Control', 'CCI', 'SRGID', 'STIGID', 'Status', 'Severity', 'Source'])

/** The protection prevents only mistakes, so it has no password. Formatting, sorting and filtering are allowed. */
const PROTECTION =
  '<sheetProtection sheet="1" formatCells="0" formatColumns="0" formatRows="0" sort="0" autoFilter="0"/>'

interface Cell {
  readonly text: string | null
  readonly style: string
}

function* textPieces({ rows }: TextSheet): Generator<string, void> {
  yield '<sheetData>'
  for (const [index, texts] of rows.entries()) {
    const style = index === 0 ? STYLE.head : STYLE.text
    yield* rowPieces(
      index + 1,
      texts.map((text) => ({ text, style })),
    )
  }
  yield '</sheetData>'
}

function* rulePieces(sheet: RuleSheet): Generator<string, void> {
  const columns = columnsOf(sheet)
  yield element('cols', {}, ...columns.map(widthOf))
  yield '<sheetData>'
  yield* rowPieces(
    1,
    columns.map(({ header }) => ({ text: header, style: STYLE.head })),
  )
  for (const [index, rule] of sheet.rules.entries()) yield* rowPieces(index + 2, cellsOf(rule, columns))
  yield '</sheetData>'
  yield PROTECTION
  yield element('autoFilter', { ref: (filterOf(sheet) ?? '').replaceAll('$', '') })
  if (sheet.rules.length > 0) yield listsOf(columns, sheet.rules.length + 1)
}

function columnsOf({ columns, withSource }: RuleSheet): readonly Column[] {
  return withSource ? [...columns, SOURCE] : columns
}

function widthOf({ header }: Column, index: number): string {
  const number = String(index + 1)
  const width = NARROW_HEADERS.has(header) ? NARROW_WIDTH : WIDE_WIDTH
  return element('col', { min: number, max: number, width, customWidth: '1' })
}

function cellsOf(rule: ExportedRule, columns: readonly Column[]): readonly Cell[] {
  const locked = lockedFieldsOf(rule)
  const isWhollyLocked = rule.locked === 1 || rule.satisfiedBy.length > 0
  return columns.map(({ value, section }) => {
    const isLocked = isWhollyLocked || section === 'reference' || (section !== null && Object.hasOwn(locked, section))
    return { text: value(rule), style: isLocked ? STYLE.locked : STYLE.unlocked }
  })
}

/**
 * Writes a row, numbered from 1, cell by cell, because one cell may be long. Blank cells are written for their style.
 */
function* rowPieces(number: number, cells: readonly Cell[]): Generator<string, void> {
  yield startTag('row', { r: String(number) })
  for (const [index, { text, style }] of cells.entries()) {
    const attributes = { r: `${columnName(index)}${number}`, s: style }
    const content = cellText(text)
    if (content === null) yield element('c', attributes)
    else {
      const textTag = textElement('t', content, { 'xml:space': 'preserve' })
      yield element('c', { ...attributes, t: 'inlineStr' }, element('is', {}, textTag))
    }
  }
  yield '</row>'
}

/** The lists of allowed values, from row 2 to this row. */
function listsOf(columns: readonly Column[], lastRow: number): string {
  const lists = columns.flatMap(({ header }, index) => {
    const choices = CHOICES.get(header)
    return choices === undefined ? [] : [listOf(choices, `${columnName(index)}2:${columnName(index)}${lastRow}`)]
  })
  return element('dataValidations', { count: String(lists.length) }, ...lists)
}

function listOf(choices: readonly string[], cells: string): string {
  return element(
    'dataValidation',
    { type: 'list', allowBlank: '1', showErrorMessage: '1', error: `One of: ${choices.join(', ')}`, sqref: cells },
    textElement('formula1', `"${choices.join(',')}"`),
  )
}
