// @module-tag database

import { describe, expect, it } from 'vitest'
import { setRows, rowsOf } from '../../../support/guidance-records.ts'
import { csvOf } from '../../../support/spreadsheet.ts'
import { editXlsx, merging, shortOf } from './merges.ts'

const { act, component, decide, edit, exported, guidance, merge, own, rule, send } = merging()

/** Edits on both sides: the plan of the returned sheet. */
async function edited() {
  const made = await component()
  const [first = 0, second = 0, third = 0] = made.rules
  await edit(first, { fixtext: 'One.\nTwo.\nThree.\nFour.' })
  const sheet = await exported(made, 'excel')
  await edit(first, { fixtext: 'One.\nTwo.\nThree.\nFour, here.', title: 'Ours.' })
  await edit(second, { artifact_description: 'A film.' })
  const file = await editXlsx(sheet, (row, index) => {
    if (index === 0) {
      row.set('Fix', 'One, there.\r\nTwo.\r\nThree.\r\nFour.')
      row.set('Requirement', 'Theirs.')
      row.set('Vendor Comments', 'Seen by DISA.')
    }
    if (index === 2) row.set('Status Justification', 'No lid “at all”.')
  })
  return { made, file, first, second, third }
}

describe('A returned sheet', () => {
  it('is planned field by field against the exported values', async () => {
    const { made, file, first, second, third } = await edited()
    const plan = await merge(made, file)
    expect(shortOf(plan)).toEqual([
      [first, 'title', 'conflict'],
      [first, 'fixtext', 'merged'],
      [first, 'vendor_comments', 'theirs'],
      [second, 'artifact_description', 'ours'],
      [third, 'status_justification', 'theirs'],
    ])
    const counts = { theirs: 2, ours: 1, same: 0, merged: 1, conflict: 1, added: 0, missing: 0 }
    expect(plan.counts).toMatchObject(counts)
    expect(plan.fields[0]).toMatchObject({ ours: 'Ours.', theirs: 'Theirs.', take: null, blocked: null })
    expect(plan.fields[1]?.merged).toBe('One, there.\nTwo.\nThree.\nFour, here.')
    expect(plan).toMatchObject({ state: 'open', open_conflicts: 1, base: { source: 'file' } })
    const { client } = own()
    const again = await client.call('GET', `/components/${made.id}/merges/${plan.id}?outcome=theirs&per_page=1`)
    expect(again.body).toMatchObject({ fields: [{ field: 'vendor_comments' }], pagination: { total: 2 } })
  })

  it('is applied once its conflicts are decided, once, and can be undone', async () => {
    const { made, file, first, third } = await edited()
    const { id } = await merge(made, file)
    const before = await rule(first)
    expect((await act(made, id, 'apply')).body).toMatchObject({
      status: 409,
      code: 'merge_undecided',
      conflicts: [{ rule_id: first, field: 'title' }],
    })
    expect((await decide(made, id, { rule_id: first, field: 'title', take: { text: 'Both.' } })).body).toMatchObject({
      open_conflicts: 0,
    })
    const applied = await act(made, id, 'apply')
    expect(applied.body).toMatchObject({
      state: 'applied',
      rules: [
        { rule_id: first, fields: ['title', 'fixtext', 'vendor_comments'] },
        { rule_id: third, fields: ['status_justification'] },
      ],
      skipped: [],
    })
    const after = await rule(first)
    expect(after).toMatchObject({
      title: 'Both.',
      fixtext: 'One, there.\nTwo.\nThree.\nFour, here.',
      vendor_comments: 'Seen by DISA.',
      lock_version: before.lock_version + 1,
    })
    expect((await rule(third)).status_justification).toBe('No lid “at all”.')
    expect((await act(made, id, 'apply')).body).toMatchObject({ rules: [] })
    expect((await rule(first)).lock_version).toBe(after.lock_version)
    const again = await merge(made, file)
    expect(again.counts).toMatchObject({ theirs: 0, merged: 0, same: 3 })
    expect((await act(made, id, 'undo')).body).toMatchObject({ state: 'undone' })
    expect(await rule(first)).toMatchObject({
      title: before.title,
      fixtext: before.fixtext,
      vendor_comments: before.vendor_comments,
    })
  })

  it('is named in the history of the rule and of the component', async () => {
    const { made, file, third } = await edited()
    const { id } = await merge(made, file)
    await decide(made, id, { outcome: 'conflict', take: 'ours' })
    await act(made, id, 'apply')
    const { client } = own()
    const { body } = await client.call('GET', `/components/${made.id}/histories`)
    expect(body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ auditable_type: 'Rule', auditable_id: third, comment: 'Merged from returned' }),
        expect.objectContaining({ auditable_type: 'Component', comment: 'Merged returned into 2 rules.' }),
      ]),
    )
  })

  it('overwrites nothing that was edited between plan and merge', async () => {
    const { made, file, first, third } = await edited()
    const { id } = await merge(made, file)
    await decide(made, id, { outcome: 'conflict', take: 'theirs' })
    await edit(third, { status_justification: 'Just now.' })
    const refused = await act(made, id, 'apply')
    expect(refused.body).toMatchObject({
      status: 409,
      code: 'edit_conflict',
      changed: [{ rule_id: third, field: 'status_justification' }],
    })
    expect((await rule(first)).title).toBe('Ours.')
    const { client } = own()
    const { body } = await client.call('GET', `/components/${made.id}/merges/${id}?open=true`)
    expect(body).toMatchObject({
      open_conflicts: 1,
      fields: [{ rule_id: third, ours: 'Just now.', outcome: 'conflict' }],
    })
    await decide(made, id, { rule_id: third, take: 'theirs' })
    expect((await act(made, id, 'apply')).status).toBe(200)
    expect(await rule(first)).toMatchObject({ title: 'Theirs.' })
  })

  it('is not undone over later edits', async () => {
    const { made, file, third } = await edited()
    const { id } = await merge(made, file)
    await decide(made, id, { outcome: 'conflict', take: 'theirs' })
    await act(made, id, 'apply')
    await edit(third, { status_justification: 'Later.' })
    expect((await act(made, id, 'undo')).body).toMatchObject({
      status: 409,
      code: 'edit_conflict',
      changed: [{ rule_id: third, field: 'status_justification' }],
    })
    expect((await rule(third)).status_justification).toBe('Later.')
  })

  it('leaves locked fields unchanged, and reports them', async () => {
    const { made, file, first, third } = await edited()
    await setRows(guidance(), 'rules', { locked_fields: '{"Title":true}' }, { id: first })
    await setRows(guidance(), 'rules', { locked: 1 }, { id: third })
    const plan = await merge(made, file)
    expect(plan.open_conflicts).toBe(0)
    expect(plan.fields.map(({ blocked }) => blocked)).toEqual(['section locked', null, null, null, 'locked'])
    expect((await act(made, plan.id, 'apply')).body).toMatchObject({
      rules: [{ rule_id: first, fields: ['fixtext', 'vendor_comments'] }],
      skipped: [{ rule_id: third, reason: 'locked' }],
    })
    expect(await rule(first)).toMatchObject({ title: 'Ours.', vendor_comments: 'Seen by DISA.' })
  })

  it('can be discussed: a question becomes a comment on the rule', async () => {
    const { made, file, first } = await edited()
    const { id } = await merge(made, file)
    const ask = 'Which of both?'
    expect((await decide(made, id, { rule_id: first, field: 'title', take: { ask } })).body).toMatchObject({
      open_conflicts: 0,
    })
    const { client } = own()
    const { body } = await client.call('GET', `/components/${made.id}/comments?triage_status=all`)
    expect(JSON.stringify(body)).toContain('Which of both?\\n\\nIn returned:\\nTheirs.\\n\\nHere:\\nOurs.')
  })

  it('refuses decisions that apply to nothing, and values that a field cannot have', async () => {
    const { made, file, first } = await edited()
    const { id } = await merge(made, file)
    const decisions = [
      { rule_id: first, field: 'status', take: 'theirs' },
      { rule_id: first, field: 'title', take: { text: ' ' } },
      { rule_id: first, field: 'vendor_comments', take: 'ours' },
    ]
    const { status, body } = await decide(made, id, ...decisions)
    expect([status, body]).toMatchObject([422, { errors: [{ field: 'decisions.0' }, { field: 'decisions.1' }] }])
    const { client } = own()
    const plan = await client.call('GET', `/components/${made.id}/merges/${id}?outcome=theirs`)
    expect(plan.body).toMatchObject({ fields: [{ take: null }, { take: null }] })
  })

  it('is decided apart from others, and only in its component', async () => {
    const { made, file } = await edited()
    const [first, second] = [await merge(made, file), await merge(made, file)]
    await decide(made, second.id, { outcome: 'conflict', take: 'theirs' })
    const { client } = own()
    const { body } = await client.call('GET', `/components/${made.id}/merges/${first.id}`)
    expect(body).toMatchObject({ open_conflicts: 1 })
    const other = await component()
    expect((await client.call('GET', `/components/${other.id}/merges/${first.id}`)).status).toBe(404)
    expect((await act(other, first.id, 'apply')).status).toBe(404)
  })

  it('may return a text that was always longer than the limit', async () => {
    const made = await component()
    const [first = 0] = made.rules
    await setRows(guidance(), 'rules', { fixtext: 'x'.repeat(10_001) }, { id: first })
    const file = await exported(made, 'csv')
    await edit(first, { fixtext: 'Ours.' })
    expect(shortOf(await merge(made, file))).toEqual([[first, 'fixtext', 'ours']])
  })
})

