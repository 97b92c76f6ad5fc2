import { describe, expect, it } from 'vitest'
import { makeComponent } from '../../../../support/authoring.ts'
import { rowsOf as storedRows } from '../../../../support/guidance-records.ts'
import { csvOf, HEADERS, xlsxOf, type SheetRow } from '../../../../support/spreadsheet.ts'
import { spreadsheetUpdates } from '../updating.ts'

const { call, change, component, good, rowsOf, rulesOf, service, own } = spreadsheetUpdates()

describe('A sheet without changes', () => {
  it('changes nothing, even with other line ends and surrounding blanks', async () => {
    const made = await component()
    await change(made.rules[0] ?? 0, { fixtext: 'One.\nTwo.\n' })
    const rows = await rowsOf(made)
    const odd = rows.map((row): SheetRow => {
      return { ...row, Requirement: ` ${String(row['Requirement'])} ` }
    })
    odd[0] = { ...odd[0], Fix: 'One.\r\nTwo.' }
    const converted = 'All line breaks within cells are CR LF; they are read as line feeds.'
    for (const [file, warnings] of [
      [csvOf(rows), []],
      [csvOf(odd), [converted]],
      [await xlsxOf(rows), []],
    ] as const) {
      const plan = await good('preview', made, { file })
      expect([plan.updated, plan.unchanged.length, plan.warnings]).toEqual([[], 3, warnings])
    }
    const before = await rulesOf(made)
    expect((await good('apply', made, { file: csvOf(rows) })).updated).toEqual([])
    expect(await rulesOf(made)).toEqual(before)
  })
})

describe('A sheet with changes', () => {
  it('is previewed and applied to all fields of its rules', async () => {
    const made = await component()
    const [first, ...others] = await rowsOf(made)
    const row = {
      ...first,
      Requirement: 'Shut it.',
      VulDiscussion: 'It cools.',
      Status: 'not applicable',
      Severity: 'CAT III',
      Check: 'Look.',
      Fix: 'Shut.',
      'Status Justification': 'Because.',
      'Artifact Description': 'A photo.',
      'Vendor Comments': 'None.',
      Mitigation: 'A towel.',
    }
    const file = csvOf([row, ...others], [...HEADERS, 'Vendor Comments', 'Mitigation'])
    const plan = await good('preview', made, { file })
    expect(plan).toMatchObject({
      updated: [
        {
          rule_id: '000001',
          srg_id: 'SRG-TEA-000001',
          displayed_name: 'TEAP-00-000001',
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
    expect([status, body]).toMatchObject([200, { toast: { title: 'Successfully updated 1 rules from spreadsheet.' } }])
    expect((await rulesOf(made))[0]).toMatchObject({
      title: 'Shut it.',
      vuln_discussion: 'It cools.',
      status: 'Not Applicable',
      rule_severity: 'low',
      fixtext: 'Shut.',
      status_justification: 'Because.',
      artifact_description: 'A photo.',
      vendor_comments: 'None.',
      mitigations: 'A towel.',
      lock_version: 1,
      checks: [{ content: 'Look.' }],
    })
    expect((await good('preview', made, { file })).updated).toEqual([])
  })

  it('creates an audit entry and an event for each changed rule', async () => {
    const made = await component()
    const rows = (await rowsOf(made)).map((row) => ({ ...row, Fix: 'Shut.' }))
    await good('apply', made, { file: csvOf(rows.slice(0, 2)) })
    const audits = await storedRows(service(), 'audits', {
      auditable_type: 'Rule',
      action: 'update',
      component_id: made.id,
    })
    expect(audits).toMatchObject([
      { audited_name: 'TEAP-00-000001', comment: 'Updated from a spreadsheet' },
      { audited_name: 'TEAP-00-000002', comment: 'Updated from a spreadsheet' },
    ])
    const events = await storedRows(service(), 'events', { component_id: made.id, kind: 'rule.updated' })
    expect(events).toHaveLength(2)
  })

  it('clears texts, but not title, status or severity', async () => {
    const made = await component()
    const { updated, warnings } = await good('apply', made, { file: csvOf([{ STIGID: 'TEAP-00-000002' }]) })
    expect(Object.keys(updated[0]?.changes ?? {}).sort()).toEqual(['check', 'fix', 'vuln_discussion'])
    expect(warnings).toHaveLength(3)
    expect(warnings[0]).toBe('Row 2: title is blank; it stays as it is.')
    expect((await rulesOf(made))[1]).toMatchObject({ fixtext: null, checks: [{ content: null }] })
  })

  it('changes vendor comments only together with another field', async () => {
    const made = await component()
    const [row] = await rowsOf(made)
    const file = csvOf([{ ...row, 'Vendor Comments': 'New' }], [...HEADERS, 'Vendor Comments'])
    const { updated, unchanged, warnings } = await good('preview', made, { file })
    expect([updated, unchanged.length]).toEqual([[], 1])
    expect(warnings[0]).toContain('vendor_comments is not a change by itself')
  })

  it('changes no links and reports this, even without other differences', async () => {
    const made = await component()
    const [row] = await rowsOf(made)
    const file = csvOf([{ ...row, Satisfies: 'TEAP-00-000003' }], [...HEADERS, 'Satisfies'])
    const { updated, warnings } = await good('preview', made, { file })
    expect(updated).toEqual([])
    expect(warnings).toEqual(['Row 2: Satisfies differs; links between rules are not changed by a spreadsheet.'])
  })

  it('ignores unknown values and reports them', async () => {
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

  it('is refused if a text is longer than its field permits', async () => {
    const made = await component()
    const [row] = await rowsOf(made)
    const answer = await call('preview', made, { file: csvOf([{ ...row, Requirement: 'x'.repeat(501) }]) })
    expect([answer.status, answer.body]).toMatchObject([
      422,
      { code: 'spreadsheet_unusable', error: 'Row 2: title is longer than the limit of 500 characters.' },
    ])
  })

  it('splits all checks of a rule from one cell', async () => {
    const made = await makeComponent(service(), own().owner, {
      projectId: own().projectId,
      rules: [{ id: 'SV-1r1_rule', version: 'SRG-TEA-000001', checks: ['One.', 'Two.'] }],
    })
    const [row] = await rowsOf(made)
    const same = await good('preview', made, { file: csvOf([{ ...row, Check: 'One.\n\nTwo.' }]) })
    expect(same.updated).toEqual([])
    const marked = csvOf([{ ...row, Check: 'One.\n\n[Next check]\n\n  New.' }])
    expect((await good('apply', made, { file: marked })).warnings).toEqual([])
    expect((await rulesOf(made))[0]?.checks).toMatchObject([{ content: 'One.' }, { content: '  New.' }])
    const { warnings } = await good('apply', made, { file: csvOf([{ ...row, Check: 'Three.' }]) })
    expect(warnings).toEqual(['Row 2: of 2 checks one is left.'])
    expect((await rulesOf(made))[0]?.checks).toMatchObject([{ content: 'Three.' }])
  })
})
