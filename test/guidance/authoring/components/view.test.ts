import { beforeAll, describe, expect, it } from 'vitest'
import { componentMember, makeComponent } from '../../../support/authoring.ts'
import { guidanceService, type SessionClient } from '../../../support/guidance.ts'
import { containing } from '../../../support/matchers.ts'
import { comment, eventsOf, markReleased, newcomer, newScene, put, setRules, view } from './scene.ts'

const guidance = guidanceService()

let stranger: SessionClient

beforeAll(async () => {
  stranger = await newcomer(guidance())
})

describe('GET /components/{id}', () => {
  it('returns the whole component to a member, with the version as ETag', async () => {
    const { owner, made, projectId } = await newScene(guidance(), {
      name: 'Teapot',
      version: 1,
      release: 2,
    })
    await componentMember(guidance(), made.id, { person: await newcomer(guidance()), role: 'viewer' })
    const on = { component_id: made.id, rule_id: made.rules[0] ?? 0 }
    const first = await comment(guidance(), on)
    await comment(guidance(), { ...on, responding_to_review_id: first })
    await comment(guidance(), { component_id: made.id, rule_id: null })
    const { status, body, headers } = await owner.call('GET', `/components/${made.id}`)
    expect([status, headers.etag]).toEqual([200, '"0"'])
    expect(body).toMatchObject({
      id: made.id,
      name: 'Teapot',
      prefix: 'TEAP-00',
      title: 'Teapot Guide',
      version: 1,
      release: 2,
      description: null,
      document_type: 'stig',
      project_id: projectId,
      component_id: null,
      released: false,
      releasable: false,
      security_requirements_guide_id: made.srgId,
      based_on_version: 'V1R1',
      admin_name: owner.name,
      admin_email: owner.email,
      rules_count: 3,
      severity_counts: { high: 1, medium: 1, low: 1 },
      pending_comment_count: 2,
      advanced_fields: false,
      lock_version: 0,
      metadata: {},
      memberships_count: 1,
      comment_phase: 'open',
      closed_reason: null,
      comment_period_starts_at: null,
      comment_period_ends_at: null,
      effective_permissions: 'admin',
      status_counts: { not_yet_determined: 3, not_applicable: 0 },
      moved_out_count: 0,
      srg_is_latest: true,
      srg_latest_version: 'V1R1',
      srg_latest_id: made.srgId,
      additional_questions: [],
      source_srgs: [{ id: made.srgId, version: 'V1R1' }],
      rules: made.rules.map((id) => ({ id, inspec_control_file: containing('') })),
      histories: [{ action: 'create', auditable_type: 'Component' }],
      memberships: [{ role: 'viewer', membership_type: 'Component', membership_id: made.id }],
      inherited_memberships: [{ role: 'admin', membership_type: 'Project' }],
    })
    expect((await view(owner, made.id)).reviews).toHaveLength(3)
  })

  it('reports a newer release of the SRG', async () => {
    const { store } = await import('../../../support/catalogue.ts')
    const line = { id: 'Lid_SRG', kind: 'srg' as const }
    const srgId = await store(guidance(), line)
    const { owner, made } = await newScene(guidance(), { srgId })
    const newer = await store(guidance(), { ...line, release: '10', rules: 3 })
    const { body } = await owner.call('GET', `/components/${made.id}`)
    expect(body).toMatchObject({ srg_is_latest: false, srg_latest_version: 'V1R10', srg_latest_id: newer })
  })

  it('returns fewer fields of a released component to everybody', async () => {
    const { owner, made } = await newScene(guidance())
    await put(owner, made.id, {
      component_metadata_attributes: { data: { 'Slack Channel ID': 'C1' } },
      additional_questions_attributes: [{ name: 'Why?', question_type: 'freeform' }],
    })
    expect((await stranger.call('GET', `/components/${made.id}`)).status).toBe(404)
    await markReleased(guidance(), made.id)
    const { status, body, headers } = await stranger.call('GET', `/components/${made.id}`)
    expect([status, headers.etag]).toEqual([200, undefined])
    for (const [method, path] of [
      ['GET', `/components/${made.id}/rules`],
      ['DELETE', `/components/${made.id}`],
    ] as const)
      expect(await stranger.call(method, path)).toMatchObject({ status: 403, body: { admins: [] } })
    expect(body).toMatchObject({
      id: made.id,
      released: true,
      releasable: false,
      effective_permissions: null,
      comment_phase: 'open',
      reviews: [],
      rules: made.rules.map((id) => ({ id })),
    })
    for (const field of ['metadata', 'memberships', 'inherited_memberships', 'histories'])
      expect(body).not.toHaveProperty(field)
    for (const field of ['additional_questions', 'advanced_fields', 'lock_version'])
      expect(body).not.toHaveProperty(field)
    for (const field of ['inspec_control_body', 'additional_answers_attributes', 'reviews'])
      expect(body).not.toHaveProperty(['rules', 0, field])
  })

  it('lists the rules of a large component in the order of their requirements', async () => {
    const { owner, made } = await newScene(guidance(), { rules: 230 })
    const { rules } = await view(owner, made.id)
    const versions = rules.map(({ version }) => version ?? '')
    expect([versions.length, new Set(versions).size]).toEqual([230, 230])
    expect(versions).toEqual([...versions].sort())
  })
})

