// @module-tag long

import type { Cell } from 'hucre'
import { describe, expect, it } from 'vitest'
import { RowCounter } from '../../../../../src/guidance/interchange/spreadsheets/reading/row.ts'
import { readSheet as read, sheetRefusal as refusal } from '../../../../support/sheet-reading.ts'
import { csvOf, HEADERS, sheetXml, xlsxOf, xlsxOfSheet } from '../../../../support/spreadsheet.ts'
import { zipOf } from '../../../../support/zip.ts'

const ROW = { SRGID: 'SRG-TEA-000001', STIGID: 'TEAP-00-000001' }

describe('A workbook', () => {
  it('is read as displayed: rich texts, dates, numbers, formulas and merged cells', async () => {
    const rich = [{ font: { bold: true }, text: 'Shut ' }, { text: 'the lid.' }]
    const file = await xlsxOf([ROW, { SRGID: 'SRG-TEA-000002' }], {
      cells: new Map<string, Partial<Cell>>([
        ['1,3', { richText: rich }],
        ['1,4', { value: new Date('2026-01-05T00:00:00Z') }],
        ['1,5', { formula: '"Not "&"Applicable"', formulaResult: 'Not Applicable' }],
        ['1,6', { value: 12 }],
        ['1,7', { value: 'a link', hyperlink: { target: 'https://example.org' } }],
        ['1,8', { value: true }],
        ['1,9', { value: 'A photograph.' }],
      ]),
      merges: [{ startRow: 1, startCol: 9, endRow: 2, endCol: 9 }],
    })
    const { records, warnings } = await read(file)
    expect(records).toMatchObject([
      {
        row: 2,
        values: {
          srg_id: 'SRG-TEA-000001',
          stig_id: 'TEAP-00-000001',
          title: 'Shut the lid.',
          vuln_discussion: '2026-01-05',
          status: 'Not Applicable',
          check: '12',
          fix: 'a link',
          status_justification: 'TRUE',
          severity: '',
          artifact_description: 'A photograph.',
        },
      },
      { row: 3, values: { artifact_description: 'A photograph.' } },
    ])
    expect(warnings).toEqual(['Saved results of formulas are used, in F2.'])
  })

  it('may have formulas without a result, or with an error, in ignored cells only', async () => {
    const error = '<c r="PLACE" t="e"><f>A9</f><v>#REF!</v></c>'
    const nothing = '<c r="PLACE"><f>A9</f></c>'
    const odd = (cellName: string, cell: string): Promise<Buffer> => {
      const first = '<c r="A2" t="inlineStr"><is><t>SRG-TEA-000001</t></is></c>'
      return xlsxOfSheet(sheetXml([HEADERS], `<row r="2">${first}${cell.replace('PLACE', cellName)}</row>`))
    }
    expect((await read(await odd('Z2', error))).records).toHaveLength(1)
    expect(await refusal(await odd('G2', error))).toMatchObject({
      message: 'The cell in row 2, Check (G2) cannot be used: it shows the error #REF!.',
    })
    expect((await refusal(await odd('G2', nothing))).message).toContain('has no saved result')
  })

  it('may have endless empty rows, which are skipped quickly', async () => {
    const empty = Array.from({ length: 1_000_000 }, (_, index) => `<row r="${index + 2}"/>`)
    const last = `<row r="1000002"><c r="A1000002" t="inlineStr"><is><t>SRG-1</t></is></c></row>`
    const file = await xlsxOfSheet(sheetXml([HEADERS], `${empty.join('')}${last}`))
    expect((await read(file)).records).toMatchObject([{ row: 1_000_002 }])
  })

  it('is refused with too many rows', async () => {
    const row = (number: number): string => `<row r="${number}"><c r="A${number}"><v>${number}</v></c></row>`
    const rows = Array.from({ length: 50_000 }, (_, index) => row(index + 2))
    const file = await xlsxOfSheet(sheetXml([HEADERS], rows.join('')))
    expect(await refusal(file)).toMatchObject({
      code: 'too_large',
      message: 'More rows in the spreadsheet than 50,000.',
    })
  })

  it('is refused with the position of a cell that is too long', async () => {
    const row = HEADERS.map((_, index) => (index === 6 ? 'x'.repeat(32_768) : ''))
    expect(await refusal(await xlsxOfSheet(sheetXml([HEADERS, row])))).toMatchObject({
      message: 'Cell G2 is longer than the limit of 32,767 characters.',
    })
  })

  it('is refused if it unpacks to too much', async () => {
    const file = await xlsxOfSheet(sheetXml([HEADERS], ' '.repeat(300_000_000)))
    expect(await refusal(file)).toMatchObject({ code: 'too_large' })
  })

  it('is refused if it repeats one text beyond the limit', async () => {
    const cells = HEADERS.map((_, column) => `<c r="${String.fromCharCode(65 + column)}ROW" t="s"><v>0</v></c>`)
    const rows = Array.from({ length: 200 }, (_, index) => {
      const row = `<row r="ROW">${cells.join('')}</row>`
      return row.replaceAll('ROW', String(index + 2))
    })
    const strings = `<sst><si><t>${'x'.repeat(30_000)}</t></si></sst>`
    const file = await xlsxOfSheet(sheetXml([HEADERS], rows.join('')), { 'xl/sharedStrings.xml': strings })
    expect(await refusal(file)).toMatchObject({ code: 'too_large' })
  })

  it('is refused with too many empty cells', async () => {
    const row = `<row>${'<c/>'.repeat(16_385)}</row>`
    expect(await refusal(await xlsxOfSheet(`<worksheet>${row}</worksheet>`))).toMatchObject({
      code: 'too_large',
      message: 'More columns in the spreadsheet than 16,384.',
    })
  })

  it.each([
    ['comment', `<worksheet><!--${'a-'.repeat(1_100_000)}--></worksheet>`],
    ['tag', `<worksheet><c ${Array.from({ length: 300 }, (_, index) => `a${index}="1"`).join(' ')}/>`],
  ])('is refused with a %s without end', async (_what, xml) => {
    expect(await refusal(await xlsxOfSheet(xml))).toMatchObject({ code: 'too_large' })
  })

  it.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><worksheet/>'],
    ['half an element', '<worksheet><sheetData><row'],
    ['a row before the last', '<worksheet><row r="2"/><row r="1"/></worksheet>'],
    ['a row without a number', '<worksheet><row r="a"/></worksheet>'],
    ['a cell anywhere', '<worksheet><row r="1"><c r="1A"/></row></worksheet>'],
    ['no row', '<worksheet/>'],
  ])('is refused with a sheet with %s', async (_what, xml) => {
    expect(await refusal(await xlsxOfSheet(xml))).toMatchObject({ code: 'spreadsheet_unusable' })
  })

  it('is refused with a merged range as large as the sheet', async () => {
    const merge = '<mergeCells><mergeCell ref="A2:XFD1048576"/></mergeCells>'
    const file = await xlsxOfSheet(sheetXml([HEADERS, ['SRG-1']], '', merge))
    expect((await read(file)).records[0]?.values.fix).toBe('SRG-1')
  })
})

