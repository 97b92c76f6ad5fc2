import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CellValue } from 'hucre'
import { describe, expect, it } from 'vitest'
import { CORPUS } from '../../../../support/corpus.ts'
import { readSheet as read, sheetRefusal as refusal } from '../../../../support/sheet-reading.ts'
import { csvOf, HEADERS, tableOf, workbookWith } from '../../../../support/spreadsheet.ts'

const ROW = { SRGID: 'SRG-TEA-000001', STIGID: 'TEAP-00-000001' }

describe('The sheet with the rules', () => {
  const TABLE = tableOf([ROW]).map((row) => [...row])
  const HISTORY = [
    ['Version', 'Date', 'Status', 'Description'],
    ['1', '2026-01-05', 'Draft', 'First'],
  ]

  interface Sample {
    readonly name: string
    readonly rows: readonly (readonly CellValue[])[]
    readonly state?: 'visible' | 'hidden' | 'veryHidden'
  }

  function workbookOf(...sheets: readonly Sample[]): Promise<Buffer> {
    return workbookWith(
      sheets.map(({ name, rows, state }) => ({
        name,
        rows: rows.map((row) => [...row]),
        hidden: state === 'hidden',
        veryHidden: state === 'veryHidden',
      })),
    )
  }

  it('is found with its headers below a banner', async () => {
    const banner = [['CUI', 'CUI', 'CUI'], [], ['Status of the Fix']]
    const { records, warnings } = await read(await workbookOf({ name: 'STIG', rows: [...banner, ...TABLE] }))
    expect(records).toMatchObject([{ row: 5, values: { srg_id: 'SRG-TEA-000001' } }])
    expect(warnings).toEqual(['The headers are in row 4 of the sheet "STIG".'])
    const csv = csvOf([ROW])
    for (const table of [csv, csv.replaceAll(',', ';'), csv.replaceAll('\n', '\r\n')])
      expect(await read(`CUI, by hand\r\n\r\n${table}`)).toMatchObject({
        records: [{ values: { stig_id: 'TEAP-00-000001' } }],
        warnings: ['The headers are in row 3.'],
      })
  })

  it('is found after a revision history and an empty sheet', async () => {
    const { records, warnings } = await read(
      await workbookOf(
        { name: 'Revision History', rows: HISTORY },
        { name: 'Nothing', rows: [] },
        { name: 'Template', rows: TABLE.slice(0, 1) },
        { name: 'STIG', rows: TABLE },
      ),
    )
    expect(records).toMatchObject([{ row: 2, values: { srg_id: 'SRG-TEA-000001' } }])
    expect(warnings).toEqual(['The headers are in row 1 of the sheet "STIG".'])
  })

  it('is named in a warning if it is not the first sheet', async () => {
    const { warnings } = await read(
      await workbookOf({ name: 'Revision History', rows: HISTORY }, { name: 'STIG', rows: TABLE }),
    )
    expect(warnings).toEqual(['The headers are in row 1 of the sheet "STIG".'])
  })

  it('has its headers in one of the first 50 rows', async () => {
    const notes = (count: number): CellValue[][] => Array.from({ length: count }, (_, index) => [`Note ${index}`])
    const { records } = await read(await workbookOf({ name: 'STIG', rows: [...notes(49), ...TABLE] }))
    expect(records).toHaveLength(1)
    const { message } = await refusal(await workbookOf({ name: 'STIG', rows: [...notes(50), ...TABLE] }))
    expect(message).toMatch(/^The spreadsheet lacks headers/)
  })

  it('has no rows where nothing is below its headers', async () => {
    const [headers = []] = TABLE
    const beside = [...headers.map(() => null), 'A note']
    const { records } = await read(await workbookOf({ name: 'STIG', rows: [...TABLE, beside] }))
    expect(records).toHaveLength(1)
  })

  it('is missing where the workbook has no cells', async () => {
    expect((await refusal(await workbookOf({ name: 'STIG', rows: [] }))).message).toBe('Spreadsheet is empty.')
  })

  it.each(['hidden', 'veryHidden'] as const)('is not one that is %s', async (state) => {
    const other = tableOf([{ SRGID: 'SRG-OTHER' }]).map((row) => [...row])
    const { records, warnings } = await read(
      await workbookOf({ name: 'Old', rows: other, state }, { name: 'STIG', rows: TABLE }),
    )
    expect(records).toMatchObject([{ values: { srg_id: 'SRG-TEA-000001' } }])
    expect(warnings).toEqual([])
  })

  it('is refused with its name and the row of its headers', async () => {
    const [headers = []] = TABLE
    const misspelt = headers.map((name) => (name === 'Fix' ? 'Fixx' : name))
    const rows = [['CUI'], misspelt, ...TABLE.slice(1)]
    const sheets = [
      { name: 'Revision History', rows: HISTORY },
      { name: 'STIG', rows },
    ]
    expect((await refusal(await workbookOf(...sheets))).message).toBe(
      'The spreadsheet lacks headers in row 2 of the sheet "STIG": Fix (is "Fixx" meant for it?).',
    )
    const empty = await workbookOf({ name: 'STIG', rows: TABLE.slice(0, 1) })
    expect((await refusal(empty)).message).toBe('Spreadsheet is empty: it has headers, but no rows.')
  })

  it('does not require a column of STIGIDs', async () => {
    const names = HEADERS.filter((name) => name !== 'STIGID')
    const { records } = await read(csvOf([ROW], names))
    expect(records).toMatchObject([{ values: { srg_id: 'SRG-TEA-000001' } }])
  })

  const samples = ['banner-row', 'hidden-first', 'revision-history-first', 'disa-sheet-without-stigids']
    .map((name) => join(CORPUS, 'round-3', `${name}.xlsx`))
    .filter((path) => existsSync(path))

  it.runIf(samples.length > 0)('is found in workbooks that people have', async () => {
    for (const path of samples) {
      const { records } = await read(await readFile(path))
      expect([path, records.length]).toEqual([path, path.includes('disa') ? 13 : 3])
      expect(records[0]?.values.srg_id).toMatch(/^SRG-/)
    }
  })
})

describe('A first line that names the separator', () => {
  it.each([';', '\t', '|', ','])('sets it to %j and is not a row', async (separator) => {
    const table = tableOf([{ ...ROW, Fix: 'a,b,c,d;e;f|g' }])
    const lines = table.map((row) => row.map((cell) => `"${String(cell ?? '')}"`).join(separator))
    for (const mark of ['', '\ufeff']) {
      const { records, warnings } = await read(`${mark}sep=${separator}\r\n${lines.join('\r\n')}`)
      expect(records).toMatchObject([{ row: 2, values: { fix: 'a,b,c,d;e;f|g' } }])
      expect(warnings).toEqual([])
    }
  })
})