describe('The base of a file', () => {
  it('can be chosen by a moment', async () => {
    const { made, file, first } = await edited()
    const plan = await merge(made, file, { base: new Date().toISOString() })
    expect(plan.base).toEqual({ source: 'chosen', until: null })
    expect(plan.counts).toMatchObject({ ours: 0, conflict: 0 })
    expect(shortOf(plan)).toContainEqual([first, 'title', 'theirs'])
  })

  it.each(['2001-01-01T00:00:00Z', '0'.repeat(64), 'f'.repeat(64)])(
    'is refused if the component was never like that: %s',
    async (base) => {
      const { made, file } = await edited()
      expect((await send(made, file, { base })).body).toMatchObject({ status: 422, errors: [{ field: 'base' }] })
    },
  )

  it('is taken from history for a CSV', async () => {
    const made = await component()
    const [first = 0, second = 0] = made.rules
    await edit(first, { title: 'Before.' })
    const text = (await exported(made, 'csv')).toString('utf8')
    await edit(first, { title: 'Ours.' })
    await edit(second, { artifact_description: 'A film.' })
    const plan = await merge(made, text.replace('Before.', 'Theirs.').replace('Drink it cold.', 'Drink it warm.'))
    expect(plan.base.source).toBe('history')
    expect(shortOf(plan)).toEqual([
      [first, 'title', 'conflict'],
      [second, 'artifact_description', 'ours'],
      [made.rules[2], 'mitigations', 'theirs'],
    ])
  })
})

