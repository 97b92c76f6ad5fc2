import { readXlsx, type CellStyle } from 'hucre'
import readExcel from 'read-excel-file/node'
import { beforeAll, describe, expect, it } from 'vitest'
import type {
  ExportedComponent,
  ExportedRule,
} from '../../../../src/guidance/interchange/exports/component/component.ts'
import { inspecProfile } from '../../../../src/guidance/interchange/exports/inspec/inspec-file.ts'
import { cellText } from '../../../../src/guidance/interchange/exports/tables/cell.ts'
import { VENDOR_SUBMISSION, WORKING_COPY } from '../../../../src/guidance/interchange/exports/tables/columns.ts'
import { sheetName } from '../../../../src/guidance/interchange/exports/tables/workbook.ts'
import { makeComponent } from '../../../support/authoring.ts'
import { csvRows } from '../../../support/csv.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { comment } from './comments.ts'
import { HARD, makeTeapot, read } from './teapot.ts'
import { unzip } from './unzip.ts'

const guidance = guidanceService()
const owner = signedIn(guidance, 'Owner')
let projectId: number
let id: number
let exported: ExportedComponent

beforeAll(async () => {
  projectId = await guidance().project(owner, { name: 'Kitchen' })
  id = (await makeTeapot(guidance(), owner, { projectId, name: 'A Very Long Name of a Red Pot' })).id
  exported = await read(guidance(), id)
})

const HEADERS = [
  'IA Control',
  'CCI',
  'SRGID',
  'STIGID',
  'SRG Requirement',
  'Requirement',
  'SRG VulDiscussion',
  'VulDiscussion',
  'Status',
  'SRG Check',
  'Check',
  'SRG Fix',
  'Fix',
  'Severity',
  'Mitigation',
  'Artifact Description',
  'Status Justification',
  'Vendor Comments',
  'Satisfies',
  'InSpec Control Body',
  'Rationale',
]

type Row = Readonly<Record<string, string | null>>

function rowsOf(columns: typeof WORKING_COPY, rules = exported.rules): readonly Row[] {
  return rules.map((rule) => Object.fromEntries(columns.map(({ header, value }) => [header, value(rule)])))
}

describe('The working copy', () => {
  it('has the documented columns', () => {
    expect(WORKING_COPY.map(({ header }) => header)).toEqual(HEADERS)
  })

  it("has the author's texts next to those of the SRG", () => {
    expect(rowsOf(WORKING_COPY)[0]).toMatchObject({
      'IA Control': 'AC-2 (1), CM-6 b',
      CCI: 'CCI-000015, CCI-000366',
      SRGID: 'SRG-TEA-000001-POT-000001',
      STIGID: 'TEAP-00-000001',
      'SRG Requirement': 'The teapot must be number 1.',
      Requirement: 'The lid must be shut & kept <shut>.',
      'SRG VulDiscussion': 'Discussion of the SRG 1',
      'SRG Check': 'Check of the SRG 1',
      'SRG Fix': 'Fix of the SRG 1',
      Fix: HARD,
      Severity: 'CAT II',
      Satisfies: 'Satisfies: TEAP-00-000006',
    })
  })

  it('has the first check of a requirement with several', async () => {
    const rules = [{ id: 'SV-1r1_rule', version: 'SRG-TEA-000009-POT-000009', checks: ['First.', 'Second.'] }]
    const made = await makeComponent(guidance(), owner, { projectId, rules })
    const { rules: exportedRules } = await read(guidance(), made.id)
    expect(rowsOf(WORKING_COPY, exportedRules)[0]).toMatchObject({ 'SRG Check': 'First.' })
  })

  it('has the texts of the satisfying rule unless the rule is not met', () => {
    const [, , , , , satisfied] = exported.rules
    if (satisfied === undefined) throw new Error('There is no rule')
    const configurable: ExportedRule = { ...satisfied, status: 'Applicable - Configurable' }
    const [unmet, met] = rowsOf(WORKING_COPY, [satisfied, configurable])
    expect([unmet?.['Check'], unmet?.['Fix']]).toEqual([null, null])
    expect([met?.['Check'], met?.['Fix']]).toEqual(['Check of the SRG 1', HARD])
  })

  it('is a CSV that spreadsheet programs read directly', async () => {
    const { body, bytes } = await owner.call('GET', `/components/${id}/export/csv`)
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]))
    const [header, first, ...rest] = csvRows(String(body))
    expect(header).toEqual(HEADERS)
    expect(first?.[12]).toBe(HARD)
    expect(first?.[17]).toBe(`'=HYPERLINK("http://example.org")`)
    expect(rest).toHaveLength(5)
  })
})

