import { describe, expect, it } from 'vitest'
import { componentMember, satisfy, storeSrg } from '../../../support/authoring.ts'
import { addRow, ago, rowOf, rowsOf, setRows } from '../../../support/guidance-records.ts'
import { guidanceService } from '../../../support/guidance.ts'
import { containing } from '../../../support/matchers.ts'
import type { SampleRule } from '../../../support/xccdf-document.ts'
import {
  comment,
  create,
  createGood,
  markReleased,
  newcomer,
  newScene,
  put,
  setRules,
  view,
} from '../components/scene.ts'

const guidance = guidanceService()

/** Links the first rule of a component to the second, and answers a question about it. */
async function adorn(
  owner: Parameters<typeof put>[0],
  { id, rules }: { readonly id: number; readonly rules: readonly number[] },
): Promise<void> {
  await put(owner, id, {
    additional_questions_attributes: [{ name: 'Why?', question_type: 'freeform' }],
    component_metadata_attributes: { data: { 'Slack Channel ID': 'C1' } },
  })
  const [first = 0, second = 0] = rules
  const question = await rowOf(guidance(), 'additional_questions', { component_id: id })
  const answer = { rule_id: first, additional_question_id: question.id, answer: 'Because.' }
  await addRow(guidance(), 'additional_answers', answer)
  await satisfy(guidance(), first, second)
  await addRow(guidance(), 'rule_descriptions', { rule_id: first, description: 'Hot.' })
  const locked = { locked: 1, locked_fields: '{"Title":true}', vendor_comments: 'Ours.' }
  await setRows(guidance(), 'rules', locked, { id: first })
}

