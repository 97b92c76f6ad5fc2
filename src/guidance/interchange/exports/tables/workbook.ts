import { replaceForbidden } from '../../../../platform/characters.ts'
import { yieldPieces, type Pieces } from '../../../../platform/concurrency/pieces.ts'
import { element, textElement } from '../../../../platform/xml.ts'
import { SNAPSHOT } from '../component/snapshot.ts'
import { zipOf, type Member } from '../files/zip.ts'
import { STYLES } from './styles.ts'
import { filterOf, sheetPieces, type RuleSheet, type TextSheet } from './worksheet.ts'

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE_DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006'
const DOCUMENT_RELATIONS = `${OFFICE_DOCUMENT}/relationships`
/** The part for custom document properties. */
const PROPERTIES = 'docProps/custom.xml'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The data of a sheet that later parts need. */
interface WrittenSheet {
  readonly name: string
  readonly filter: string | null
  readonly snapshot: string | null
}

/** Writes a workbook (ECMA-376, XLSX) of these sheets while it is sent. Only one sheet is in memory. */
export function workbookOf(sheets: AsyncIterable<RuleSheet | TextSheet>, date: Date): AsyncIterable<Uint8Array> {
  return zipOf(partsOf(sheets), date)
}

async function* partsOf(sheets: AsyncIterable<RuleSheet | TextSheet>): AsyncGenerator<Member, void> {
  const rootParts = [
    ['officeDocument', 'xl/workbook.xml'],
    ['custom-properties', PROPERTIES],
  ] as const
  yield part('_rels/.rels', relations(rootParts))
  yield part('xl/styles.xml', element('styleSheet', { xmlns: MAIN_NAMESPACE }, STYLES))
  const written: WrittenSheet[] = []
  for await (const sheet of sheets) {
    const snapshot = sheet.kind === 'rules' ? sheet.snapshot : null
    written.push({ name: sheet.name, filter: filterOf(sheet), snapshot })
    yield part(`xl/${pathOf(written.length)}`, worksheet(sheet))
  }
  const targets = written.map((_, index) => ['worksheet', pathOf(index + 1)] as const)
  yield part('xl/_rels/workbook.xml.rels', relations([...targets, ['styles', 'styles.xml']]))
  yield part('xl/workbook.xml', mainPart(written))
  yield part(PROPERTIES, propertiesOf(written))
  yield part('[Content_Types].xml', contentTypes(targets.map(([, path]) => path)))
}

/** Excel and LibreOffice keep these properties when they save the workbook (ECMA-376 §22.3). */
function propertiesOf(written: readonly WrittenSheet[]): string {
  const snapshots = written.flatMap(({ snapshot }) => snapshot ?? [])
  const properties = snapshots.map((snapshot, index) => {
    const name = index === 0 ? SNAPSHOT : `${SNAPSHOT} ${index + 1}`
    const attributes = { fmtid: '{D5CDD505-2E9C-101B-9397-08002B2CF9AE}', pid: String(index + 2), name }
    return element('property', attributes, textElement('vt:lpwstr', snapshot))
  })
  const types = `${OFFICE_DOCUMENT}/docPropsVTypes`
  return element('Properties', { xmlns: `${OFFICE_DOCUMENT}/custom-properties`, 'xmlns:vt': types }, ...properties)
}

function part(name: string, content: string | Pieces): Member {
  const pieces = typeof content === 'string' ? [content] : content
  return { name, content: yieldPieces(withHead(pieces)) }
}

async function* withHead(pieces: Pieces): AsyncGenerator<string, void> {
  yield XML_DECLARATION
  yield* pieces
}

/** The path of a sheet, numbered from 1, relative to the folder of the workbook. */
function pathOf(number: number): string {
  return `worksheets/sheet${number}.xml`
}

function* worksheet(sheet: RuleSheet | TextSheet): Generator<string, void> {
  yield `<worksheet xmlns="${MAIN_NAMESPACE}">`
  yield* sheetPieces(sheet)
  yield '</worksheet>'
}

/** Relations to parts, with the ids `rId1`, `rId2`, … in their order. */
function relations(parts: readonly (readonly [type: string, target: string])[]): string {
  const relationships = parts.map(([type, target], index) =>
    element('Relationship', { Id: `rId${index + 1}`, Type: `${DOCUMENT_RELATIONS}/${type}`, Target: target }),
  )
  return element('Relationships', { xmlns: `${PACKAGE}/relationships` }, ...relationships)
}

/** LibreOffice recognises a filter only by its name. */
function mainPart(written: readonly WrittenSheet[]): string {
  const sheets = written.map(({ name }, index) =>
    element('sheet', { name, sheetId: String(index + 1), 'r:id': `rId${index + 1}` }),
  )
  const filters = written.flatMap(({ name, filter }, index) => {
    const attributes = { name: '_xlnm._FilterDatabase', localSheetId: String(index), hidden: '1' }
    return filter === null ? [] : [textElement('definedName', `'${name}'!${filter}`, attributes)]
  })
  return element(
    'workbook',
    { xmlns: MAIN_NAMESPACE, 'xmlns:r': DOCUMENT_RELATIONS },
    '<bookViews><workbookView/></bookViews>',
    element('sheets', {}, ...sheets),
    filters.length === 0 ? '' : element('definedNames', {}, ...filters),
  )
}

function contentTypes(sheets: readonly string[]): string {
  const types = [
    ['/xl/workbook.xml', 'sheet.main'],
    ['/xl/styles.xml', 'styles'],
    ...sheets.map((path) => [`/xl/${path}`, 'worksheet'] as const),
  ] as const
  return element(
    'Types',
    { xmlns: `${PACKAGE}/content-types` },
    element('Default', { Extension: 'rels', ContentType: 'application/vnd.openxmlformats-package.relationships+xml' }),
    element('Default', { Extension: 'xml', ContentType: 'application/xml' }),
    ...types.map(([path, type]) => element('Override', { PartName: path, ContentType: `${CONTENT_TYPE}.${type}+xml` })),
    element('Override', {
      PartName: `/${PROPERTIES}`,
      ContentType: 'application/vnd.openxmlformats-officedocument.custom-properties+xml',
    }),
  )
}

/** Excel's limit for the length of a sheet's name. */
const MAX_SHEET_NAME = 31

/** `RedPot9-V1R2-12`. The ending makes the name unique. */
export function sheetName(name: string, ending: string): string {
  const stem = replaceForbidden(name, '').replaceAll(/[\s[\]:*?/\\']/g, '')
  const maxStem = Math.max(0, MAX_SHEET_NAME - ending.length)
  return `${stem.slice(0, maxStem)}${ending.slice(-MAX_SHEET_NAME)}`
}