describe('An unusable file', () => {
  it.each([
    ['an old Excel file', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'an old Excel file'],
    ['a PDF', '%PDF-1.7', 'a PDF document'],
    ['XML', '<?xml version="1.0"?><a/>', 'XML or HTML'],
    ['JSON', '{"a": 1}', 'JSON'],
  ])('is refused with its type: %s', async (_what, file, name) => {
    const { code, message } = await refusal(file)
    expect([code, message]).toEqual(['unsupported_file_type', expect.stringContaining(`The file is ${name}`)])
  })

  it.each([
    ['word/document.xml', 'a Word document'],
    ['content.xml', 'an OpenDocument file'],
    ['xl/workbook.bin', 'a binary workbook (.xlsb)'],
    ['xl/vbaProject.bin', 'has macros'],
    ['a.txt', 'a zip'],
  ])('is refused with its type: a zip with %s', async (name, kind) => {
    const { code, message } = await refusal(await zipOf({ [name]: 'a' }))
    expect([code, message]).toEqual(['unsupported_file_type', expect.stringContaining(kind)])
  })

  it('is refused if it is a truncated zip', async () => {
    const file = await xlsxOf([ROW])
    expect(await refusal(file.subarray(0, 900))).toMatchObject({ code: 'bad_zip' })
  })

  it('is refused if it is empty', async () => {
    for (const file of ['', '\n\n', '\ufeff', ',,,\n', await xlsxOfSheet('<worksheet/>')])
      expect((await refusal(file)).message).toBe('Spreadsheet is empty.')
    expect((await refusal(csvOf([]))).message).toContain('no rows')
  })
})

