import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { findRules, ofComponent, type AuthoredRule } from '../../../../../src/guidance/authoring/rules/reader.ts'
import { createFromSpreadsheet } from '../../../../../src/guidance/interchange/spreadsheets/creating/create.ts'
import { requireProjectRole, type ProjectGrant } from '../../../../../src/guidance/parts/project-access.ts'
import { storeSrg } from '../../../../support/authoring.ts'
import { temporaryFolder } from '../../../../support/folder.ts'
import { rowOf, rowsOf } from '../../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../../support/guidance.ts'
import { containing } from '../../../../support/matchers.ts'
import { refusalOf } from '../../../../support/refusal.ts'
import { csvOf, HEADERS, type SheetRow } from '../../../../support/spreadsheet.ts'

const service = guidanceService()
const owner = signedIn(service, 'Ann')
let grant: ProjectGrant

beforeAll(async () => {
  const projectId = await service().project(owner)
  const caller = { ...owner, admin: false, provider: null, via: { kind: 'session', id: 1 } } as const
  grant = await requireProjectRole(service().service.guidance.database.read, caller, { projectId, least: 'admin' })
})

async function create(
  file: string,
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly componentId: number; readonly message: string }> {
  const path = join(await temporaryFolder(), 'sheet')
  await writeFile(path, file)
  const upload = { path, bytes: file.length, fileName: 'a', fields, discard: () => Promise.resolve() }
  return createFromSpreadsheet(service().service.guidance, grant, upload)
}

function rulesOf(id: number): Promise<readonly AuthoredRule[]> {
  return findRules(service().service.guidance.database.read, ofComponent(id))
}

async function components(): Promise<number> {
  return (await rowsOf(service(), 'components')).length
}

const ROWS: readonly SheetRow[] = [
  {
    SRGID: 'SRG-TEA-000002',
    STIGID: 'pots-01-000007',
    Severity: 'CAT I',
    Fix: 'Shut.',
    Requirement: 'Shut the lid.',
    Status: 'Applicable - Configurable',
    Check: 'Look.',
    VulDiscussion: 'It cools.',
    CCI: 'CCI-000015',
  },
  { SRGID: 'SRG-TEA-000002', STIGID: 'POTS-01-000003', Severity: 'CAT IX', Status: 'Odd' },
  { SRGID: 'SRG-TEA-000001' },
]

