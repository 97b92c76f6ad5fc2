import { stringify } from 'csv-stringify/sync'
import { writeXlsx, type WriteSheet } from 'hucre'
import { zipOf } from './zip.ts'

/** The headers that a spreadsheet needs. */
export const HEADERS = [
  'SRGID',
  'STIGID',
  'Severity',
  'Requirement',
  'VulDiscussion',
  'Status',
  'Check',
  'Fix',
  'Status Justification',
  'Artifact Description',
] as const

export type SheetRow = Readonly<Record<string, string | number | Date | null>>

/** Rows below the headers, in the order of the headers. */
export function tableOf(
  rows: readonly SheetRow[],
  headers: readonly string[] = HEADERS,
): readonly (readonly (string | number | Date | null)[])[] {
  return [[...headers], ...rows.map((row) => headers.map((header) => row[header] ?? null))]
}

export function csvOf(rows: readonly SheetRow[], headers?: readonly string[]): string {
  return stringify(tableOf(rows, headers).map((row) => [...row]))
}

/** A workbook with one sheet and further parts of it. Cells are named by row and column, from 0. */
export function xlsxOf(rows: readonly SheetRow[], sheet: Pick<WriteSheet, 'cells' | 'merges'> = {}): Promise<Buffer> {
  return workbookWith([{ name: 'Rules', rows: tableOf(rows).map((row) => [...row]), ...sheet }])
}

/** A workbook with these sheets, written by another program. */
export async function workbookWith(sheets: readonly WriteSheet[]): Promise<Buffer> {
  return Buffer.from(await writeXlsx({ sheets: [...sheets] }))
}

/** A worksheet with these rows of texts, and XML after the rows and after the table. */
export function sheetXml(rows: readonly (readonly string[])[], moreRows = '', moreParts = ''): string {
  const written = rows.map((row, index) => {
    const cells = row.map((text) => (text === '' ? '<c/>' : `<c t="inlineStr"><is><t>${text}</t></is></c>`))
    return `<row r="${index + 1}">${cells.join('')}</row>`
  })
  return `<worksheet><sheetData>${written.join('')}${moreRows}</sheetData>${moreParts}</worksheet>`
}

/** A workbook with this XML as its sheet, written by hand. */
export function xlsxOfSheet(sheet: string, parts: Readonly<Record<string, string>> = {}): Promise<Buffer> {
  const relations = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet'
  return zipOf({
    'xl/workbook.xml': '<workbook xmlns:r="r"><sheets><sheet name="a" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `${relations}<Relationship Id="rId1" Type="${type}" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': sheet,
    ...parts,
  })
}
