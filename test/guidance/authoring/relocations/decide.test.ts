// @module-tag database

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { entriesOf, messagesOf, rowsOf, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, type Answer } from '../../../support/guidance.ts'
import { matching } from '../../../support/matchers.ts'
import { makeSrgs } from '../../../support/relocations.ts'
import { comment, eventsOf, newcomer, setRules, view } from '../components/scene.ts'
import { decide, list, newScene, proposeGood } from './scene.ts'

const guidance = guidanceService()

const accepted = z.object({ landed_rule_id: z.int() })

function errorsOf({ body }: Answer): readonly string[] {
  return z.object({ errors: z.array(z.string()) }).parse(body).errors
}

describe('POST /requirement_relocations/{id}/dry_run', () => {
  it('previews the move without executing it', async () => {
    const { author, receiver, source, target } = await newScene(guidance())
    const [ruleId = 0] = source.rules
    const id = await proposeGood(author, ruleId)
    const entries = await entriesOf(guidance(), async () => {
      const { status, body } = await decide(receiver, [id, 'dry_run'], target.id)
      expect([status, body]).toMatchObject([
        200,
        {
          valid: true,
          errors: [],
          source_displayed_name: 'TEAP-00-000001',
          target_component_id: target.id,
          would_tombstone_source: true,
          would_create: { status: 'Not Yet Determined', rule_id: '000004' },
        },
      ])
      expect(body).toHaveProperty('would_create.derived_from_srg_rule_id', expect.any(Number))
    })
    expect(entries).toEqual([])
    expect((await view(author, source.id)).rules).toHaveLength(3)
  })
})