describe('A component from a spreadsheet', () => {
  it('has a rule for each row and for each requirement without a row', async () => {
    const srg = await storeSrg(service(), 'stig', 4)
    const { componentId, message } = await create(csvOf(ROWS, [...HEADERS, 'CCI']), {
      'component[name]': 'Pots',
      'component[title]': 'Pots Guide',
      version: '1',
      release: '',
      'component[security_requirements_guide_id]': String(srg),
      slack_channel_id: 'C1',
    })
    expect(message.split('\n')).toEqual([
      '3 rules from the spreadsheet; 2 requirements were missing in it.',
      'Row 3: status "Odd" is not known; Not Yet Determined is used.',
      'Row 3: severity "CAT IX" is not known; that of the SRG is used.',
    ])
    const component = await rowOf(service(), 'components', { id: componentId })
    expect(component).toMatchObject({
      name: 'Pots',
      prefix: 'POTS-01',
      title: 'Pots Guide',
      version: 1,
      release: null,
      document_type: 'stig',
      last_rule_number: 10,
      admin_name: 'Ann',
      metadata: '{"Slack Channel ID":"C1"}',
    })
    expect(await rulesOf(componentId)).toMatchObject([
      { number: 8, version: 'SRG-TEA-000001', status: 'Not Yet Determined' },
      {
        number: 3,
        version: 'SRG-TEA-000002',
        status: 'Not Yet Determined',
        rule_severity: 'medium',
        fixtext: null,
        checks: [],
        ident: 'CCI-000366',
      },
      {
        number: 7,
        version: 'SRG-TEA-000002',
        status: 'Applicable - Configurable',
        title: 'Shut the lid.',
        fixtext: 'Shut.',
        rule_severity: 'high',
        vuln_discussion: 'It cools.',
        ident: 'CCI-000015',
        checks: [{ content: 'Look.' }],
      },
      { number: 9, version: 'SRG-TEA-000003', fixtext: containing('Shut') },
      { number: 10, version: 'SRG-TEA-000004' },
    ])
  })

  it('has ids with the given prefix, even if rows have none', async () => {
    const srg = await storeSrg(service(), 'stig', 4)
    const about = { name: 'Given', title: 'Given', security_requirements_guide_id: String(srg) }
    const row = (number: number, cells: SheetRow = {}): SheetRow => ({ SRGID: `SRG-TEA-00000${number}`, ...cells })
    const rows = [row(1), row(2, { STIGID: 'POTS-01-000007' }), row(3)]
    const created = await create(csvOf(rows), { ...about, prefix: ' abcd-01 ' })
    expect(created.message.split('\n')).toEqual([
      '3 rules from the spreadsheet; 1 requirements were missing in it.',
      'Row 3: the STIGID "POTS-01-000007" becomes ABCD-01-000007.',
    ])
    const rules = await rulesOf(created.componentId)
    expect(rules.map(({ prefix, number, version }) => [prefix, number, version])).toEqual([
      ['ABCD-01', 8, 'SRG-TEA-000001'],
      ['ABCD-01', 7, 'SRG-TEA-000002'],
      ['ABCD-01', 9, 'SRG-TEA-000003'],
      ['ABCD-01', 10, 'SRG-TEA-000004'],
    ])
    const blank = await create(csvOf(rows.slice(1)), { ...about, name: 'Blank', prefix: '' })
    expect((await rulesOf(blank.componentId))[0]?.prefix).toBe('POTS-01')
    const refused = await refusalOf(() => create(csvOf(rows), { ...about, prefix: 'ABC' }))
    expect(refused).toMatchObject({
      code: 'validation_failed',
      members: { errors: [{ field: 'prefix', message: 'Prefix must be of the form AAAA-00' }] },
    })
  })

  it('accepts other names of statuses', async () => {
    const srg = await storeSrg(service(), 'stig', 4)
    const statuses = [
      ['Inherently Met', 'Applicable - Inherently Meets'],
      ['n/a', 'Not Applicable'],
      ['Applicable – Does Not Meet', 'Applicable - Does Not Meet'],
      ['configurable', 'Applicable - Configurable'],
    ] as const
    const rows = statuses.map(([Status], index) => ({ SRGID: `SRG-TEA-00000${index + 1}`, Status }))
    const { componentId, message } = await create(csvOf(rows), {
      name: 'Statuses',
      title: 'Statuses',
      prefix: 'ABCD-02',
      security_requirements_guide_id: String(srg),
    })
    expect(message).toBe('4 rules from the spreadsheet.')
    const rules = await rulesOf(componentId)
    expect(rules.map(({ status }) => status)).toEqual(statuses.map(([, status]) => status))
  })

  it('has the links of Satisfies except for invalid ones', async () => {
    const srg = await storeSrg(service(), 'stig', 4)
    const row = (number: number, cells: SheetRow = {}): SheetRow => ({
      SRGID: `SRG-TEA-00000${number}`,
      STIGID: `POTS-01-00000${number}`,
      Check: `Check ${number}.`,
      Fix: `Fix ${number}.`,
      ...cells,
    })
    const rows = [
      row(1, { Satisfies: 'Satisfies: POTS-01-000002, pots-01-3; POTS-01-000009' }),
      row(2, { Check: 'Check 1.', Fix: 'Fix 1.' }),
      row(3, { Satisfies: 'KETL-01-000004' }),
      row(4, { STIGID: 'KETL-01-000004' }),
    ]
    const { componentId, message } = await create(csvOf(rows, [...HEADERS, 'Satisfies']), {
      name: 'Links',
      title: 'Guide',
      security_requirements_guide_id: String(srg),
    })
    expect(message.split('\n').slice(1)).toEqual([
      'Row 2: Satisfies names "POTS-01-000009", but the spreadsheet has no such row.',
      'Row 2: POTS-01-000003 satisfies others, so that it cannot be satisfied itself.',
      'Row 3: another rule satisfies it; its own check and fix are those of the SRG.',
      'Row 5: the STIGID "KETL-01-000004" becomes POTS-01-000004.',
    ])
    const [first, second, third, fourth] = await rulesOf(componentId)
    expect([first, third].map((rule) => rule?.satisfies.map(({ number }) => number))).toEqual([[2], [4]])
    expect(second?.checks).toMatchObject([{ content: containing('Look whether') }])
    expect(fourth).toMatchObject({ fixtext: 'Fix 4.', checks: [{ content: 'Check 4.' }] })
  })

  it.each([
    ['requirements that the SRG has not', [{ ...ROWS[0], SRGID: 'SRG-X' }], '"SRG-X"'],
    ['no SRGID in a row', [{ STIGID: 'POTS-01-000001' }], 'Row 2 has no SRGID'],
    ['no STIGID', [{ SRGID: 'SRG-TEA-000001' }], 'There is no STIGID'],
    ['a STIGID without a prefix', [{ ...ROWS[0], STIGID: '000001' }], 'of the form AAAA-00'],
    ['a number twice', [ROWS[0] ?? {}, ROWS[0] ?? {}], 'Rows 2 and 3'],
    ['a number that is too high', [{ ...ROWS[0], STIGID: 'POTS-01-9999999' }], 'higher than 999999'],
    ['a title that is too long', [{ ...ROWS[0], Requirement: 'x'.repeat(501) }], 'Row 2: title'],
  ])('is refused because of %s and stores nothing', async (_what, rows, reason) => {
    const srg = await storeSrg(service())
    const before = await components()
    const refusal = await refusalOf(() =>
      create(csvOf(rows), { name: 'Pots', title: 'Guide', security_requirements_guide_id: String(srg) }),
    )
    expect(refusal).toMatchObject({ code: 'spreadsheet_unusable' })
    expect(refusal.message).toContain(reason)
    expect(refusal.members['error']).toBe(refusal.message)
    expect(await components()).toBe(before)
  })

  it('requires a name, a title, and an SRG that is not a core SRG', async () => {
    const core = await storeSrg(service(), 'srg')
    const refusal = await refusalOf(() => create(csvOf(ROWS), { version: 'one' }))
    expect(refusal.members['errors']).toMatchObject([
      { field: 'name' },
      { field: 'title' },
      { field: 'security_requirements_guide_id' },
      { field: 'version', message: 'Version must be a whole number' },
    ])
    for (const id of ['2000000000', '-1', 'x', String(core)]) {
      const fields = { name: 'Pots', title: 'Guide', security_requirements_guide_id: id }
      expect((await refusalOf(() => create(csvOf(ROWS), fields))).code).toBe('validation_failed')
    }
  })
})