describe('A file', () => {
  it('of another component is refused', async () => {
    const made = await component()
    const { status, body } = await send(made, csvOf([{ SRGID: 'SRG-ABC-000001', STIGID: 'ABCD-00-000001' }]))
    expect([status, body]).toMatchObject([422, { code: 'merge_unusable' }])
    expect(JSON.stringify(body)).toContain('ABCD-00-000001 (Row 2)')
  })

  it.each([
    ['spreadsheet_unusable', 'a,b\n1,2\n'],
    ['merge_unusable', '{"stigs": 1}'],
    ['xml_not_well_formed', '<CHECKLIST><STIGS>'],
    ['not_a_benchmark', '<a/>'],
    ['empty_file', ''],
  ])('that cannot be read is %s', async (code, file) => {
    const made = await component()
    expect((await send(made, file)).body).toMatchObject({ code })
    const rows = await rowsOf(guidance(), 'merges', { component_id: made.id })
    expect(rows).toEqual([])
  })

  it('shows renumbered, unknown, repeated and missing rules', async () => {
    const made = await component()
    const [first = 0] = made.rules
    const { version } = await rule(first)
    const rows = [
      { SRGID: version, STIGID: 'DISA-01-000500', Requirement: 'Renumbered.' },
      { SRGID: 'SRG-NEW-000001', STIGID: 'DISA-01-000501', Requirement: 'New.' },
      { SRGID: version, STIGID: 'TEAP-00-000001', Requirement: 'Twice.' },
    ]
    const plan = await merge(made, csvOf(rows.slice(0, 2)))
    expect(plan).toMatchObject({
      renumbered: [{ rule_id: first, displayed_name: 'TEAP-00-000001', stig_id: 'DISA-01-000500' }],
      unmatched: [{ place: 'Row 3', reason: 'unknown', title: 'New.' }],
      counts: { added: 1, missing: 5 },
    })
    const twice = await merge(made, csvOf(rows))
    expect(twice).toMatchObject({
      renumbered: [],
      unmatched: [{ place: 'Row 2', reason: 'unknown' }, { place: 'Row 3' }],
    })
  })

  it('is kept as one of the newest twenty plans', async () => {
    const made = await component()
    const file = await exported(made, 'csv')
    const first = await merge(made, file)
    for (let count = 0; count < 20; count += 1) await merge(made, file)
    const { client } = own()
    expect((await client.call('GET', `/components/${made.id}/merges/${first.id}`)).status).toBe(404)
  })
})
