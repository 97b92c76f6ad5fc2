import { PassThrough } from 'node:stream'
import type { DataValidation, stream } from 'exceljs'
import { replaceForbidden } from '../../../../platform/characters.ts'
import { messageOf } from '../../../../platform/errors.ts'
import { nextTurn } from '../../../../platform/turns.ts'
import { STATUSES } from '../../../../tables/statuses.ts'
import { lockedFieldsOf } from '../../../authoring/rules/shape.ts'
import type { ExportedRule } from '../component/component.ts'
import { cellText } from './cell.ts'
import type { Column } from './columns.ts'
import type { CsvRow } from './csv.ts'

/** A sheet of rules that people edit. */
export interface RuleSheet {
  readonly kind: 'rules'
  readonly name: string
  readonly columns: readonly Column[]
  readonly rules: readonly ExportedRule[]
  /** Whether to add a last column with the rules that satisfy each rule. */
  readonly withSource: boolean
}

/** A read-only sheet. */
export interface TextSheet {
  readonly kind: 'texts'
  readonly name: string
  /** The first one is the header. */
  readonly rows: readonly CsvRow[]
}

type Book = InstanceType<typeof stream.xlsx.WorkbookWriter>
type Sheet = ReturnType<Book['addWorksheet']>

/** A workbook (XLSX) of these sheets, made while it is sent. */
export function workbookOf(sheets: AsyncIterable<RuleSheet | TextSheet>, date: Date): AsyncIterable<Uint8Array> {
  const output = new PassThrough()
  fill(output, sheets, date).catch((error: unknown) => {
    output.destroy(error instanceof Error ? error : new Error(messageOf(error)))
  })
  return output
}

async function fill(output: PassThrough, sheets: AsyncIterable<RuleSheet | TextSheet>, date: Date): Promise<void> {
  // The whole library takes as long to load as a third of the service: this is what writes, when it is wanted.
  const { default: Writer } = await import('exceljs/lib/stream/xlsx/workbook-writer.js')
  const book = new Writer({ stream: output, useStyles: true })
  book.created = date
  book.modified = date
  for await (const sheet of sheets) {
    if (sheet.kind === 'rules') await addRules(book, sheet)
    else await addTexts(book, sheet)
  }
  await book.commit()
}

const FROZEN = { views: [{ state: 'frozen' as const, ySplit: 1 }] }
const BOLD = { bold: true }
const TOP = { vertical: 'top', wrapText: true } as const
const GREY = {
  type: 'pattern',
  pattern: 'solid',
  fgColor: { argb: 'FFD9D9D9' },
} as const

/** Rows after which other requests run. */
const AT_ONCE = 25

async function addTexts(book: Book, { name, rows }: TextSheet): Promise<void> {
  const sheet = book.addWorksheet(name, FROZEN)
  for (const [index, texts] of rows.entries()) {
    const row = sheet.addRow(texts.map(cellText))
    row.alignment = TOP
    if (index === 0) row.font = BOLD
    row.commit()
    if (index % AT_ONCE === 0) await nextTurn()
  }
  sheet.commit()
}

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

const NARROW = 18
const WIDE = 50
const NARROW_HEADERS = new Set(['IA Control', 'CCI', 'SRGID', 'STIGID', 'Status', 'Severity', 'Source'])

async function addRules(book: Book, { name, rules, ...rest }: RuleSheet): Promise<void> {
  const columns = rest.withSource ? [...rest.columns, SOURCE] : rest.columns
  const sheet = book.addWorksheet(name, FROZEN)
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1, column: columns.length } }
  sheet.columns = columns.map(({ header }) => ({
    width: NARROW_HEADERS.has(header) ? NARROW : WIDE,
  }))
  await protect(sheet)
  const head = sheet.addRow(columns.map(({ header }) => header))
  head.font = BOLD
  head.commit()
  for (const [index, rule] of rules.entries()) {
    addRule(sheet, rule, columns)
    if (index % AT_ONCE === 0) await nextTurn()
  }
  sheet.commit()
}

/** Protects against mistakes only, so there is no password. Formatting and filtering are allowed. */
async function protect(sheet: Sheet): Promise<void> {
  await sheet.protect('', {
    selectLockedCells: true,
    selectUnlockedCells: true,
    formatCells: true,
    formatColumns: true,
    formatRows: true,
    autoFilter: true,
    sort: true,
  })
}

function addRule(sheet: Sheet, rule: ExportedRule, columns: readonly Column[]): void {
  const row = sheet.addRow(columns.map(({ value }) => cellText(value(rule))))
  row.alignment = TOP
  const locked = lockedFieldsOf(rule)
  const wholly = rule.locked === 1 || rule.satisfiedBy.length > 0
  for (const [index, { header, section }] of columns.entries()) {
    const cell = row.getCell(index + 1)
    const isLocked = wholly || section === 'reference' || (section !== null && Object.hasOwn(locked, section))
    cell.protection = { locked: isLocked }
    if (isLocked) cell.fill = GREY
    const choices = CHOICES.get(header)
    if (choices !== undefined) cell.dataValidation = listOf(choices)
  }
  row.commit()
}

function listOf(choices: readonly string[]): DataValidation {
  return {
    type: 'list',
    allowBlank: true,
    showErrorMessage: true,
    formulae: [`"${choices.join(',')}"`],
    error: `One of: ${choices.join(', ')}`,
  }
}

/** Excel's limit for the name of a sheet. */
const MAX_SHEET_NAME = 31

/** `RedPot9-V1R2-12`: made unique by the ending. */
export function sheetName(name: string, ending: string): string {
  const stem = replaceForbidden(name, '').replaceAll(/[\s[\]:*?/\\']/g, '')
  const room = Math.max(0, MAX_SHEET_NAME - ending.length)
  return `${stem.slice(0, room)}${ending.slice(-MAX_SHEET_NAME)}`
}