describe("DISA's vendor sheet", () => {
  it('has 17 columns', () => {
    expect(VENDOR_SUBMISSION.map(({ header }) => header)).toEqual(HEADERS.slice(0, 17))
  })

  it.each([
    ['Applicable - Configurable', ['Mitigation', 'Artifact Description', 'Status Justification']],
    ['Applicable - Inherently Meets', ['Check', 'Fix', 'Mitigation']],
    ['Applicable - Does Not Meet', ['Check', 'Fix', 'Artifact Description']],
    ['Not Applicable', ['VulDiscussion', 'Check', 'Fix', 'Severity', 'Mitigation', 'Artifact Description']],
  ] as const)('leaves blank for %s: %s', (status, blank) => {
    const [rule] = exported.rules
    if (rule === undefined) throw new Error('There is no rule')
    const full = { ...rule, status, artifact_description: 'a', status_justification: 's' }
    const [row] = rowsOf(VENDOR_SUBMISSION, [full])
    const empty = Object.keys(row ?? {}).filter((header) => row?.[header] === null)
    expect(empty).toEqual(['STIGID', ...blank])
  })

  it('is a workbook without undetermined rules, both as a format and as a mode', async () => {
    for (const path of ['disa_excel', 'excel?mode=vendor_submission']) {
      const { bytes } = await owner.call('GET', `/components/${id}/export/${path}`)
      const [sheet, ...others] = await readExcel(bytes)
      expect(others).toEqual([])
      expect(sheet?.data[0]).toEqual(HEADERS.slice(0, 17))
      expect(sheet?.data).toHaveLength(6)
    }
  })
})

