import { describe, expect, it } from 'vitest'
import { csvOf } from '../../../support/spreadsheet.ts'
import { spreadsheetUpdates } from './updating.ts'

const { call, change, component, good, rowsOf, rulesOf } = spreadsheetUpdates()

describe('A row', () => {
  it('identifies its rule by the complete STIGID, otherwise by the SRGID', async () => {
    const made = await component()
    const rows = (await rowsOf(made)).map((row) => ({ ...row, Fix: 'New.' }))
    const [first, second, third] = rows
    const file = csvOf([
      { ...second, STIGID: 'TEAP-00-000009' },
      { ...first, STIGID: 'ABCD-00-000003' },
      second ?? {},
      { ...third, SRGID: '', STIGID: 'teap-00-3' },
      { Fix: 'Nobody knows.' },
      { STIGID: 'ABCD-00-000001' },
    ])
    const { updated, warnings } = await good('preview', made, { file })
    expect(updated.map(({ rule_id }) => rule_id)).toEqual(['000001', '000002', '000003'])
    expect(warnings).toEqual([
      'Row 2: TEAP-00-000002 is already in row 4; this row is left out.',
      'Row 6: it has neither a STIGID nor an SRGID.',
      'Row 7: no rule has the STIGID "ABCD-00-000001" or the SRGID "".',
    ])
  })

  it('whose two ids identify different rules aborts the update', async () => {
    const made = await component()
    const [first, second] = await rowsOf(made)
    const file = csvOf([
      { ...first, Fix: 'New.' },
      { ...second, STIGID: 'TEAP-00-000003' },
    ])
    expect((await call('apply', made, { file })).body).toMatchObject({
      status: 422,
      code: 'spreadsheet_unusable',
      error: 'Row 3: TEAP-00-000003 belongs to SRG-TEA-000003, not to "SRG-TEA-000002".',
    })
    expect((await rulesOf(made))[0]?.lock_version).toBe(0)
  })

  it('cannot identify its rule by an SRGID that several rules have', async () => {
    const made = await component()
    await change(made.rules[1] ?? 0, { version: 'SRG-TEA-000001' })
    const rows = (await rowsOf(made)).map((row) => ({ ...row, Fix: 'New.' }))
    const file = csvOf(rows.map((row, index) => (index === 0 ? { ...row, STIGID: '' } : row)))
    const { updated, warnings } = await good('preview', made, { file })
    expect(updated).toHaveLength(2)
    expect(warnings).toEqual(['Row 2: several rules belong to "SRG-TEA-000001"; name the STIGID.'])
  })
})

describe('A sheet of another component', () => {
  it('with another SRG is refused with the foreign ids', async () => {
    const made = await component()
    const rows = await rowsOf(made)
    const foreign = rows.map((row, index) => ({
      ...row,
      SRGID: `SRG-KET-00000${index}`,
      STIGID: `KETL-00-00000${index + 1}`,
      Fix: 'Of a kettle.',
    }))
    for (const action of ['preview', 'apply'] as const)
      expect((await call(action, made, { file: csvOf(foreign) })).body).toMatchObject({
        status: 422,
        code: 'spreadsheet_unusable',
        error:
          'The SRGs of the component have no requirements with these ids: "SRG-KET-000000" (row 2), "SRG-KET-000001" (row 3), "SRG-KET-000002" (row 4).',
      })
    expect((await rulesOf(made)).map(({ lock_version }) => lock_version)).toEqual([0, 0, 0])
  })

  it('without any matching row is refused', async () => {
    const made = await component()
    const file = csvOf([{ STIGID: 'KETL-00-000001', Fix: 'Of a kettle.' }])
    expect((await call('preview', made, { file })).body).toMatchObject({
      status: 422,
      code: 'spreadsheet_unusable',
      error:
        'No row of the spreadsheet matches a rule of the component. Row 2: no rule has the STIGID "KETL-00-000001" or the SRGID "".',
    })
  })

  it('may have rows of requirements whose rules were deleted', async () => {
    const made = await component()
    const file = csvOf(await rowsOf(made))
    await change(made.rules[1] ?? 0, { deleted_at: '2026-01-05T00:00:00Z' })
    const { unchanged, warnings } = await good('preview', made, { file })
    expect(unchanged).toHaveLength(2)
    expect(warnings).toEqual(['Row 3: no rule has the STIGID "TEAP-00-000002" or the SRGID "SRG-TEA-000002".'])
  })
})
