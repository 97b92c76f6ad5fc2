import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  foldedSchema,
  combineEntries,
  type CombinedAudit,
} from '../../../../src/guidance/activity/audits/combined-audits.ts'
import { makeComponent } from '../../../support/authoring.ts'
import { guidanceService } from '../../../support/guidance.ts'

const guidance = guidanceService()

/** More than a history shows one by one. */
const SAVES = 60

const ENTRY: CombinedAudit = {
  id: 7,
  action: 'update',
  auditable_type: 'Rule',
  auditable_id: 1,
  name: 'Ada',
  via: 'session 1',
  audited_name: 'TEAP-00-000001',
  comment: null,
  created_at: '2026-11-23T08:10:00.000Z',
  audited_changes: [{ field: 'fixtext', prev_value: 'Shut', new_value: 'Shut it' }],
}

function before(minutes: number, change: Partial<CombinedAudit> = {}): CombinedAudit {
  const created_at = new Date(Date.parse(ENTRY.created_at) - minutes * 60_000).toISOString()
  const audited_changes = [{ field: 'fixtext', prev_value: 'S', new_value: 'Shut' }]
  return { ...ENTRY, id: 6, created_at, audited_changes, ...change }
}

describe('Saves of one person', () => {
  it('become one entry if they change the same field within minutes', () => {
    const two = combineEntries(ENTRY, before(4))
    expect(two).toMatchObject({
      id: 6,
      created_at: ENTRY.created_at,
      saves: 2,
      since: before(4).created_at,
      audited_changes: [{ field: 'fixtext', prev_value: 'S', new_value: 'Shut it' }],
    })
    const three = two && combineEntries(two, before(8, { id: 5 }))
    expect(three).toMatchObject({ id: 5, saves: 3 })
    expect(three && combineEntries(three, before(14))).toBeNull()
  })

  it('stay apart if another person, field, comment or an hour is between them', () => {
    const other = [{ field: 'title', prev_value: 'S', new_value: 'Shut' }]
    for (const change of [
      { via: 'session 2' },
      { audited_changes: other },
      { comment: 'Why' },
      { action: 'custom' } as const,
    ])
      expect(combineEntries(ENTRY, before(1, change))).toBeNull()
    expect(combineEntries(ENTRY, before(60))).toBeNull()
    const created: CombinedAudit = { ...ENTRY, action: 'create' }
    expect(combineEntries(created, before(1, { action: 'create' }))).toBeNull()
  })

  it('are folded in the history of a rule on request, and never in the audit trail', async () => {
    const ada = await guidance().signUp('Ada', { admin: true })
    const projectId = await guidance().project(ada)
    const { rules } = await makeComponent(guidance(), ada, { projectId })
    const path = `/rules/${rules[0] ?? 0}`
    const history = async (how = ''): Promise<readonly CombinedAudit[]> => {
      const { body } = await ada.call('GET', `${path}${how}`)
      return z.looseObject({ histories: z.array(foldedSchema) }).parse(body).histories
    }
    const save = (rule: object) => ada.call('PUT', path, { body: { rule } })
    await save({ title: 'The lid' })
    for (let times = 1; times <= SAVES; times += 1) await save({ fixtext: `Shut the lid ${times} times.` })
    const folded = await history('?histories=folded')
    const updates = folded.filter(({ action }) => action === 'update')
    expect(updates.map(({ saves }) => saves)).toEqual([undefined, SAVES])
    expect((await history()).length).toBe(50)
    const last = folded.at(-1)
    const body = { audit_id: last?.id ?? 0, fields: ['fixtext'] }
    expect((await ada.call('POST', `${path}/revert`, { body })).status).toBe(200)
    const { body: rule } = await ada.call('GET', path)
    expect(rule).toMatchObject({ fixtext: last?.audited_changes[0]?.prev_value, title: 'The lid' })
  })
})