describe('A duplicate', () => {
  it('copies everything of its source except locks and the release', async () => {
    const { owner, made, projectId } = await newScene(guidance(), { version: 1, release: 1 })
    await adorn(owner, made)
    const on = { component_id: made.id, rule_id: made.rules[0] ?? 0 }
    const question = await comment(guidance(), { ...on, comment: 'Question' })
    await comment(guidance(), { component_id: made.id, rule_id: null, comment: 'On all' })
    const reply = { ...on, comment: 'Reply', responding_to_review_id: question }
    await comment(guidance(), reply)
    const again = { comment: 'Again', duplicate_of_review_id: question }
    await comment(guidance(), { ...on, ...again, triage_status: 'duplicate' })
    await setRules(guidance(), made.id, { locked: 1 })
    await markReleased(guidance(), made.id)
    const id = await createGood(owner, projectId, {
      duplicate: true,
      id: made.id,
      version: 2,
      release: null,
      name: 'Next',
      title: 'New',
      description: 'Second',
    })
    const seen = await view(owner, id)
    expect(seen).toMatchObject({
      name: 'Next',
      title: 'New',
      prefix: 'TEAP-00',
      version: 2,
      release: null,
      description: 'Second',
      released: false,
      comment_phase: 'open',
      security_requirements_guide_id: made.srgId,
      component_id: null,
      metadata: { 'Slack Channel ID': 'C1' },
      additional_questions: [{ name: 'Why?' }],
    })
    expect(seen.rules.map(({ rule_id }) => rule_id)).toEqual(['000001', '000002', '000003'])
    expect(seen.rules[0]).toMatchObject({
      locked: false,
      locked_fields: {},
      vendor_comments: 'Ours.',
      checks_attributes: [{ content: containing('lid') }],
      rule_descriptions_attributes: [{ description: 'Hot.' }],
      additional_answers_attributes: [{ answer: 'Because.' }],
      satisfied_by: [{ id: seen.rules[1]?.id }],
      reviews: [{ comment: 'Question' }, { comment: 'Reply' }, { comment: 'Again' }],
    })
    const reviews = Object.fromEntries(seen.reviews.map((review) => [review.comment, review]))
    expect(reviews['Reply']).toMatchObject({ responding_to_review_id: reviews['Question']?.id })
    expect(reviews['Again']).toMatchObject({ duplicate_of_review_id: reviews['Question']?.id })
    expect(reviews['On all']).toMatchObject({ rule_id: null })
    // The source is as it was.
    const source = await view(owner, made.id)
    expect([source.rules.length, source.reviews.length]).toEqual([3, 4])
    expect(source.reviews.map((review) => review.id)).not.toContain(reviews['Reply']?.id)
  })

  it('continues the histories and the numbers of the rules', async () => {
    const { owner, made, projectId } = await newScene(guidance())
    await setRows(guidance(), 'rules', { deleted_at: ago(0) }, { id: made.rules[2] ?? 0 })
    await addRow(guidance(), 'audits', {
      action: 'update',
      auditable_type: 'Rule',
      auditable_id: made.rules[0] ?? 0,
      project_id: projectId,
      component_id: made.id,
      audited_name: 'TEAP-00-000001',
      actor_id: null,
      name: 'Ann',
      via: 'session 1',
      comment: 'Why',
      changes: '[]',
      created_at: '2026-01-01T00:00:00.000Z',
    })
    const id = await createGood(owner, projectId, { copy_component: true, id: made.id })
    const { rules } = await view(owner, id)
    expect(rules.map(({ rule_id }) => rule_id)).toEqual(['000001', '000002'])
    const entries = await historyOf(rules[0]?.id)
    expect(entries).toMatchObject([
      { action: 'create', name: 'system' },
      { action: 'update', name: 'Ann', comment: 'Why', created_at: '2026-01-01T00:00:00.000Z' },
    ])
    const { body } = await owner.call('GET', `/components/${id}/histories`)
    expect(body).toMatchObject([{ action: 'create', auditable_type: 'Component' }])
    expect(await rowOf(guidance(), 'components', { id })).toMatchObject({ last_rule_number: 3 })
  })

  it("of another author's released component omits what the caller may not see", async () => {
    const { owner, made } = await newScene(guidance())
    await adorn(owner, made)
    const client = await newcomer(guidance())
    const projectId = await guidance().project(client)
    const wanted = { duplicate: true, id: made.id }
    expect((await create(client, projectId, wanted)).status).toBe(404)
    await markReleased(guidance(), made.id)
    const id = await createGood(client, projectId, wanted)
    const seen = await view(client, id)
    expect(seen['metadata']).toEqual({})
    expect(seen).toMatchObject({ additional_questions: [] })
    expect(seen.rules[0]).toMatchObject({ additional_answers_attributes: [] })
    expect(await historyOf(seen.rules[0]?.id)).toMatchObject([{ action: 'create' }])
  })

  it('is created in another project only by an administrator of that project', async () => {
    const { owner, made, projectId } = await newScene(guidance())
    const other = await guidance().project(owner)
    const wanted = { duplicate: true, id: made.id, project_id: other }
    const id = await createGood(owner, projectId, wanted)
    expect(await view(owner, id)).toMatchObject({ project_id: other })
    const client = await newcomer(guidance())
    await guidance().member(projectId, client, 'admin')
    expect((await create(client, projectId, wanted)).status).toBe(404)
    await guidance().member(other, client, 'reviewer')
    expect((await create(client, projectId, wanted)).status).toBe(403)
  })

  it('requires a source that the caller may read', async () => {
    const { owner, projectId } = await newScene(guidance())
    const { made: foreign } = await newScene(guidance())
    expect((await create(owner, projectId, { duplicate: true })).status).toBe(422)
    const unreadable = await create(owner, projectId, { duplicate: true, id: foreign.id })
    const unknown = await create(owner, projectId, { duplicate: true, id: 999_999 })
    expect([unreadable.status, unreadable.body]).toEqual([404, unknown.body])
    const person = await newcomer(guidance())
    await componentMember(guidance(), foreign.id, { person, role: 'viewer' })
    const client = await guidance().signIn(person.email)
    const ownProject = await guidance().project(client)
    await createGood(client, ownProject, { duplicate: true, id: foreign.id })
  })

  function historyOf(auditable_id = 0) {
    return rowsOf(guidance(), 'audits', { auditable_type: 'Rule', auditable_id })
  }
})