describe('A CSV file', () => {
  it('is read with any usual separator, with and without a byte order mark', async () => {
    const csv = csvOf([{ ...ROW, Fix: 'Shut "it",\r\nthen wait; wait' }])
    const tabs = [HEADERS, HEADERS.map(() => 'a')].map((row) => row.join('\t')).join('\n')
    expect((await read(csv)).records[0]?.values.fix).toBe('Shut "it",\nthen wait; wait')
    expect((await read(`\ufeff${csv}`)).records).toHaveLength(1)
    expect((await read(tabs)).records).toHaveLength(1)
    expect((await read(tabs.replaceAll('\t', ';'))).records).toHaveLength(1)
  })

  it('counts rows of the file and omits empty ones', async () => {
    const [head = '', row = ''] = csvOf([{ ...ROW, Fix: 'a\nb' }]).split(/\n(?=SRG-)/)
    const { records } = await read(`\n${head}\n\n,,,\n${row}${row}`)
    expect(records.map(({ row: number }) => number)).toEqual([5, 6])
  })

  it('is refused if a quotation mark is missing', async () => {
    const { message } = await refusal(`${HEADERS.join(',')}\n"a,b\n`)
    expect(message).toContain('one of them is missing')
  })

  it('removes the apostrophe that keeps a text from being a formula', async () => {
    const { records } = await read(csvOf([{ ...ROW, Fix: "'=1+1", Check: "'quoted'" }]))
    expect(records[0]?.values).toMatchObject({ fix: '=1+1', check: "'quoted'" })
  })

  it.each([
    ['columns', ','.repeat(5_000_000), 'More columns in the spreadsheet than 16,384.'],
    ['rows', 'a\n'.repeat(60_000), 'More rows in the spreadsheet than 50,000.'],
    ['rows', '\r\n'.repeat(1_100_000), 'More rows in the spreadsheet than 1,048,576.'],
  ])('is refused with too many %s, blank or not', async (_what, csv, message) => {
    expect(await refusal(csv)).toMatchObject({ code: 'too_large', message })
  })

  it('is refused with too many cells in all, blank or not', () => {
    const passed = new RowCounter()
    const rows = (count: number): void => {
      for (let row = 0; row < count; row += 1) {
        passed.row()
        for (let cell = 0; cell < 16_000; cell += 1) passed.cell()
      }
    }
    rows(1250)
    expect(() => {
      rows(1)
    }).toThrow('More cells in the spreadsheet than 20,000,000.')
  })

  it('ignores separators and line ends within quotation marks for its limits', async () => {
    const { records } = await read(csvOf([{ ...ROW, Fix: `"${',\n'.repeat(20_000)}"` }]))
    expect(records).toHaveLength(1)
  })

  it('is refused with characters that cannot be stored', async () => {
    const { message } = await refusal(csvOf([{ ...ROW, Fix: 'a\0b' }]))
    expect(message).toBe('The cell in row 2, Fix (H2) has characters that cannot be stored (U+0000 at position 2).')
  })
})

describe('Headers', () => {
  it('are recognised in any order, case and spacing, and by other names', async () => {
    const names = [
      'fix_text',
      'CHECK CONTENT',
      'status',
      'Description',
      'title',
      'severity',
      'Stig Id',
      'srg-id',
      'Artifact  Description',
      'StatusJustification',
      'Mitigations',
      'Notes',
    ]
    const { records } = await read(`${names.join(',')}\n1,2,3,4,5,6,7,8,9,10,11,12\n`)
    expect(records[0]?.values).toEqual({
      fix: '1',
      check: '2',
      status: '3',
      vuln_discussion: '4',
      title: '5',
      severity: '6',
      stig_id: '7',
      srg_id: '8',
      artifact_description: '9',
      status_justification: '10',
      mitigations: '11',
    })
  })

  it('are listed if they are missing, with the probable column', async () => {
    const names = HEADERS.map((name) => name.replace('VulDiscussion', 'VulnDiscusion'))
    const { message } = await refusal(
      csvOf(
        [{ SRGID: 'a' }],
        names.filter((name) => name !== 'Fix'),
      ),
    )
    expect(message).toBe(
      'The spreadsheet lacks headers in row 1: VulDiscussion (is "VulnDiscusion" meant for it?), Fix.',
    )
  })

  it('are refused if they occur twice', async () => {
    const { message } = await refusal(csvOf([{ SRGID: 'a' }], [...HEADERS, 'fix']))
    expect(message).toBe('The header "Fix" occurs twice in row 1, in columns H and K.')
  })

  it('are used before an alias, which becomes another column', async () => {
    const { records } = await read(csvOf([{ Requirement: 'a', Title: 'b' }], [...HEADERS, 'Title']))
    expect(records[0]?.values.title).toBe('a')
  })
})
