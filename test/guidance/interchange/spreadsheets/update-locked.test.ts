import { describe, expect, it } from 'vitest'
import { makeComponent, satisfy } from '../../../support/authoring.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { matching } from '../../../support/matchers.ts'
import { csvOf } from '../../../support/spreadsheet.ts'
import { spreadsheetUpdates } from './updating.ts'

const { call, change, component, good, rowsOf, rulesOf, service, own } = spreadsheetUpdates()

describe('A locked rule', () => {
  it('is skipped with the reason, and the others are updated', async () => {
    const made = await component()
    const [first = 0, second = 0, third = 0] = made.rules
    await change(first, { locked: 1 })
    await change(second, { locked_fields: JSON.stringify({ Fix: true, Title: true }) })
    await satisfy(service(), third, second)
    const rows = (await rowsOf(made)).map((row) => ({
      ...row,
      Requirement: 'New.',
      Fix: 'New.',
      'Status Justification': 'New.',
    }))
    const plan = await good('apply', made, { file: csvOf(rows) })
    expect(plan.skipped_locked).toMatchObject([
      { rule_id: '000001', reason: 'locked', skipped_fields: ['title', 'status_justification', 'fix'] },
      { rule_id: '000002', reason: 'section locked', skipped_fields: ['title', 'fix'] },
      { rule_id: '000003', reason: 'inherited', skipped_fields: ['fix'] },
    ])
    expect(plan.updated.map(({ changes }) => Object.keys(changes))).toEqual([
      ['status_justification'],
      ['title', 'status_justification'],
    ])
    const rules = await rulesOf(made)
    expect(rules.map(({ title }) => title === 'New.')).toEqual([false, false, true])
    expect(rules.map(({ fixtext }) => fixtext === 'New.')).toEqual([false, false, false])
  })

  it('keeps inherited texts if the sheet has them as an export shows them', async () => {
    const made = await component()
    const [parent = 0, child = 0] = made.rules
    await satisfy(service(), child, parent)
    const [first, second] = await rowsOf(made)
    const shown = { ...second, Check: first?.['Check'] ?? null, Fix: first?.['Fix'] ?? null }
    for (const row of [shown, { ...second, Check: null, Fix: null }]) {
      const plan = await good('preview', made, { file: csvOf([row]) })
      expect([plan.updated, plan.skipped_locked]).toEqual([[], []])
    }
  })
})

describe('A preview', () => {
  it('is invalid after somebody else has changed a rule', async () => {
    const made = await component()
    const rows = (await rowsOf(made)).map((row) => ({ ...row, Fix: 'Shut.' }))
    const file = csvOf(rows)
    const { fingerprint = '' } = await good('preview', made, { file })
    await change(made.rules[2] ?? 0, { lock_version: 7 })
    const before = await rulesOf(made)
    const answer = await call('apply', made, { file, fields: { fingerprint } })
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { code: 'edit_conflict', current: { fingerprint: matching(/./) } },
    ])
    expect(await rulesOf(made)).toEqual(before)
  })

  it('is applied once by two simultaneous requests', async () => {
    const made = await component()
    const rows = (await rowsOf(made)).map((row) => ({ ...row, Fix: 'Shut.' }))
    const file = csvOf(rows)
    const { fingerprint = '' } = await good('preview', made, { file })
    const answers = await Promise.all([1, 2].map(() => call('apply', made, { file, fields: { fingerprint } })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await rulesOf(made)).map(({ lock_version }) => lock_version)).toEqual([1, 1, 1])
  })

  it('is refused with an invalid fingerprint', async () => {
    const made = await component()
    const file = csvOf(await rowsOf(made))
    const answer = await call('apply', made, { file, fields: { fingerprint: 'x' } })
    expect([answer.status, answer.body]).toMatchObject([422, { code: 'validation_failed' }])
  })
})

describe('A spreadsheet', () => {
  it('is refused for an SRG and for a released component, and is required', async () => {
    const srg = await makeComponent(service(), own().owner, { projectId: own().projectId, kind: 'srg' })
    const file = csvOf([{ STIGID: 'TEAP-00-000001' }])
    expect((await call('preview', srg, { file })).body).toMatchObject({
      status: 422,
      error: 'A spreadsheet can only update the rules of a STIG.',
    })
    const made = await component()
    await setRows(service(), 'components', { released: 1 }, { id: made.id })
    expect((await call('apply', made, { file })).status).toBe(403)
    const path = `/components/${made.id}/preview_spreadsheet_update`
    const admin = await service().signUp('Root', { admin: true })
    expect((await admin.call('POST', path, { form: { file } })).status).toBe(200)
    expect((await admin.call('POST', path, { body: {} })).status).toBe(415)
  })

  it('is refused with the member error for every fault', async () => {
    const made = await component()
    for (const [file, status] of [
      ['%PDF-1.7', 422],
      ['', 422],
      ['a,b\n1,2\n', 422],
      [Buffer.from('PK\u0003\u0004 and then nothing'), 422],
    ] as const) {
      const { body } = await call('preview', made, { file })
      expect(body).toMatchObject({ status, error: matching(/./) })
    }
  })
})
