// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { mintedId, tokenOf } from '../../../../src/guidance/authoring/components/mint.ts'
import { makeComponent } from '../../../support/authoring.ts'
import { send, store } from '../../../support/catalogue.ts'
import { alter, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, type Answer, type Client, type SessionClient } from '../../../support/guidance.ts'
import { containing } from '../../../support/matchers.ts'
import { placeProposal } from '../../../support/relocations.ts'
import { xccdfDocument } from '../../../support/xccdf-document.ts'
import {
  createGood,
  eventsOf,
  newcomer,
  newScene,
  put,
  setRules,
  view,
  type Scene,
} from '../../authoring/components/scene.ts'

const guidance = guidanceService()

let root: SessionClient

beforeAll(async () => {
  root = await newcomer(guidance(), true)
})

function release(client: Client, id: number): Promise<Answer> {
  return client.call('POST', `/components/${id}/release`)
}

/** An SRG that can be released. */
async function ready(how: Parameters<typeof newScene>[1] = {}): Promise<Scene> {
  const scene = await newScene(guidance(), { kind: 'srg', version: 1, release: 1, ...how })
  await setRules(guidance(), scene.made.id, { status: 'Applicable', locked: 1 })
  return scene
}

async function updateRule(id: number, values: Record<string, string | number | null>): Promise<void> {
  await setRows(guidance(), 'rules', values, { id })
}

const answered = z.looseObject({ catalog_srg: z.object({ id: z.int(), srg_id: z.string(), version: z.string() }) })

