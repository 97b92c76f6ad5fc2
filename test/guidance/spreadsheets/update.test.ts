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
import { csvOf, HEADERS, xlsxOf, type SheetRow } from '../../support/spreadsheet.ts'

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

describe('A sheet that says what is there', () => {
  it('changes nothing, with other line ends, and with blanks around', async () => {
    const made = await component()
    await change(made.rules[0] ?? 0, { fixtext: 'One.\nTwo.\n' })
    const rows = await rowsOf(made)
    const odd = rows.map((row): SheetRow => {
      return { ...row, Requirement: ` ${String(row['Requirement'])} ` }
    })
    odd[0] = { ...odd[0], Fix: 'One.\r\nTwo.' }
    for (const file of [csvOf(rows), csvOf(odd), await xlsxOf(rows)]) {
      const plan = await good('preview', made, { file })
      expect([plan.updated, plan.unchanged.length, plan.warnings]).toEqual([[], 3, []])
    }
    const before = await rulesOf(made)
    expect((await good('apply', made, { file: csvOf(rows) })).updated).toEqual([])
    expect(await rulesOf(made)).toEqual(before)
  })
})

describe('A sheet with changes', () => {
  it('is previewed and applied: all fields, of the rules that it names', async () => {
    const made = await component()
    const [first, ...others] = await rowsOf(made)
    const row = {
      ...first,
      ...{ Requirement: 'Shut it.', VulDiscussion: 'It cools.', Status: 'not applicable' },
      ...{ Severity: 'CAT III', Check: 'Look.', Fix: 'Shut.', 'Status Justification': 'Because.' },
      ...{ 'Artifact Description': 'A photo.', 'Vendor Comments': 'None.', Mitigation: 'A towel.' },
    }
    const file = csvOf([row, ...others], [...HEADERS, 'Vendor Comments', 'Mitigation'])
    const plan = await good('preview', made, { file })
    expect(plan).toMatchObject({
      updated: [
        {
          ...{ rule_id: '000001', srg_id: 'SRG-TEA-000001', displayed_name: 'TEAP-00-000001' },
          changes: {
            title: { to: 'Shut it.' },
            vuln_discussion: { to: 'It cools.' },
            status: { from: 'Not Yet Determined', to: 'Not Applicable' },
            severity: { from: 'high', to: 'low' },
            check: { to: 'Look.' },
            fix: { to: 'Shut.' },
            status_justification: { from: null, to: 'Because.' },
            artifact_description: { from: null, to: 'A photo.' },
            vendor_comments: { from: null, to: 'None.' },
            mitigations: { to: 'A towel.' },
          },
        },
      ],
      unchanged: [{ rule_id: '000002' }, { rule_id: '000003' }],
    })
    const { fingerprint = '' } = plan
    const { status, body } = await call('apply', made, { file, fields: { fingerprint } })
    expect([status, body]).toMatchObject([
      200,
      { toast: { title: 'Successfully updated 1 rules from spreadsheet.' } },
    ])
    expect((await rulesOf(made))[0]).toMatchObject({
      ...{ title: 'Shut it.', vuln_discussion: 'It cools.', status: 'Not Applicable' },
      ...{ rule_severity: 'low', fixtext: 'Shut.', status_justification: 'Because.' },
      ...{ artifact_description: 'A photo.', vendor_comments: 'None.', mitigations: 'A towel.' },
      ...{ lock_version: 1, checks: [{ content: 'Look.' }] },
    })
    expect((await good('preview', made, { file })).updated).toEqual([])
  })

  it('leaves a trace and an event for each rule that it changed', async () => {
    const made = await component()
    const rows = (await rowsOf(made)).map((row) => ({ ...row, Fix: 'Shut.' }))
    await good('apply', made, { file: csvOf(rows.slice(0, 2)) })
    const { read } = service().service.guidance.database
    const audits = await read
      .selectFrom('audits')
      .select(['audited_name', 'comment'])
      .where('auditable_type', '=', 'Rule')
      .where('action', '=', 'update')
      .where('component_id', '=', made.id)
      .orderBy('id')
      .execute()
    expect(audits).toEqual([
      { audited_name: 'TEAP-00-000001', comment: 'Updated from a spreadsheet' },
      { audited_name: 'TEAP-00-000002', comment: 'Updated from a spreadsheet' },
    ])
    const events = await read
      .selectFrom('events')
      .select('kind')
      .where('component_id', '=', made.id)
      .where('kind', '=', 'rule.updated')
      .execute()
    expect(events).toHaveLength(2)
  })

  it('empties a text, but neither title, status nor severity', async () => {
    const made = await component()
    const file = csvOf([{ STIGID: 'TEAP-00-000002' }])
    const { updated, warnings } = await good('apply', made, { file })
    expect(Object.keys(updated[0]?.changes ?? {}).sort()).toEqual([
      'check',
      'fix',
      'vuln_discussion',
    ])
    expect(warnings).toHaveLength(3)
    expect(warnings[0]).toBe('Row 2: title is blank; it stays as it is.')
    expect((await rulesOf(made))[1]).toMatchObject({ fixtext: null, checks: [{ content: null }] })
  })

  it('changes vendor comments only beside something else', async () => {
    const made = await component()
    const [row] = await rowsOf(made)
    const file = csvOf([{ ...row, 'Vendor Comments': 'New' }], [...HEADERS, 'Vendor Comments'])
    const { updated, unchanged, warnings } = await good('preview', made, { file })
    expect([updated, unchanged.length]).toEqual([[], 1])
    expect(warnings[0]).toContain('vendor_comments alone is no change')
  })

  it('has values that are not known, which are left out', async () => {
    const made = await component()
    const [row] = await rowsOf(made)
    const file = csvOf([{ ...row, Status: 'Done', Severity: 'CAT IV' }])
    const { updated, warnings } = await good('preview', made, { file })
    expect(updated).toEqual([])
    expect(warnings).toEqual([
      'Row 2: status "Done" is not known; it stays as it is.',
      'Row 2: severity "CAT IV" is not known; it stays as it is.',
    ])
  })

  it('has a text that is longer than its field', async () => {
    const made = await component()
    const [row] = await rowsOf(made)
    const answer = await call('preview', made, {
      file: csvOf([{ ...row, Requirement: 'x'.repeat(501) }]),
    })
    expect([answer.status, answer.body]).toMatchObject([
      422,
      {
        code: 'spreadsheet_unusable',
        error: 'Row 2: title is longer than the limit of 500 characters.',
      },
    ])
  })

  it('joins the checks of a rule that has several', async () => {
    const made = await makeComponent(service(), owner, {
      projectId,
      rules: [{ id: 'SV-1r1_rule', version: 'SRG-TEA-000001', checks: ['One.', 'Two.'] }],
    })
    const [row] = await rowsOf(made)
    const same = await good('preview', made, { file: csvOf([{ ...row, Check: 'One.\n\nTwo.' }]) })
    expect(same.updated).toEqual([])
    await good('apply', made, { file: csvOf([{ ...row, Check: 'Three.' }]) })
    expect((await rulesOf(made))[0]?.checks).toMatchObject([{ content: 'Three.' }])
  })
})

