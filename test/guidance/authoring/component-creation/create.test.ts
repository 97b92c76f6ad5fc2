import { beforeAll, describe, expect, it } from 'vitest'
import { storeSrg } from '../../../support/authoring.ts'
import { encodeForm } from '../../../support/form.ts'
import { rowsOf } from '../../../support/guidance-records.ts'
import { guidanceService, type Person, type SessionClient } from '../../../support/guidance.ts'
import { matching } from '../../../support/matchers.ts'
import { create, createGood, eventsOf, newcomer, view } from '../components/scene.ts'

const guidance = guidanceService()

let owner: Person & SessionClient
let projectId: number
let srg: number
let core: number

beforeAll(async () => {
  owner = await newcomer(guidance())
  projectId = await guidance().project(owner)
  srg = await storeSrg(guidance())
  core = await storeSrg(guidance(), 'srg')
})

function teapot(members: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return { name: 'Teapot', prefix: 'teap-00', title: 'Teapot Guide', security_requirements_guide_id: srg, ...members }
}

describe('A component from SRGs', () => {
  it('is a STIG with all requirements of its SRG', async () => {
    const { status, body } = await create(owner, projectId, teapot())
    expect([status, body]).toMatchObject([
      200,
      {
        toast: { title: 'Component added.', variant: 'success', message: 'Its rules can be edited now.' },
        redirect_url: matching(/^\/components\/\d+$/),
      },
    ])
    const id = Number(/"id":(\d+)/.exec(JSON.stringify(body))?.[1])
    const seen = await view(owner, id)
    expect(seen).toMatchObject({
      name: 'Teapot',
      prefix: 'TEAP-00',
      document_type: 'stig',
      version: null,
      admin_name: owner.name,
      admin_email: owner.email,
      released: false,
    })
    expect(seen.rules.map(({ rule_id, version, status: state }) => [rule_id, version, state])).toEqual(
      [1, 2, 3].map((number) => [`00000${number}`, `SRG-TEA-00000${number}`, 'Not Yet Determined']),
    )
    expect(await eventsOf(guidance(), id)).toEqual(['component.created'])
  })

  it('takes the selected requirements of further SRGs after the first', async () => {
    const [second, third] = [await storeSrg(guidance()), await storeSrg(guidance())]
    const id = await createGood(
      owner,
      projectId,
      teapot({
        declared_source_srg_ids: [third, srg, second],
        requirement_selections: { [second]: ['SRG-TEA-000002'], [third]: [] },
        version: 1,
        release: 2,
        description: 'Hot.',
        admin_name: 'Bo',
        advanced_fields: true,
        additional_questions_attributes: [{ name: 'Why?', question_type: 'freeform' }],
        component_metadata_attributes: { data: { Shelf: 'upper' } },
        slack_channel_id: 'C1',
      }),
    )
    const seen = await view(owner, id)
    expect(seen).toMatchObject({
      version: 1,
      release: 2,
      description: 'Hot.',
      admin_name: 'Bo',
      admin_email: null,
      advanced_fields: true,
      additional_questions: [{ name: 'Why?' }],
      metadata: { Shelf: 'upper', 'Slack Channel ID': 'C1' },
      source_srgs: [{ id: srg }, { id: second }, { id: third }],
    })
    expect(seen.rules.map(({ rule_id, version }) => `${rule_id} ${version}`).sort()).toEqual([
      '000001 SRG-TEA-000001',
      '000002 SRG-TEA-000002',
      '000003 SRG-TEA-000003',
      '000004 SRG-TEA-000002',
    ])
  })

  it('is an SRG when it is created from core SRGs', async () => {
    const wanted = { document_type: 'srg', security_requirements_guide_id: core }
    const id = await createGood(owner, projectId, teapot(wanted))
    expect(await view(owner, id)).toMatchObject({
      document_type: 'srg',
      rules: [{ derived_from_version: 'SRG-TEA-000001' }, {}, {}],
    })
  })

  it('records a history of each rule', async () => {
    const id = await createGood(owner, projectId, teapot())
    const [rule] = (await view(owner, id)).rules
    const entries = await rowsOf(guidance(), 'audits', { auditable_type: 'Rule', auditable_id: rule?.id ?? 0 })
    expect(entries).toMatchObject([{ action: 'create', name: 'system', audited_name: 'TEAP-00-000001' }])
  })

  it.each([
    ['nothing', {}, ['name', 'prefix', 'title', 'security_requirements_guide_id']],
    ['a blank name', { ...teapot(), name: ' ' }, ['name']],
    ['another prefix', { ...teapot(), prefix: 'TEAPOT' }, ['prefix']],
    ['a long title', { ...teapot(), title: 'x'.repeat(501) }, ['title']],
    ['another kind', { ...teapot(), document_type: 'cis' }, ['document_type']],
    ['too many sources', { declared_source_srg_ids: Array(51).fill(1) }, ['declared_source_srg_ids']],
  ])('is refused with %s', async (_what, component, fields) => {
    const { status, body } = await create(owner, projectId, component)
    expect([status, body]).toMatchObject([
      422,
      {
        code: 'validation_failed',
        toast: { title: 'Could not add component to project.' },
        errors: fields.map((field) => ({ field })),
      },
    ])
  })

  it('is refused with unsuitable sources', async () => {
    const stig = 'security_requirements_guide_id'
    const cases = [
      [teapot({ [stig]: 999_999 }), stig],
      [teapot({ [stig]: core }), stig],
      [teapot({ document_type: 'srg' }), stig],
      [teapot({ declared_source_srg_ids: [999_999] }), stig],
      [teapot({ requirement_selections: { [core]: [] } }), 'requirement_selections'],
      [teapot({ requirement_selections: { [srg]: ['SRG-TEA-9'] } }), 'requirement_selections'],
    ] as const
    for (const [component, field] of cases)
      expect(await create(owner, projectId, component)).toMatchObject({ status: 422, body: { errors: [{ field }] } })
  })

  it('stores nothing when it is refused at the last step', async () => {
    const name = 'Never there'
    const twice = [{ name: 'Q' }, { name: 'Q' }]
    const wanted = teapot({ name, additional_questions_attributes: twice })
    expect((await create(owner, projectId, wanted)).status).toBe(422)
    const { body } = await owner.call('GET', `/projects/${projectId}`)
    expect(JSON.stringify(body)).not.toContain(name)
  })

  it('with a thousand requirements is created quickly while other requests are answered', async () => {
    const large = await storeSrg(guidance(), 'stig', 1000)
    const wanted = teapot({ security_requirements_guide_id: large })
    const start = performance.now()
    const id = await createGood(owner, projectId, wanted)
    const created = performance.now()
    const copy = await createGood(owner, projectId, { duplicate: true, id })
    const copied = performance.now()
    expect((await view(owner, copy)).rules).toHaveLength(1000)
    expect(created - start).toBeLessThan(3000)
    expect(copied - created).toBeLessThan(3000)
  }, 60_000)
})

describe('POST /projects/{id}/components with a form', () => {
  it('requires a spreadsheet', async () => {
    const { status, body } = await owner.call('POST', `/projects/${projectId}/components`, {
      form: { file: 'no spreadsheet', fields: { name: 'Teapot' }, fileName: 'teapot.csv' },
    })
    expect([status, body]).toMatchObject([422, { code: 'validation_failed' }])
  })

  it('refuses a form that cannot be parsed', async () => {
    const { headers } = encodeForm({ file: 'x' })
    const { status } = await owner.call('POST', `/projects/${projectId}/components`, { body: 'no form', headers })
    expect(status).toBe(400)
  })
})
