// @module-tag database

import { describe, expect, it } from 'vitest'
import { requireComponentRole } from '../../../../src/guidance/authoring/access/component-access.ts'
import { updateComponent } from '../../../../src/guidance/authoring/component-editing/update.ts'
import { componentMember } from '../../../support/authoring.ts'
import { guidanceService } from '../../../support/guidance.ts'
import { eventsOf, newcomer, newScene, put, setRules, view } from '../components/scene.ts'

const guidance = guidanceService()

describe('PUT /components/{id}', () => {
  it('changes every editable field', async () => {
    const { owner, made } = await newScene(guidance())
    const data = { Shelf: 'upper', 'Slack Channel ID': 'loses' }
    const { status, body, headers } = await put(owner, made.id, {
      name: ' Kettle ',
      prefix: 'ketl-01',
      title: 'Kettle Guide',
      description: 'Whistles.',
      version: 2,
      release: 0,
      admin_name: 'Ann',
      admin_email: 'ann@example.org',
      advanced_fields: true,
      document_type: 'stig',
      released: false,
      comment_phase: 'closed',
      closed_reason: 'finalized',
      comment_period_starts_at: '2026-01-31',
      comment_period_ends_at: '2026-02-28T13:00:00+01:00',
      component_metadata_attributes: { data },
      slack_channel_id: 'C9',
    })
    expect([status, headers.etag]).toEqual([200, '"1"'])
    expect(body).toMatchObject({ toast: { title: 'Component updated.' }, lock_version: 1 })
    expect(await view(owner, made.id)).toMatchObject({
      name: 'Kettle',
      prefix: 'KETL-01',
      title: 'Kettle Guide',
      description: 'Whistles.',
      version: 2,
      release: 0,
      admin_name: 'Ann',
      admin_email: 'ann@example.org',
      advanced_fields: true,
      comment_phase: 'closed',
      closed_reason: 'finalized',
      comment_period_starts_at: '2026-01-31T00:00:00.000Z',
      comment_period_ends_at: '2026-02-28T12:00:00.000Z',
      metadata: { Shelf: 'upper', 'Slack Channel ID': 'C9' },
      lock_version: 1,
    })
    expect(await eventsOf(guidance(), made.id)).toEqual(['component.created', 'component.updated'])
  })

  it('clears fields for null and blank, and keeps absent ones', async () => {
    const { owner, made } = await newScene(guidance(), { version: 1, release: 1 })
    await put(owner, made.id, { description: ' ', version: null, admin_email: null })
    expect(await view(owner, made.id)).toMatchObject({
      description: null,
      version: null,
      release: 1,
      admin_email: null,
    })
  })

  it('changes nothing when all values are the same', async () => {
    const { owner, made } = await newScene(guidance())
    const { body } = await put(owner, made.id, { prefix: 'TEAP-00', released: false })
    expect(body).toMatchObject({ lock_version: 0 })
    expect(await eventsOf(guidance(), made.id)).toEqual(['component.created'])
  })

  it.each([
    [{ name: ' ' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ prefix: 'TEAP' }, 'prefix'],
    [{ prefix: 'TEA-000' }, 'prefix'],
    [{ prefix: 'TEAPO-00' }, 'prefix'],
    [{ title: null }, 'title'],
    [{ title: 'x'.repeat(501) }, 'title'],
    [{ description: 'x'.repeat(5001) }, 'description'],
    [{ version: 1.5 }, 'version'],
    [{ version: -1 }, 'version'],
    [{ release: 2_147_483_648 }, 'release'],
    [{ released: 'yes' }, 'released'],
    [{ comment_phase: 'draft' }, 'comment_phase'],
    [{ closed_reason: 'adjudicating' }, 'closed_reason'],
    [{ comment_phase: 'closed', closed_reason: 'tired' }, 'closed_reason'],
    [{ comment_period_starts_at: 'soon' }, 'comment_period_starts_at'],
    [{ comment_period_starts_at: '0000-01-01' }, 'comment_period_starts_at'],
    [{ comment_period_ends_at: '2026-02-30' }, 'comment_period_ends_at'],
    [{ comment_period_starts_at: '2026-02-02', comment_period_ends_at: '2026-02-01' }, 'comment_period_ends_at'],
    [{ document_type: 'srg' }, 'document_type'],
    [{ admin_email: 'x'.repeat(256) }, 'admin_email'],
  ])('refuses %j', async (component, field) => {
    const { owner, made } = await newScene(guidance())
    const { status, body } = await put(owner, made.id, component)
    expect([status, body]).toMatchObject([
      422,
      { code: 'validation_failed', toast: { title: 'Could not update component.' } },
    ])
    expect(body).toMatchObject({ errors: [{ field }] })
    expect(await view(owner, made.id)).toMatchObject({ lock_version: 0 })
  })

  it('clears the reason for closing comments when they are reopened', async () => {
    const { owner, made } = await newScene(guidance())
    await put(owner, made.id, { comment_phase: 'closed', closed_reason: 'adjudicating' })
    await put(owner, made.id, { comment_phase: 'open' })
    expect(await view(owner, made.id)).toMatchObject({ comment_phase: 'open', closed_reason: null })
  })

  it('refuses an edit based on an old version, and returns the current one', async () => {
    const { owner, made } = await newScene(guidance())
    await put(owner, made.id, { title: 'First' })
    for (const [component, headers] of [
      [{ title: 'Second', lock_version: 0 }, {}],
      [{ title: 'Second' }, { 'If-Match': '"0"' }],
    ] as const) {
      const { status, body } = await owner.call('PATCH', `/components/${made.id}`, { body: { component }, headers })
      expect([status, body]).toMatchObject([
        409,
        { code: 'edit_conflict', current: { title: 'First', lock_version: 1 } },
      ])
    }
    const good = await put(owner, made.id, { title: 'Second', lock_version: 1 })
    expect(good.status).toBe(200)
  })

  it('accepts one of two edits based on the same version', async () => {
    const { owner, made } = await newScene(guidance())
    const edits = ['one', 'other'].map((title) => put(owner, made.id, { title, lock_version: 0 }))
    expect((await Promise.all(edits)).map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('reserves advanced fields and the channel for administrators', async () => {
    const { owner, made } = await newScene(guidance())
    const author = await newcomer(guidance())
    await componentMember(guidance(), made.id, { person: author, role: 'reviewer' })
    const slack = (channel: string) => ({ component_metadata_attributes: { data: { 'Slack Channel ID': channel } } })
    for (const component of [{ advanced_fields: true }, slack('C1'), { slack_channel_id: 'C1' }])
      expect(await put(author, made.id, component)).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
    for (const component of [{ advanced_fields: false }, slack(''), { title: 'Mine' }])
      expect((await put(author, made.id, component)).status).toBe(200)
    expect((await put(owner, made.id, { slack_channel_id: 'C1' })).status).toBe(200)
    // Sending a stored value unchanged needs no right to change it.
    expect((await put(author, made.id, { ...slack('C1'), title: 'Ours' })).status).toBe(200)
  })
})

describe('Additional questions', () => {
  const ask = (questions: unknown) => ({ additional_questions_attributes: questions })

  it('are added, changed, reordered and removed', async () => {
    const { owner, made } = await newScene(guidance())
    await put(
      owner,
      made.id,
      ask([
        { name: 'Which lid?', question_type: 'dropdown', options: ['flat', 'round'] },
        { name: 'Why?', question_type: 'freeform' },
        { name: 'Where?', question_type: 'url' },
      ]),
    )
    const { body } = await owner.call('GET', `/components/${made.id}`)
    expect(body).toMatchObject({
      additional_questions: [
        { name: 'Which lid?', question_type: 'dropdown', options: ['flat', 'round'] },
        { name: 'Why?', question_type: 'freeform', options: [] },
        { name: 'Where?', question_type: 'url', component_id: made.id },
      ],
    })
    const ids = [...JSON.stringify(body).matchAll(/\{"id":(\d+),"component_id"/g)].map((match) => Number(match[1]))
    const { status } = await put(
      owner,
      made.id,
      ask([
        { id: ids[0], name: 'Why?', options: ['flat'] },
        { id: ids[1], name: 'Which lid?' },
        { id: ids[2], _destroy: true },
        { name: 'Never asked', _destroy: true },
      ]),
    )
    expect(status).toBe(200)
    expect(await view(owner, made.id)).toMatchObject({
      additional_questions: [
        { id: ids[0], name: 'Why?', question_type: 'dropdown', options: ['flat'] },
        { id: ids[1], name: 'Which lid?', question_type: 'freeform' },
      ],
      lock_version: 2,
    })
  })

  it.each([
    ['without a name', [{ question_type: 'url' }]],
    ['of no known type', [{ name: 'Q', question_type: 'essay' }]],
    ['twice', [{ name: 'Q' }, { name: 'Q' }]],
    ['to pick from nothing', [{ name: 'Q', question_type: 'dropdown' }]],
    ['too many', Array.from({ length: 101 }, (_none, index) => ({ name: `Q${index}` }))],
    ['too long', [{ name: 'x'.repeat(256) }]],
  ])('are refused %s', async (_what, questions) => {
    const { owner, made } = await newScene(guidance())
    expect(await put(owner, made.id, ask(questions))).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    })
  })

  it('of another component are not found', async () => {
    const { owner, made } = await newScene(guidance())
    expect((await put(owner, made.id, ask([{ id: 999_999, name: 'Q' }]))).status).toBe(404)
  })
})

describe('Releasing a STIG', () => {
  it('is refused while rules are unlocked, and the error names them', async () => {
    const { owner, made } = await newScene(guidance(), { rules: 30 })
    const { status, body } = await put(owner, made.id, { released: true })
    expect([status, body]).toMatchObject([422, { errors: [{ field: 'released' }] }])
    const text = JSON.stringify(body)
    expect(text).toContain('30 of 30 requirements are not locked: TEAP-00-000001, TEAP-00-000002')
    expect(text).toContain('TEAP-00-000020 and 10 more')
  })

  it('requires a version and a release, which the request may contain', async () => {
    const { owner, made } = await newScene(guidance(), { version: null, release: null })
    await setRules(guidance(), made.id, { locked: 1 })
    expect(await put(owner, made.id, { released: true })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'version' }, { field: 'release' }] },
    })
    const root = await newcomer(guidance(), true)
    expect((await put(root, made.id, { released: true, version: 1, release: 0 })).status).toBe(200)
    expect(await put(root, made.id, { release: null })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'release' }] },
    })
  })

  it("happens once, is permanent, and ends the authors' right to edit", async () => {
    const { owner, made } = await newScene(guidance())
    await setRules(guidance(), made.id, { locked: 1 })
    expect((await put(owner, made.id, { released: true })).status).toBe(200)
    expect(await view(owner, made.id)).toMatchObject({ released: true, releasable: false })
    expect((await put(owner, made.id, { title: 'New' })).status).toBe(403)
    const root = await newcomer(guidance(), true)
    expect((await put(root, made.id, { title: 'New', released: true })).status).toBe(200)
    expect(await put(root, made.id, { released: false })).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'released' }] },
    })
    expect(await eventsOf(guidance(), made.id)).toEqual([
      'component.created',
      'component.updated',
      'component.released',
      'component.updated',
    ])
  })

  it('succeeds for one of two callers at the same time and is refused to the other', async () => {
    const { owner, made } = await newScene(guidance())
    await setRules(guidance(), made.id, { locked: 1 })
    const { database } = guidance().service.guidance
    const via = { kind: 'session', id: 1 } as const
    const caller = { ...owner, admin: false, provider: null, via }
    const grant = await requireComponentRole(database.read, caller, { componentId: made.id, least: 'author' })
    const edit = { changes: { released: true }, expectedVersion: null, grant }
    const updates = [1, 2].map(() => database.transact((writer) => updateComponent(writer, edit)))
    const [first, second] = await Promise.allSettled(updates)
    const refused = [first, second].find((outcome) => outcome?.status === 'rejected')
    expect([first, second].map((outcome) => outcome?.status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(refused).toMatchObject({ reason: { code: 'edit_conflict' } })
    const events = await eventsOf(guidance(), made.id)
    expect(events.filter((kind) => kind === 'component.released')).toHaveLength(1)
  })

  it('is refused for an SRG', async () => {
    const { owner, made } = await newScene(guidance(), { kind: 'srg' })
    await setRules(guidance(), made.id, { locked: 1 })
    expect((await put(owner, made.id, { released: true })).status).toBe(422)
  })
})