describe('The SRG of a spreadsheet', () => {
  const unique = (name: string): { id: string; version: string } => ({
    id: `SV-${name}r1_rule`,
    version: `SRG-${name}`,
  })

  async function detect(rows: readonly SheetRow[]): Promise<unknown> {
    const { body } = await owner.call('POST', '/components/detect_srg', { form: { file: csvOf(rows) } })
    return body
  }

  it('is the one that contains all of its requirements', async () => {
    const id = await storeSrg(service(), 'stig', [unique('A-1'), unique('A-2'), unique('A-3')])
    await storeSrg(service(), 'stig', [unique('A-1')])
    expect(await detect([{ SRGID: 'SRG-A-2' }, { SRGID: ' SRG-A-3 ' }, { Fix: 'x' }])).toMatchObject({
      id,
      version: 'V1R1',
    })
  })

  it.each([
    ['nothing has any', ['SRG-B-9'], 'No SRG in the catalogue'],
    ['nothing has all', ['SRG-B-1', 'SRG-B-2', 'SRG-B-9'], 'No SRG has all 3 SRGIDs'],
    ['several have all', ['SRG-B-1'], 'Several SRGs have all SRGIDs'],
    ['there is none', [], 'no SRGIDs'],
  ])('is not determined if %s', async (_what, ids, reason) => {
    if (ids.length > 0) {
      await storeSrg(service(), 'stig', [unique('B-1'), unique('B-2')])
      await storeSrg(service(), 'stig', [unique('B-1')])
    }
    expect(await detect([{ Fix: 'x' }, ...ids.map((SRGID) => ({ SRGID }))])).toMatchObject({
      status: 422,
      error: containing(reason),
    })
  })
})