describe('GET /components', () => {
  it('lists released components of all projects to everybody, by name', async () => {
    const { made, owner, projectId } = await newScene(guidance(), { name: 'b released' })
    const other = await makeComponent(guidance(), owner, { projectId, name: 'A released' })
    const hidden = await makeComponent(guidance(), owner, { projectId })
    await markReleased(guidance(), made.id)
    await markReleased(guidance(), other.id)
    const { body } = await stranger.call('GET', '/components')
    const cards = Array.isArray(body) ? body : []
    const ids = cards.map((card: { id: number }) => card.id)
    expect(ids.filter((id) => [made.id, other.id, hidden.id].includes(id))).toEqual([other.id, made.id])
    expect(cards).toContainEqual(
      expect.objectContaining({ id: made.id, rules_count: 3, releasable: false, released: true }),
    )
  })

  it('lists all readable components on request', async () => {
    const { made, owner } = await newScene(guidance())
    const listed = async (client: SessionClient, query: string): Promise<boolean> => {
      const { body } = await client.call('GET', `/components${query}`)
      return Array.isArray(body) && body.some((card: { id: number }) => card.id === made.id)
    }
    expect(await listed(owner, '?readable=true')).toBe(true)
    expect(await listed(owner, '')).toBe(false)
    expect(await listed(stranger, '?readable=true')).toBe(false)
    expect((await owner.call('GET', '/components?readable=perhaps')).status).toBe(400)
  })

  it('reports a component without unlocked rules as releasable', async () => {
    const { owner, made } = await newScene(guidance())
    await setRules(guidance(), made.id, { locked: 1 })
    expect(await view(owner, made.id)).toMatchObject({ releasable: true })
  })
})

describe('DELETE /components/{id}', () => {
  it('removes the component with its contents and records this in the audit trail', async () => {
    const { owner, made, projectId } = await newScene(guidance(), { rules: 120 })
    await comment(guidance(), { component_id: made.id, rule_id: made.rules[0] ?? 0 })
    const { status, body } = await owner.call('DELETE', `/components/${made.id}`)
    expect([status, body]).toMatchObject([200, { toast: { title: 'Component removed.' } }])
    expect((await owner.call('GET', `/components/${made.id}`)).status).toBe(404)
    expect((await owner.call('DELETE', `/components/${made.id}`)).status).toBe(404)
    const { read } = guidance().service.guidance.database
    for (const table of ['rules', 'reviews', 'component_srgs'] as const)
      expect(await read.selectFrom(table).select('component_id').where('component_id', '=', made.id).execute()).toEqual(
        [],
      )
    expect(await eventsOf(guidance(), made.id)).toEqual(['component.created', 'component.deleted'])
    const { body: histories } = await owner.call('GET', `/projects/${projectId}/histories`)
    expect(histories).toContainEqual(expect.objectContaining({ action: 'destroy', auditable_type: 'Component' }))
  })

  it('succeeds for one of two requests at the same time', async () => {
    const { owner, made } = await newScene(guidance())
    const deletions = [1, 2].map(() => owner.call('DELETE', `/components/${made.id}`))
    expect((await Promise.all(deletions)).map(({ status }) => status).sort()).toEqual([200, 404])
  })
})

describe('GET /components/{id}/histories', () => {
  it('lists the changes of the component, oldest first', async () => {
    const { owner, made } = await newScene(guidance())
    await put(owner, made.id, { title: 'Another' })
    const { body } = await owner.call('GET', `/components/${made.id}/histories`)
    expect(body).toMatchObject([
      { action: 'create' },
      { action: 'update', audited_changes: [{ field: 'title', new_value: 'Another' }] },
    ])
  })
})
