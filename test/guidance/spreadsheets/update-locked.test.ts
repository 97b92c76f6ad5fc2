import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findRules, ofComponent, type AuthoredRule } from '../../../src/guidance/rules/reader.ts'
import { makeComponent, type MadeComponent } from '../../support/authoring.ts'
import {
  guidanceService,
  type Answer,
  type Person,
  type SessionClient,
} from '../../support/guidance.ts'
import { matching } from '../../support/matchers.ts'
import { csvOf, type SheetRow } from '../../support/spreadsheet.ts'

const service = guidanceService()

let owner: Person
let client: SessionClient
let projectId: number

beforeAll(async () => {
  owner = await service().person('Ann')
  client = await service().signIn(owner.email)
  projectId = await service().project(client)
})

const planned = z.object({
  updated: z.array(
    z.looseObject({ rule_id: z.string(), changes: z.record(z.string(), z.unknown()) }),
  ),
  unchanged: z.array(z.looseObject({ rule_id: z.string() })),
  skipped_locked: z.array(z.looseObject({ rule_id: z.string() })),
  warnings: z.array(z.string()),
  fingerprint: z.string().optional(),
})

type Planned = z.infer<typeof planned>

interface Sent {
  readonly file: string | Buffer
  readonly fields?: Readonly<Record<string, string>>
}

function call(what: 'preview' | 'apply', { id }: { id: number }, form: Sent): Promise<Answer> {
  const method = what === 'preview' ? 'POST' : 'PATCH'
  const path = `/components/${id}/${what}_spreadsheet_update`
  return client.call(method, path, { form: { ...form, fileName: 'rules' } })
}

async function good(what: 'preview' | 'apply', made: MadeComponent, form: Sent): Promise<Planned> {
  const { status, body } = await call(what, made, form)
  expect([status, body]).toEqual([200, body])
  return planned.parse(body)
}

function rulesOf({ id }: { id: number }): Promise<readonly AuthoredRule[]> {
  return findRules(service().service.guidance.database.read, ofComponent(id))
}

/** Rows that say what the rules say. */
async function rowsOf(made: MadeComponent): Promise<SheetRow[]> {
  const categories: Readonly<Record<string, string>> = { high: 'CAT I', medium: 'CAT II' }
  return (await rulesOf(made)).map((rule) => ({
    ...{ SRGID: rule.version, STIGID: `TEAP-00-00000${rule.number}`, Requirement: rule.title },
    ...{ Severity: categories[rule.rule_severity] ?? 'CAT III', Status: rule.status },
    ...{ VulDiscussion: rule.vuln_discussion, Fix: rule.fixtext },
    ...{ Check: rule.checks[0]?.content ?? null, 'Status Justification': null },
  }))
}

async function change(ruleId: number, values: Readonly<Record<string, unknown>>): Promise<void> {
  await service().service.guidance.database.transact(async (writer) => {
    await writer.updateTable('rules').set(values).where('id', '=', ruleId).execute()
  })
}

function component(): Promise<MadeComponent> {
  return makeComponent(service(), owner, { projectId })
}

describe('What is locked', () => {
  it('is skipped with the reason, and the rest is applied', async () => {
    const made = await component()
    const [one = 0, two = 0, three = 0] = made.rules
    await change(one, { locked: 1 })
    await change(two, { locked_fields: JSON.stringify({ Fix: true, Title: true }) })
    const { database } = service().service.guidance
    await database.transact((writer) =>
      writer
        .insertInto('rule_satisfactions')
        .values({
          ...{ rule_id: three, satisfied_by_rule_id: two, previous_status: null },
          created_at: new Date().toISOString(),
        })
        .execute(),
    )
    const rows = (await rowsOf(made)).map((row) => ({
      ...row,
      ...{ Requirement: 'New.', Fix: 'New.', 'Status Justification': 'New.' },
    }))
    const plan = await good('apply', made, { file: csvOf(rows) })
    expect(plan.skipped_locked).toMatchObject([
      {
        ...{ rule_id: '000001', reason: 'locked' },
        skipped_fields: ['title', 'status_justification', 'fix'],
      },
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

  it('is inherited as it is when the sheet has what an export shows', async () => {
    const made = await component()
    const [parent = 0, child = 0] = made.rules
    await service().service.guidance.database.transact((writer) =>
      writer
        .insertInto('rule_satisfactions')
        .values({
          ...{ rule_id: child, satisfied_by_rule_id: parent, previous_status: null },
          created_at: new Date().toISOString(),
        })
        .execute(),
    )
    const [first, second] = await rowsOf(made)
    const shown = { ...second, Check: first?.['Check'] ?? null, Fix: first?.['Fix'] ?? null }
    for (const row of [shown, { ...second, Check: null, Fix: null }]) {
      const plan = await good('preview', made, { file: csvOf([row]) })
      expect([plan.updated, plan.skipped_locked]).toEqual([[], []])
    }
  })
})

describe('A preview', () => {
  it('is out of date once somebody else has changed a rule', async () => {
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

  it('is applied once by two at the same time', async () => {
    const made = await component()
    const rows = (await rowsOf(made)).map((row) => ({ ...row, Fix: 'Shut.' }))
    const file = csvOf(rows)
    const { fingerprint = '' } = await good('preview', made, { file })
    const answers = await Promise.all(
      [1, 2].map(() => call('apply', made, { file, fields: { fingerprint } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await rulesOf(made)).map(({ lock_version }) => lock_version)).toEqual([1, 1, 1])
  })

  it('has a fingerprint that is none', async () => {
    const made = await component()
    const file = csvOf(await rowsOf(made))
    const answer = await call('apply', made, { file, fields: { fingerprint: 'x' } })
    expect([answer.status, answer.body]).toMatchObject([422, { code: 'validation_failed' }])
  })
})

describe('A spreadsheet', () => {
  it('cannot update an SRG, nor what is released, nor be missing', async () => {
    const srg = await makeComponent(service(), owner, { projectId, kind: 'srg' })
    const file = csvOf([{ STIGID: 'TEAP-00-000001' }])
    expect((await call('preview', srg, { file })).body).toMatchObject({
      ...{ status: 422, error: 'A spreadsheet can update the rules of a STIG only.' },
    })
    const made = await component()
    await service().service.guidance.database.transact((writer) =>
      writer.updateTable('components').set({ released: 1 }).where('id', '=', made.id).execute(),
    )
    expect((await call('apply', made, { file })).status).toBe(403)
    const path = `/components/${made.id}/preview_spreadsheet_update`
    const root = await service().person('Root', { admin: true })
    const admin = await service().signIn(root.email)
    expect((await admin.call('POST', path, { form: { file } })).status).toBe(200)
    expect((await admin.call('POST', path, { body: {} })).status).toBe(415)
  })

  it('is refused with the member error, whatever is wrong with it', async () => {
    const made = await component()
    for (const [file, status] of [
      ['%PDF-1.7', 415],
      ['', 422],
      ['a,b\n1,2\n', 422],
      [Buffer.from('PK\u0003\u0004 and then nothing'), 422],
    ] as const) {
      const { body } = await call('preview', made, { file })
      expect(body).toMatchObject({ status, error: matching(/./) })
    }
  })
})