describe('A row', () => {
  it('names its rule by the digits of the STIGID first, else by the SRGID', async () => {
    const made = await component()
    const rows = (await rowsOf(made)).map((row) => ({ ...row, Fix: 'New.' }))
    const [first, second, third] = rows
    const file = csvOf([
      { ...first, STIGID: 'ABCD-00-000003' },
      { ...second, STIGID: '' },
      { ...third, STIGID: '999', SRGID: 'SRG-TEA-000001' },
      { ...third, SRGID: 'SRG-OTHER', STIGID: 'TEAP-00-000002' },
      { Fix: 'Nobody knows.' },
      { STIGID: 'TEAP-00-000009', SRGID: 'SRG-TEA-9' },
    ])
    const { updated, warnings } = await good('preview', made, { file })
    expect(updated.map(({ rule_id }) => rule_id)).toEqual(['000003', '000002', '000001'])
    expect(warnings).toEqual([
      'Row 2: TEAP-00-000003 belongs to SRG-TEA-000003, not to "SRG-TEA-000001".',
      'Row 5: TEAP-00-000002 is in row 3 already; this row is left out.',
      'Row 6: it has neither a STIGID nor an SRGID.',
      'Row 7: no rule has the STIGID "TEAP-00-000009" or the SRGID "SRG-TEA-9".',
    ])
  })

  it('cannot name its rule by an SRGID that several have', async () => {
    const made = await component()
    await change(made.rules[1] ?? 0, { version: 'SRG-TEA-000001' })
    const { warnings } = await good('preview', made, { file: csvOf([{ SRGID: 'SRG-TEA-000001' }]) })
    expect(warnings).toEqual(['Row 2: several rules belong to "SRG-TEA-000001"; name the STIGID.'])
  })
})