describe('POST /requirement_relocations/{id}/accept', () => {
  it('moves the requirement to the target when its author accepts', async () => {
    const { author, receiver, source, target } = await newScene(guidance())
    const [, ruleId = 0] = source.rules
    await setRows(
      guidance(),
      'rules',
      {
        title: 'The spout must not drip.',
        status: 'Applicable',
        minted_id: 'OLD-000001',
      },
      { id: ruleId },
    )
    const [before] = (await view(author, source.id)).rules.filter(({ id }) => id === ruleId)
    const id = await proposeGood(author, ruleId)
    const { status, body } = await decide(receiver, [id, 'accept'], target.id)
    expect([status, body]).toMatchObject([200, { toast: { title: 'Concurred.' } }])
    const stored = await rowsOf(guidance(), 'requirement_relocations', { id })
    expect(stored).toMatchObject([{ accepted_by_id: receiver.id }])
    const { landed_rule_id } = accepted.parse(body)
    const after = await view(receiver, target.id)
    expect(after.rules).toMatchObject([
      {
        id: landed_rule_id,
        rule_id: '000004',
        title: 'The spout must not drip.',
        version: before?.version,
        status: 'Applicable',
        locked: false,
        checks_attributes: [{ content: before?.checks_attributes[0]?.content }],
      },
    ])
    expect(before?.checks_attributes[0]?.content).toMatch(/lid/)
    expect(await view(author, source.id)).toMatchObject({
      moved_out_count: 1,
      rules_count: 2,
      status_counts: { applicable: 0 },
      rules: [{ rule_id: '000001' }, { rule_id: '000003' }],
    })
    expect(after).toMatchObject({ moved_out_count: 0, rules_count: 1 })
    expect((await author.call('GET', `/rules/${ruleId}`)).status).toBe(404)
    expect(await list(author)).toEqual([])
    expect((await decide(receiver, [id, 'accept'], target.id)).status).toBe(404)
  })

  it('excludes the requirement from figures and files', async () => {
    const { author, receiver, source, target } = await newScene(guidance())
    const id = await proposeGood(author, source.rules[0] ?? 0)
    await setRules(guidance(), source.id, { status: 'Applicable' })
    await decide(receiver, [id, 'accept'], target.id)
    const { body: stats } = await author.call('GET', `/api/components/${source.id}/stats`)
    expect(stats).toMatchObject({ rule_count: 2 })
    const { bytes } = await author.call('GET', `/components/${source.id}/export/xccdf`, { headers: { Accept: '*/*' } })
    const { body: readiness } = await author.call('GET', `/api/components/${source.id}/readiness.json`)
    for (const text of [String(bytes), JSON.stringify(readiness)]) {
      expect(text).toContain('TEAP-00-000002')
      expect(text).not.toContain('TEAP-00-000001')
    }
  })

  it('moves the comments with their threads', async () => {
    const { author, receiver, source, target } = await newScene(guidance())
    const [ruleId = 0, other = 0] = source.rules
    const on = { component_id: source.id, rule_id: ruleId }
    const first = await comment(guidance(), on)
    await comment(guidance(), { ...on, responding_to_review_id: first, comment: 'No.' })
    const staying = await comment(guidance(), { ...on, rule_id: other })
    await setRows(guidance(), 'reviews', { original_rule_id: other }, { id: first })
    const id = await proposeGood(author, ruleId)
    let landed = 0
    const entries = await entriesOf(guidance(), async () => {
      landed = accepted.parse((await decide(receiver, [id, 'accept'], target.id)).body).landed_rule_id
    })
    expect((await view(receiver, target.id)).reviews).toMatchObject([
      { comment: 'No.', rule_id: landed, responding_to_review_id: first },
      { id: first, comment: 'Too hot.', rule_id: landed, rule_displayed_name: 'KETL-00-000004' },
    ])
    const moved = await rowsOf(guidance(), 'reviews', { rule_id: landed })
    expect(moved.map(({ original_rule_id }) => original_rule_id)).toEqual([other, ruleId])
    expect((await view(author, source.id)).reviews).toMatchObject([{ id: staying }])
    expect(await view(author, source.id)).toMatchObject({ pending_comment_count: 1 })
    expect(entries.map(({ action, auditable_type }) => [action, auditable_type])).toEqual([
      ['custom', 'Rule'],
      ['destroy', 'Rule'],
      ['create', 'Rule'],
      ['update', 'RequirementRelocation'],
    ])
    expect(entries[0]).toMatchObject({
      audited_name: 'TEAP-00-000001',
      comment: 'review_moved_out',
      changes: [
        { field: 'source_rule_id', new_value: ruleId },
        { field: 'destination_rule_id', new_value: landed },
        { field: 'review_ids', new_value: [String(first), String(first + 1)] },
      ],
    })
    expect((await eventsOf(guidance(), source.id)).slice(-3)).toEqual([
      'comment.deleted',
      'comment.deleted',
      'rule.deleted',
    ])
    expect((await eventsOf(guidance(), target.id)).slice(-3)).toEqual([
      'comment.created',
      'comment.created',
      'rule.created',
    ])
  })

  it('moves the attachments', async () => {
    const { author, receiver, source, target } = await newScene(guidance())
    const [ruleId = 0] = source.rules
    const form = { file: 'a log', fileName: 'a.log' }
    expect((await author.call('POST', `/rules/${ruleId}/attachments`, { form })).status).toBe(201)
    const id = await proposeGood(author, ruleId)
    const { landed_rule_id } = accepted.parse((await decide(receiver, [id, 'accept'], target.id)).body)
    const { body } = await receiver.call('GET', `/rules/${landed_rule_id}/attachments`)
    expect(body).toMatchObject({ attachments: [{ name: 'a.log' }] })
  })

  it('succeeds for one of two callers at the same time and is refused to the other', async () => {
    const { author, receiver, source, target } = await newScene(guidance())
    const id = await proposeGood(author, source.rules[0] ?? 0)
    const decisions = [1, 2].map(() => decide(receiver, [id, 'accept'], target.id))
    expect((await Promise.all(decisions)).map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await view(receiver, target.id)).rules).toHaveLength(1)
  })

  it('does not deadlock when moves in both directions are accepted at once', async () => {
    const owner = await newcomer(guidance())
    const projectId = await guidance().project(owner)
    const { source, target } = await makeSrgs(guidance(), owner, { projectId })
    const [forwards, backwards = 0] = source.rules
    const moved = await proposeGood(owner, forwards ?? 0)
    const { landed_rule_id } = accepted.parse((await decide(owner, [moved, 'accept'], target.id)).body)
    const first = await proposeGood(owner, landed_rule_id, 'TEAP')
    const second = await proposeGood(owner, backwards)
    const answers = await Promise.all([
      decide(owner, [first, 'accept'], source.id),
      decide(owner, [second, 'accept'], target.id),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })

  it.each([
    ['a STIG', { document_type: 'stig' }, ['The target is not an SRG']],
    ['released', { released: 1 }, ['The target is released']],
    ['another SRG', { prefix: 'POTS-00' }, ['The proposal is for KETL, the target is POTS']],
    ['without a token', { prefix: '1234-00' }, ['The proposal is for KETL, the target is 1234-00']],
  ] as const)('is refused, as previewed, if the target is %s', async (_what, values, errors) => {
    const { author, receiver, source, target } = await newScene(guidance())
    const id = await proposeGood(author, source.rules[0] ?? 0)
    await setRows(guidance(), 'components', values, { id: target.id })
    expect(errorsOf(await decide(receiver, [id, 'dry_run'], target.id))).toEqual(errors)
    const refused = await decide(receiver, [id, 'accept'], target.id)
    expect([refused.status, messagesOf(refused)]).toEqual([422, errors])
    expect(refused.body).toMatchObject({ toast: { title: 'Could not accept the proposal.' } })
    const declined = await decide(receiver, [id, 'decline'], target.id)
    expect([declined.status, messagesOf(declined)]).toEqual([422, errors])
    expect((await view(author, source.id)).rules).toHaveLength(3)
  })

  it('is refused, as previewed, for a requirement that must stay', async () => {
    const { author, receiver, source, target, owner } = await newScene(guidance())
    const [ruleId = 0] = source.rules
    const id = await proposeGood(author, ruleId)
    await setRows(
      guidance(),
      'rules',
      {
        locked: 1,
        locked_fields: '{"Check":true}',
        review_requestor_id: owner.id,
      },
      { id: ruleId },
    )
    await setRows(guidance(), 'components', { released: 1 }, { id: source.id })
    const errors = [
      'The SRG of TEAP-00-000001 is released',
      'TEAP-00-000001 is locked',
      'TEAP-00-000001 is locked in: Check',
      'TEAP-00-000001 is under review',
    ]
    const { body } = await decide(receiver, [id, 'dry_run'], target.id)
    expect(body).toMatchObject({ valid: false, errors, would_tombstone_source: false })
    expect(messagesOf(await decide(receiver, [id, 'accept'], target.id))).toEqual(errors)
    expect((await decide(receiver, [id, 'decline'], target.id)).status).toBe(200)
  })

  it('is refused if the target already has the requirement or is its origin', async () => {
    const { author, receiver, source, target, ...scene } = await newScene(guidance())
    const [firstRule = 0, secondRule = 0] = source.rules
    const first = await proposeGood(author, firstRule)
    await decide(receiver, [first, 'accept'], target.id)
    const [landed] = (await view(receiver, target.id)).rules
    const second = await proposeGood(author, secondRule)
    await setRows(guidance(), 'rules', { version: landed?.version ?? null }, { id: secondRule })
    const { projectId, targetProjectId } = scene
    const places = { projectId, targetProjectId }
    const other = await makeSrgs(guidance(), scene.owner, places)
    expect(messagesOf(await decide(receiver, [second, 'accept'], target.id))).toEqual([
      `The target has ${landed?.version} already, as KETL-00-000004`,
    ])
    expect(messagesOf(await decide(receiver, [second, 'accept'], other.target.id))).toEqual([
      matching(/^The target is not made from Teapot_\w+_SRG$/),
    ])
  })

  it('is refused to the source and to a component that is not the target', async () => {
    const { author, source } = await newScene(guidance())
    const id = await proposeGood(author, source.rules[0] ?? 0)
    expect(messagesOf(await decide(author, [id, 'accept'], source.id))).toEqual([
      'The requirement is in the target already',
      'The proposal is for KETL, the target is TEAP',
      'The proposal was not made to the project of the target',
      matching(/^The target has SRG-TEA-000001 already/),
    ])
  })

  it('returns 404 to the owner of another SRG with the same token', async () => {
    const { author, source } = await newScene(guidance())
    const id = await proposeGood(author, source.rules[0] ?? 0)
    const thief = await newcomer(guidance())
    const { target } = await makeSrgs(guidance(), thief, { projectId: await guidance().project(thief) })
    for (const how of ['dry_run', 'accept', 'decline'] as const)
      expect((await decide(thief, [id, how], target.id)).status).toBe(404)
    expect((await decide(author, [id, 'accept'], target.id)).status).toBe(404)
    for (const odd of [undefined, null, 'x', 0, 1.5])
      expect([400, 422]).toContain((await decide(author, [id, 'accept'], odd)).status)
    expect((await view(author, source.id)).rules).toHaveLength(3)
  })
})

describe('POST /requirement_relocations/{id}/decline', () => {
  it('keeps the proposal with the reason and permits another one', async () => {
    const { author, receiver, source, target } = await newScene(guidance())
    const [ruleId = 0] = source.rules
    const id = await proposeGood(author, ruleId)
    const path = `/requirement_relocations/${id}/decline`
    for (const adjudication_rationale of ['', '  ', 'x'.repeat(10_001)]) {
      const body = { target_component_id: target.id, requirement_relocation: { adjudication_rationale } }
      expect((await receiver.call('POST', path, { body })).status).toBe(422)
    }
    const { status, body } = await decide(receiver, [id, 'decline'], target.id)
    expect([status, body]).toMatchObject([200, { toast: { title: 'Proposal declined.' } }])
    const [declined] = await list(author)
    expect(declined).toMatchObject({ id, adjudication_rationale: 'We have it.' })
    expect(declined).toMatchObject({ declined_by_name: matching(/^Comp/) })
    expect(declined?.['declined_at']).not.toBeNull()
    for (const how of ['dry_run', 'accept', 'decline'] as const)
      expect((await decide(receiver, [id, how], target.id)).status).toBe(404)
    const again = await proposeGood(author, ruleId)
    expect((await list(author)).map((proposal) => proposal.id)).toEqual([id, again])
  })
})

describe('Removing', () => {
  it('a component removes its relocations and corrects the count of the source', async () => {
    const { author, receiver, source, target, owner } = await newScene(guidance())
    const [firstRule = 0, secondRule = 0] = source.rules
    await decide(receiver, [await proposeGood(author, firstRule), 'accept'], target.id)
    const open = await proposeGood(author, secondRule)
    expect((await owner.call('DELETE', `/components/${target.id}`)).status).toBe(200)
    expect(await view(author, source.id)).toMatchObject({ moved_out_count: 1 })
    expect((await owner.call('DELETE', `/components/${source.id}`)).status).toBe(200)
    const { read } = guidance().service.guidance.database
    for (const [table, column] of [
      ['requirement_relocations', 'source_rule_id'],
      ['relocation_destinations', 'relocation_id'],
    ] as const) {
      const left = read.selectFrom(table).selectAll().where(column, 'in', [firstRule, secondRule, open])
      expect(await left.execute()).toEqual([])
    }
  })

  it('a requirement closes its proposal', async () => {
    const { author, receiver, source, target, owner } = await newScene(guidance())
    const [ruleId = 0] = source.rules
    const id = await proposeGood(author, ruleId)
    expect((await owner.call('DELETE', `/rules/${ruleId}`)).status).toBe(200)
    expect((await decide(receiver, [id, 'accept'], target.id)).status).toBe(404)
    expect(await list(author)).toEqual([])
    expect(await view(author, source.id)).toMatchObject({ moved_out_count: 0 })
  })
})
