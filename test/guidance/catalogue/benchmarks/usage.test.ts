// @module-tag database

import { describe, expect, it } from 'vitest'
import { componentMember, makeComponent, storeSrg } from '../../../support/authoring.ts'
import { send, store } from '../../../support/catalogue.ts'
import { guidanceService, type Client } from '../../../support/guidance.ts'
import { containing } from '../../../support/matchers.ts'
import { xccdfDocument } from '../../../support/xccdf-document.ts'
import { create, markReleased, newcomer, newScene } from '../../authoring/components/scene.ts'

const guidance = guidanceService()

describe('The SRG of a component', () => {
  it('cannot be removed', async () => {
    const { made } = await newScene(guidance(), { name: 'Built on it' })
    const root = await newcomer(guidance(), true)
    const { status, body } = await root.call('DELETE', `/srgs/${made.srgId}`)
    expect([status, body]).toMatchObject([
      422,
      { toast: { message: 'Components were made from it: TEAP-00 - Built on it' } },
    ])
    await root.call('DELETE', `/components/${made.id}`)
    expect((await root.call('DELETE', `/srgs/${made.srgId}`)).status).toBe(200)
  })

  it('cannot be replaced', async () => {
    const line = { id: 'Used_SRG', kind: 'srg' } as const
    const srgId = await store(guidance(), line)
    const { made } = await newScene(guidance(), { srgId, name: 'Built on it' })
    const root = await newcomer(guidance(), true)
    const file = xccdfDocument({ ...line, rules: 5 })
    const how = { path: '/srgs', fields: { replace: 'true' } } as const
    expect(await send(root, file, how)).toMatchObject({
      status: 409,
      body: { code: 'version_taken', detail: containing('TEAP-00 - Built on it') },
    })
    await root.call('DELETE', `/components/${made.id}`)
    expect((await send(root, file, how)).status).toBe(200)
  })

  it('is not removed while a component is created from it', async () => {
    const srg = await storeSrg(guidance())
    const { owner, projectId } = await newScene(guidance())
    const root = await newcomer(guidance(), true)
    const named = { name: 'Race', prefix: 'RACE-00', title: 'Race' }
    const [created, removed] = await Promise.all([
      create(owner, projectId, { ...named, security_requirements_guide_id: srg }),
      root.call('DELETE', `/srgs/${srg}`),
    ])
    expect([
      [200, 422],
      [422, 200],
    ]).toContainEqual([created.status, removed.status])
  })
})

describe('The usage of an SRG', () => {
  async function usage(client: Client, srgId: number): Promise<unknown> {
    return (await client.call('GET', `/api/srgs/${srgId}/stats`)).body
  }

  it("lists components of the caller's projects and released ones, by prefix", async () => {
    const { owner, made, projectId } = await newScene(guidance(), { name: 'Second', prefix: 'TEAP-02' })
    const { srgId } = made
    const how = { projectId, srgId, name: 'First', prefix: 'TEAP-01' }
    const first = await makeComponent(guidance(), owner, how)
    const project = { project_id: projectId, project_name: 'Project of a test' }
    const whole = {
      count: 2,
      components: [
        { id: first.id, name: 'First', ...project },
        { id: made.id, name: 'Second', ...project },
      ],
    }
    expect(await usage(owner, srgId)).toMatchObject({ rule_count: 3, usage: whole })
    const root = await newcomer(guidance(), true)
    expect(await usage(root, srgId)).toMatchObject({ usage: whole })
    const stranger = await newcomer(guidance())
    // To be a member of the component alone is not enough.
    await componentMember(guidance(), made.id, { person: stranger, role: 'viewer' })
    expect(await usage(stranger, srgId)).toMatchObject({ usage: { count: 0, components: [] } })
    await markReleased(guidance(), made.id)
    expect(await usage(stranger, srgId)).toMatchObject({ usage: { count: 1, components: [{ id: made.id }] } })
  })
})
