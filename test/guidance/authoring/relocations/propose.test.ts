import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeComponent } from '../../../support/authoring.ts'
import { entriesOf, messagesOf, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, type SessionClient } from '../../../support/guidance.ts'
import { matching } from '../../../support/matchers.ts'
import { newcomer, newScene as newComponent } from '../components/scene.ts'
import { decide, list, newScene, propose, proposeGood } from './scene.ts'

const guidance = guidanceService()

let stranger: SessionClient

beforeAll(async () => {
  stranger = await newcomer(guidance())
})

describe('POST /rules/{id}/relocations', () => {
  it('is visible only to the source and to people who may decide', async () => {
    const { author, receiver, source, target, targetProjectId } = await newScene(guidance())
    const [ruleId = 0] = source.rules
    const entries = await entriesOf(guidance(), async () => {
      const { status, body } = await propose(author, ruleId, ' ketl ')
      expect([status, body]).toMatchObject([
        200,
        { toast: { title: 'Relocation proposed.', message: 'Proposed for the KETL SRG.' } },
      ])
    })
    expect(entries).toMatchObject([
      {
        action: 'create',
        auditable_type: 'RequirementRelocation',
        audited_name: 'TEAP-00-000001',
        changes: [{ field: 'target_technology_token', new_value: 'KETL' }],
      },
    ])
    const mine = ({ source_rule_id }: Record<string, unknown>): boolean => source_rule_id === ruleId
    expect((await list(author)).filter(mine)).toMatchObject([
      {
        target_technology_token: 'KETL',
        source_displayed_name: 'TEAP-00-000001',
        component_id: source.id,
        declined_at: null,
        declined_by_name: null,
        adjudication_rationale: null,
        requested_by_name: matching(/^Comp/),
      },
    ])
    expect((await list(receiver, 'ketl')).filter(mine)).toHaveLength(1)
    const viewer = await newcomer(guidance())
    await guidance().member(targetProjectId, viewer, 'viewer')
    expect(await list(viewer)).toEqual([])
    expect((await list(author, 'NONE')).filter(mine)).toEqual([])
    await setRows(guidance(), 'components', { released: 1 }, { id: source.id })
    expect(await list(stranger)).toEqual([])
    expect((await receiver.call('GET', `/components/${target.id}`)).status).toBe(200)
  })

  it('returns every obstacle', async () => {
    const { author, source } = await newScene(guidance())
    const [first = 0, second = 0] = source.rules
    await proposeGood(author, first)
    await setRows(guidance(), 'rules', { locked: 1, locked_fields: '{"Title":true,"Fix":true}' }, { id: first })
    const refused = await propose(author, first, 'NONE')
    expect(refused.status).toBe(422)
    expect(messagesOf(refused)).toEqual([
      'TEAP-00-000001 is locked',
      'TEAP-00-000001 is locked in: Fix, Title',
      'You cannot see an SRG called NONE; there are KETL',
      'There is an open proposal for TEAP-00-000001 already, to KETL',
    ])
    expect(messagesOf(await propose(author, second, 'TEAP'))).toEqual(['The requirement is in TEAP already'])
    for (const odd of ['', '   ', 7, 'ABCDEFGHIJK', 'A\0'])
      expect((await propose(author, second, odd)).status).toBe(422)
    expect((await author.call('POST', `/rules/${second}/relocations`, { body: {} })).status).toBe(400)
  })

  it('accepts requirements of SRGs unless they are under review or released', async () => {
    const { owner: other, made } = await newComponent(guidance())
    expect(messagesOf(await propose(other, made.rules[0] ?? 0, 'KETL'))).toContain(
      'Only a requirement of an SRG can be relocated',
    )
    const { author, source, owner } = await newScene(guidance())
    const [first = 0, second = 0] = source.rules
    await setRows(guidance(), 'rules', { review_requestor_id: owner.id }, { id: first })
    expect(messagesOf(await propose(author, first, 'KETL'))).toEqual(['TEAP-00-000001 is under review'])
    await setRows(guidance(), 'components', { released: 1 }, { id: source.id })
    expect((await propose(author, second, 'KETL')).status).toBe(403)
  })

  it('succeeds for one of two callers at the same time', async () => {
    const { author, source } = await newScene(guidance())
    const proposals = [1, 2].map(() => propose(author, source.rules[0] ?? 0, 'KETL'))
    expect((await Promise.all(proposals)).map(({ status }) => status).sort()).toEqual([200, 422])
  })
})

describe('GET /requirement_relocations/destinations', () => {
  it('lists each token once and prefers an SRG in progress to a release', async () => {
    const { author, source, projectId, owner } = await newScene(guidance())
    const { made: hidden } = await newComponent(guidance(), { kind: 'srg', prefix: 'HIDE-00' })
    await makeComponent(guidance(), owner, { projectId, prefix: 'STIG-00' })
    await makeComponent(guidance(), owner, { projectId, kind: 'srg', prefix: '1234-00' })
    const released = await makeComponent(guidance(), owner, { projectId, kind: 'srg' })
    await setRows(guidance(), 'components', { released: 1 }, { id: released.id })
    const { body } = await author.call('GET', '/requirement_relocations/destinations')
    expect(body).toMatchObject([
      { token: 'KETL', released: true },
      { token: 'TEAP', released: false },
    ])
    const { body: summary } = await author.call('GET', `/api/components/${source.id}/summary`)
    const { name } = z.object({ name: z.string() }).parse(summary)
    expect(body).toHaveProperty([1, 'name'], name)
    await setRows(guidance(), 'components', { released: 1 }, { id: hidden.id })
    const { body: after } = await author.call('GET', '/requirement_relocations/destinations')
    expect(after).toContainEqual(expect.objectContaining({ token: 'HIDE', released: true }))
  })
})

describe('DELETE /requirement_relocations/{id}', () => {
  it('withdraws an open proposal once', async () => {
    const { author, receiver, source, target } = await newScene(guidance())
    const [ruleId = 0] = source.rules
    const id = await proposeGood(author, ruleId)
    expect((await receiver.call('DELETE', `/requirement_relocations/${id}`)).status).toBe(404)
    const { status, body } = await author.call('DELETE', `/requirement_relocations/${id}`)
    expect([status, body]).toMatchObject([200, { toast: { variant: 'success' } }])
    expect((await author.call('DELETE', `/requirement_relocations/${id}`)).status).toBe(404)
    expect((await decide(receiver, [id, 'accept'], target.id)).status).toBe(404)
    await proposeGood(author, ruleId)
  })

  it('refuses a proposal that has been decided', async () => {
    const { author, receiver, source, target } = await newScene(guidance())
    const [first = 0, second = 0] = source.rules
    const declined = await proposeGood(author, first)
    const accepted = await proposeGood(author, second)
    await decide(receiver, [declined, 'decline'], target.id)
    await decide(receiver, [accepted, 'accept'], target.id)
    for (const id of [declined, accepted])
      expect((await author.call('DELETE', `/requirement_relocations/${id}`)).status).toBe(404)
  })
})