describe('POST /components/{id}/release', () => {
  it('gives requirements their final ids and adds the SRG to the catalogue', async () => {
    const { owner, made } = await ready({ name: 'Tea Pots' })
    await updateRule(made.rules[1] ?? 0, { version: null, srg_rule_id: null })
    await updateRule(made.rules[2] ?? 0, { status: 'Not Applicable' })
    const { status, body } = await release(owner, made.id)
    expect([status, body]).toMatchObject([
      200,
      {
        toast: { title: 'Component released.', variant: 'success' },
        catalog_srg: { srg_id: 'Tea_Pots', version: 'V1R1', name: 'Tea Pots - Ver 1, Rel 1' },
        changelog: { version: 'V1R1', removals: [], text: containing('2 req') },
      },
    ])
    const { catalog_srg } = answered.parse(body)
    const { body: srg } = await owner.call('GET', `/srgs/${catalog_srg.id}`)
    expect(srg).toMatchObject({
      srg_id: 'Tea_Pots',
      core: false,
      title: 'Tea Pots Guide',
      srg_rules: [{ version: 'SRG-TEA-000001-TEAP-000001', rule_id: 'SV-TEAP-00-000001' }, { version: 'TEAP-000002' }],
    })
    expect(await view(owner, made.id)).toMatchObject({ released: true, lock_version: 1 })
    expect(await eventsOf(guidance(), made.id)).toEqual(['component.created', 'component.released'])
    const { body: histories } = await owner.call('GET', `/components/${made.id}/histories`)
    expect(histories).toMatchObject([
      {},
      { action: 'update', audited_changes: [{ field: 'released', new_value: true }] },
    ])
  })

  it('returns the same document as the catalogue', async () => {
    const { owner, made } = await ready({ name: 'Round trip' })
    const { catalog_srg } = answered.parse((await release(owner, made.id)).body)
    const { bytes } = await owner.call('GET', `/srgs/${catalog_srg.id}/export/xccdf`)
    expect(await send(root, bytes, { path: '/srgs' })).toMatchObject({
      status: 200,
      body: { imported: [], already_imported: [{ id: catalog_srg.id }] },
    })
  })

  it('makes the SRG available as a source of STIGs', async () => {
    const { owner, made, projectId } = await ready({ name: 'Parent' })
    const { catalog_srg } = answered.parse((await release(owner, made.id)).body)
    const id = await createGood(owner, projectId, {
      name: 'Child',
      prefix: 'CHIL-00',
      title: 'Child',
      security_requirements_guide_id: catalog_srg.id,
    })
    expect((await view(owner, id)).rules[0]?.version).toBe('SRG-TEA-000001-TEAP-000001')
  })

  it('keeps ids in the next version and lists the changes', async () => {
    const { owner, made, projectId } = await ready({ name: 'Second time' })
    await release(owner, made.id)
    const id = await createGood(owner, projectId, { duplicate: true, id: made.id, release: 2 })
    const { rules } = await view(owner, id)
    await setRules(guidance(), id, { status: 'Applicable', locked: 1 })
    await updateRule(rules[0]?.id ?? 0, { version: 'SRG-TEA-000099' })
    await updateRule(rules[1]?.id ?? 0, { status: 'Not Applicable' })
    const { body } = await release(owner, id)
    expect(body).toMatchObject({
      catalog_srg: { srg_id: 'Second_time', version: 'V1R2' },
      changelog: {
        removals: [
          {
            identifier: 'SRG-TEA-000002-TEAP-000002',
            destination_abbreviation: null,
            executed_on: new Date().toISOString().slice(0, 10),
          },
        ],
        text: containing('since V1R1, 0 were added and 1 removed'),
      },
    })
    const next = await createGood(owner, projectId, { duplicate: true, id, release: 3 })
    await setRules(guidance(), next, { locked: 1 })
    expect((await release(owner, next)).body).toMatchObject({ changelog: { text: containing('since V1R2, ') } })
    const copy = await createGood(owner, projectId, { duplicate: true, id, prefix: 'KETL-00' })
    const minted = await guidance()
      .service.guidance.database.read.selectFrom('rules')
      .select('minted_id')
      .where('component_id', 'in', [id, copy])
      .orderBy('id')
      .execute()
    expect(minted.map(({ minted_id }) => minted_id)).toEqual([
      ...[1, 2, 3].map((number) => `SRG-TEA-00000${number}-TEAP-00000${number}`),
      null,
      null,
      null,
    ])
  })

  it('names the SRGs to which requirements were moved', async () => {
    const { owner, made, projectId } = await ready({ name: 'Moving out' })
    await release(owner, made.id)
    const id = await createGood(owner, projectId, { duplicate: true, id: made.id, release: 2 })
    const { rules } = await view(owner, id)
    const blank = await owner.call('POST', `/components/${id}/rules`, {
      body: { rule: { title: 'The lid must shine.' } },
    })
    const { data } = z.object({ data: z.object({ id: z.int() }) }).parse(blank.body)
    const target = await makeComponent(guidance(), owner, {
      projectId,
      kind: 'srg',
      srgId: made.srgId,
      prefix: 'KETL-00',
    })
    await alter(guidance(), (writer) => writer.deleteFrom('rules').where('component_id', '=', target.id).execute())
    for (const ruleId of [rules[0]?.id ?? 0, data.id]) {
      const proposed = await placeProposal(guidance(), owner, { ruleId, projectId })
      const accepted = await owner.call('POST', `/requirement_relocations/${proposed}/accept`, {
        body: { target_component_id: target.id },
      })
      expect(accepted.status).toBe(200)
    }
    await setRules(guidance(), id, { status: 'Applicable', locked: 1 })
    const today = new Date().toISOString().slice(0, 10)
    expect((await release(owner, id)).body).toMatchObject({
      catalog_srg: { version: 'V1R2' },
      changelog: {
        removals: [
          { identifier: 'SRG-TEA-000001-TEAP-000001', destination_abbreviation: 'KETL', executed_on: today },
          { identifier: 'TEAP-00-000004', destination_abbreviation: 'KETL', executed_on: today },
        ],
        text: containing('Relocated: SRG-TEA-000001-TEAP-000001 to KETL, TEAP-00-000004 to KETL.'),
      },
    })
  })

  it('returns every obstacle', async () => {
    const { owner, made } = await newScene(guidance(), { kind: 'srg', prefix: '1234-00', version: null, release: null })
    const { status, body } = await release(owner, made.id)
    expect([status, body]).toMatchObject([
      422,
      {
        toast: { title: 'Could not release component.' },
        errors: [
          { message: containing('3 of the requirements (1234-00-000001, 1234') },
          { field: 'version', message: "Version can't be blank" },
          { field: 'release', message: "Release can't be blank" },
          { field: 'locked', message: containing('Not locked: 3') },
          { message: 'No requirement is Applicable' },
          { field: 'prefix' },
        ],
      },
    ])
    expect(await view(owner, made.id)).toMatchObject({ released: false, lock_version: 0 })
  })

  it('is refused for a STIG and for a released component', async () => {
    const { owner, made } = await newScene(guidance(), { version: 1, release: 1 })
    expect((await release(owner, made.id)).status).toBe(422)
    const { owner: other, made: srg } = await ready()
    expect((await release(other, srg.id)).status).toBe(200)
    expect(await release(other, srg.id)).toMatchObject({ status: 422, body: { errors: [{ field: 'released' }] } })
  })

  it('is refused while the catalogue has other content under its id', async () => {
    await store(guidance(), { id: 'Taken', kind: 'srg' })
    const { owner, made } = await ready({ name: 'Taken' })
    expect(await release(owner, made.id)).toMatchObject({ status: 409, body: { code: 'version_taken' } })
    expect(await view(owner, made.id)).toMatchObject({ released: false })
    await put(owner, made.id, { release: 2 })
    expect((await release(owner, made.id)).status).toBe(200)
  })

  it('succeeds for one of two callers at the same time and is refused to the other', async () => {
    const { owner, made } = await ready()
    const answers = await Promise.all([1, 2].map(() => release(owner, made.id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  it('is rolled back if another change happens at the same time', async () => {
    const { owner, made } = await ready()
    const [released, edited] = await Promise.all([release(owner, made.id), put(owner, made.id, { title: 'Meanwhile' })])
    expect([
      [409, 200],
      [200, 403],
      [200, 409],
      [200, 200],
    ]).toContainEqual([released.status, edited.status])
    if (released.status === 409) expect(released.body).toMatchObject({ current: { title: 'Meanwhile' } })
  })

  it('refuses characters that XML cannot contain', async () => {
    const { owner, made } = await ready({ version: 2_147_483_647 })
    expect(await release(owner, made.id)).toMatchObject({
      status: 422,
      body: { toast: { title: 'Could not release component.' } },
    })
  })
})

describe('Final ids', () => {
  it.each([
    ['CNTR-00', 'CNTR'],
    ['AB12-00', 'AB'],
    ['1234-00', null],
    ['_ABC-00', null],
  ])('of %s have the token %s', (prefix, token) => {
    expect(tokenOf(prefix)).toBe(token)
  })

  it('consist of the core requirement, the token and a unique number', () => {
    const rule = { number: 35, version: 'SRG-APP-000014', minted_id: null }
    expect(mintedId(rule, 'CNTR')).toBe('SRG-APP-000014-CNTR-000035')
    expect(mintedId({ ...rule, version: null }, 'CNTR')).toBe('CNTR-000035')
    expect(mintedId({ ...rule, minted_id: 'OLD-000001' }, 'CNTR')).toBe('OLD-000001')
  })
})

it('An import of the same release with other content is refused', async () => {
  const { owner, made } = await ready({ name: 'Published' })
  await release(owner, made.id)
  const file = xccdfDocument({ id: 'Published', kind: 'srg', rules: 4 })
  expect((await send(root, file, { path: '/srgs' })).status).toBe(409)
})
