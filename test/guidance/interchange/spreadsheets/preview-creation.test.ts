import { describe, expect, it } from 'vitest'
import { storeSrg } from '../../../support/authoring.ts'
import { guidanceService } from '../../../support/guidance.ts'
import { containing } from '../../../support/matchers.ts'
import { csvOf } from '../../../support/spreadsheet.ts'

const guidance = guidanceService()

describe('POST /components/preview_spreadsheet', () => {
  it('lists each cell that differs from the SRG, missing rows and ignored columns', async () => {
    const srg = String(await storeSrg(guidance()))
    const client = await guidance().signUp('Ada')
    const cell = '<b>New</b>'
    const file = csvOf([{ SRGID: 'SRG-TEA-000001', STIGID: 'POTS-01-000001', Requirement: cell, Status: 'Odd' }])
    const ask = (fields: Readonly<Record<string, string>>) =>
      client.call('POST', '/components/preview_spreadsheet', { form: { file, fileName: 'rules.csv', fields } })
    const { status, body } = await ask({ security_requirements_guide_id: srg })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      prefix: 'POTS-01',
      rules: [{ displayed_name: 'POTS-01-000001', srg_id: 'SRG-TEA-000001', title: cell }],
      missing: ['SRG-TEA-000002', 'SRG-TEA-000003'],
      warnings: [containing('"Odd" is not known')],
    })
    expect(body).toHaveProperty('rules.0.changes.0', expect.objectContaining({ field: 'title', after: cell }))
    const prefixed = await ask({ security_requirements_guide_id: srg, prefix: 'abcd-01' })
    expect(prefixed.body).toMatchObject({ prefix: 'ABCD-01', rules: [{ displayed_name: 'ABCD-01-000001' }] })
    expect((await ask({ security_requirements_guide_id: srg, prefix: 'x' })).status).toBe(422)
    expect((await ask({ security_requirements_guide_id: '999999' })).status).toBe(404)
    expect((await ask({})).status).toBe(400)
  })
})