describe('The workbook', () => {
  it('is readable by other programs and has a sheet of comments if there are any', async () => {
    const withComments = await makeTeapot(guidance(), owner, { projectId, name: 'Said' })
    await comment(guidance(), owner, { component: withComments.id, rule: null, text: '=1+1' })
    const ids = `${id},${withComments.id}`
    const { bytes } = await owner.call('GET', `/projects/${projectId}/export/excel?component_ids=${ids}`)
    const sheets = await readExcel(bytes)
    expect(sheets.map(({ sheet }) => sheet)).toEqual([
      `AVeryLongNameofaRedPot-V1R2-${id}`.length <= 31
        ? `AVeryLongNameofaRedPot-V1R2-${id}`
        : sheetName('AVeryLongNameofaRedPot', `-V1R2-${id}`),
      `Said-V1R2-${withComments.id}`,
      `Said-V1R2-${withComments.id}-comments`,
    ])
    const [first, , comments] = sheets
    expect(first?.data[0]).toEqual([...HEADERS, 'Source'])
    expect(first?.data[1]?.[12]).toBe(HARD)
    expect(first?.data.map((row) => row.at(-1))).toEqual([
      'Source',
      'Direct',
      'Direct',
      'Direct',
      'Direct',
      'Direct',
      'Inherited',
    ])
    expect(comments?.data[1]?.[5]).toBe('=1+1')
  })

  it('protects locked cells and offers lists of values', async () => {
    const [, second, third] = exported.rules
    await setRows(guidance(), 'rules', { locked: 1 }, { id: second?.id ?? 0 })
    await setRows(guidance(), 'rules', { locked_fields: '{"Fix":true}' }, { id: third?.id ?? 0 })
    const { bytes } = await owner.call('GET', `/components/${id}/export/excel`)
    const [sheet] = (await readXlsx(bytes, { readStyles: true })).sheets
    if (sheet === undefined) throw new Error('There is no sheet')
    const styleOf = (row: number, header: string): CellStyle | undefined =>
      sheet.cells?.get(`${row - 1},${HEADERS.indexOf(header)}`)?.style
    const isLocked = (row: number, header: string): boolean => {
      const style = styleOf(row, header)
      const locked = style?.protection?.locked !== false
      expect([header, style?.fill !== undefined]).toEqual([header, locked])
      return locked
    }
    expect(['SRGID', 'SRG Fix', 'Fix', 'Status'].map((header) => isLocked(2, header))).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(['Fix', 'Vendor Comments'].map((header) => isLocked(3, header))).toEqual([true, true])
    expect(['Fix', 'Check'].map((header) => isLocked(4, header))).toEqual([true, false])
    expect(['Fix', 'Check'].map((header) => isLocked(7, header))).toEqual([true, true])
    expect(sheet.dataValidations).toMatchObject([
      {
        type: 'list',
        range: 'I2:I7',
        values: [
          'Not Yet Determined',
          'Applicable - Configurable',
          'Applicable - Inherently Meets',
          'Applicable - Does Not Meet',
          'Not Applicable',
        ],
      },
      { type: 'list', range: 'N2:N7', values: ['CAT I', 'CAT II', 'CAT III'] },
      { type: 'list', range: 'V2:V7', values: ['Direct', 'Inherited'] },
    ])
    expect(styleOf(1, 'SRGID')?.font?.bold).toBe(true)
    expect(sheet.autoFilter?.range).toBe('A1:V7')
    expect(sheet.protection).toMatchObject({ sheet: true, sort: true, autoFilter: true })
    expect(sheet.freezePane).toMatchObject({ rows: 1 })
  })

  it('has its elements in the order of the schema, so that Excel does not repair it', async () => {
    const { bytes } = await owner.call('GET', `/components/${id}/export/excel`)
    const xml = String((await unzip(bytes)).get('xl/worksheets/sheet1.xml'))
    const parts = ['<sheetViews', '<cols', '<sheetData', '<sheetProtection', '<autoFilter', '<dataValidations']
    const places = parts.map((part) => xml.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('truncates texts that exceed a cell and reports this', async () => {
    const long = await makeTeapot(guidance(), owner, { projectId, name: 'Long' })
    await setRows(guidance(), 'rules', { inspec_control_body: 'x'.repeat(50_000) }, { id: long.rules[0] ?? 0 })
    const { bytes } = await owner.call('GET', `/components/${long.id}/export/excel`)
    const [sheet] = await readExcel(bytes)
    const text = String(sheet?.data[1]?.[19])
    expect(text).toHaveLength(32_767)
    expect(text).toMatch(/x\n\[Cut here: /)
  })

  it.each(['', 'x'])('truncates no text within a character: %s', (before) => {
    expect(cellText(before + '🫖'.repeat(20_000))).not.toMatch(/\p{Cs}/u)
  })
})

describe('Names of sheets', () => {
  it.each([
    ['A B', '-V1R2-7', 'AB-V1R2-7'],
    ["[x]:*?/\\'y", '-V1R2-7', 'xy-V1R2-7'],
    ['x'.repeat(40), '-V1R2-7', `${'x'.repeat(24)}-V1R2-7`],
    ['x', `-V${'1'.repeat(40)}`, '1'.repeat(31)],
  ])('map %s to %s', (name, ending, expected) => {
    expect(sheetName(name, ending)).toBe(expected)
  })
})

describe('The InSpec profile', () => {
  it('has a control for each rule, which tests nothing if the status is undetermined', () => {
    const files = new Map([...inspecProfile(exported, 'working_copy')].map((file) => [file.path, file.text]))
    expect([...files.keys()]).toEqual([
      'inspec.yml',
      ...[1, 2, 3, 4, 5, 6].map((number) => `controls/TEAP-00-00000${number}.rb`),
    ])
    expect(files.get('controls/TEAP-00-000001.rb')).toContain('impact 0.5')
    expect(files.get('controls/TEAP-00-000005.rb')).toContain('impact 0.0')
    expect(files.get('inspec.yml')).toBe(
      [
        'name: "a-very-long-name-of-a-red-pot"',
        'title: "A Very Long Name of a Red Pot Guide"',
        'maintainer: "Owner"',
        'copyright: "Owner"',
        'copyright_email: "owner@example.org"',
        'license: "Apache-2.0"',
        'summary: "A Very Long Name of a Red Pot Guide"',
        'version: "1.2.0"',
        'inspec_version: ">= 6.0"',
        '',
      ].join('\n'),
    )
  })

  it('contains the control that an author wrote', () => {
    const [rule, ...others] = exported.rules
    if (rule === undefined) throw new Error('There is no rule')
    const written = { ...rule, inspec_control_file: "control 'x' do\nend\n" }
    const [, control] = inspecProfile({ ...exported, rules: [written, ...others] }, 'published_stig')
    expect(control?.text).toBe("control 'x' do\nend\n")
  })
})