describe('A duplicate on a newer SRG', () => {
  const rule = (number: number, members: Partial<SampleRule> = {}): SampleRule => ({
    id: `SV-${number}r1_rule`,
    version: `SRG-TEA-00000${number}`,
    ...members,
  })
  const old = [rule(1), rule(2), rule(3), rule(4)]
  const changed = { title: 'New title', fix: 'New fix', checks: ['New check'], severity: 'high' }
  const newer = [
    rule(1, { ...changed, cci: ['CCI-000015'] }),
    rule(2, { ...changed, cci: ['CCI-000015'] }),
    rule(5, { title: 'Fifth' }),
  ]

  async function rebased(kind: 'stig' | 'srg') {
    const srgId = await storeSrg(guidance(), kind, old)
    const after = await storeSrg(guidance(), kind, newer)
    const scene = await newScene(guidance(), { kind, srgId })
    const keptRules = scene.made.rules.filter((_rule, index) => index % 2 === 0)
    if (kind === 'stig')
      for (const id of keptRules)
        await setRows(
          guidance(),
          'rules',
          { status: 'Applicable - Configurable', title: 'Own title', fixtext: 'Own fix' },
          { id },
        )
    const wanted = { duplicate: true, id: scene.made.id, security_requirements_guide_id: after }
    const answer = await create(scene.owner, scene.projectId, wanted)
    const id = Number(/"id":(\d+)/.exec(JSON.stringify(answer.body))?.[1])
    return { ...answer, after, seen: await view(scene.owner, id) }
  }

  it('takes the texts of the new SRG unless authors changed them', async () => {
    const { body, after, seen } = await rebased('stig')
    expect(body).toMatchObject({ toast: { message: containing('1 requirements were removed, 1 added') } })
    expect(seen).toMatchObject({
      security_requirements_guide_id: after,
      source_srgs: [{ id: after }],
      rules: [
        {
          rule_id: '000001',
          title: 'Own title',
          fixtext: 'Own fix',
          rule_severity: 'high',
          ident: 'CCI-000015',
          checks_attributes: [{ content: containing('lid') }],
        },
        {
          rule_id: '000002',
          title: 'New title',
          fixtext: 'New fix',
          rule_severity: 'high',
          ident: 'CCI-000015',
          checks_attributes: [{ content: 'New check' }],
        },
        { rule_id: '000003', version: 'SRG-TEA-000003', title: 'Own title' },
        { rule_id: '000005', version: 'SRG-TEA-000005', title: 'Fifth' },
      ],
    })
  })

  it('keeps the requirements of an SRG and adds the new ones', async () => {
    const { seen } = await rebased('srg')
    expect(seen.rules.map(({ rule_id, version }) => `${rule_id} ${version}`)).toEqual(
      [1, 2, 3, 4, 5].map((number) => `00000${number} SRG-TEA-00000${number}`),
    )
    expect(seen.rules[0]?.title).not.toBe('New title')
    expect(seen.rules[0]).toMatchObject({ srg_rule_attributes: { title: 'New title' } })
  })

  it('is refused with an unsuitable parent', async () => {
    const { owner, made, projectId } = await newScene(guidance())
    const core = await storeSrg(guidance(), 'srg')
    const wanted = { duplicate: true, id: made.id, security_requirements_guide_id: core }
    expect((await create(owner, projectId, wanted)).status).toBe(422)
  })
})

describe('A component based on a released one', () => {
  it('begins as a copy of its rules, and keeps the link', async () => {
    const { made, owner: author } = await newScene(guidance(), { name: 'Below', version: 3 })
    await adorn(author, made)
    await comment(guidance(), { component_id: made.id, rule_id: null })
    const further = await storeSrg(guidance())
    await addRow(guidance(), 'component_srgs', { component_id: made.id, benchmark_id: further, position: 2 })
    await markReleased(guidance(), made.id)
    const client = await newcomer(guidance())
    const projectId = await guidance().project(client)
    const id = await createGood(client, projectId, { component_id: made.id, name: 'Ignored' })
    const seen = await view(client, id)
    expect(seen).toMatchObject({
      name: 'Below',
      prefix: 'TEAP-00',
      version: 3,
      component_id: made.id,
      source_srgs: [{ id: made.srgId }, { id: further }],
      released: false,
      admin_email: client.email,
      reviews: [],
      additional_questions: [],
      rules: [{ locked: false, vendor_comments: 'Ours.' }, {}, {}],
    })
    expect(seen.rules[0]).toMatchObject({ satisfied_by: [{ id: seen.rules[1]?.id }] })
    // With what lies below removed, it stays.
    await author.call('DELETE', `/components/${made.id}`)
    expect(await view(client, id)).toMatchObject({ component_id: null })
  })

  it('requires a released component', async () => {
    const { owner, made, projectId } = await newScene(guidance())
    expect(await create(owner, projectId, { component_id: made.id })).toMatchObject({
      status: 422,
      body: { errors: [{ message: 'Cannot overlay a component that has not been released' }] },
    })
    const { made: foreign } = await newScene(guidance())
    expect((await create(owner, projectId, { component_id: foreign.id })).status).toBe(404)
  })
})
