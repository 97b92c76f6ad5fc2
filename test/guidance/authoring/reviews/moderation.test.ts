import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { reviewSchema, type Review } from '../../../../src/guidance/authoring/reviews/records/schemas.ts'
import { makeComponent } from '../../../support/authoring.ts'
import { rowsOf, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, type Answer } from '../../../support/guidance.ts'
import { refusalOf, reviewOf, ReviewTeam, type Team } from '../../../support/review-team.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

const WHY = { audit_comment: 'In the wrong place' }
const FINAL = { comment_phase: 'closed', closed_reason: 'finalized' } as const

function patch(path: string, body?: Readonly<Record<string, unknown>>, who: keyof Team = 'admin'): Promise<Answer> {
  return team.people[who].client.call('PATCH', `/reviews/${path}`, body && { body })
}

interface Scene {
  readonly componentId: number
  readonly rules: readonly number[]
  readonly comment: Review
}

async function newScene(): Promise<Scene> {
  const { id: componentId, rules } = await team.component()
  const comment = await team.comment(team.people.viewer, rules[0] ?? 0)
  return { componentId, rules, comment }
}

interface Entry {
  readonly comment: string | null
  readonly changes: string
}

async function auditsOf(auditable_type: string, auditable_id: number): Promise<readonly Entry[]> {
  const entries = await rowsOf(guidance(), 'audits', { auditable_type, auditable_id })
  return entries.filter(({ action }) => action !== 'create')
}

describe('The section of a comment', () => {
  it('is changed once, with a reason', async () => {
    const { comment } = await newScene()
    const body = { section: 'status', ...WHY }
    const changed = await patch(`${comment.id}/section`, body, 'author')
    expect(changed.body).not.toHaveProperty('idempotent')
    expect(reviewOf(changed)).toMatchObject({ section: 'status', lock_version: 1 })
    const again = await patch(`${comment.id}/section`, body, 'author')
    expect(again.body).toMatchObject({ idempotent: true, review: { lock_version: 1 } })
    const none = await patch(`${comment.id}/section`, { section: null, ...WHY }, 'author')
    expect(reviewOf(none).section).toBeNull()
    expect((await auditsOf('Review', comment.id)).map((entry) => entry.comment)).toEqual([
      WHY.audit_comment,
      WHY.audit_comment,
    ])
  })

  it.each([{ section: 'nose', ...WHY }, { section: null, audit_comment: ' ' }, { ...WHY }])(
    'cannot be changed to %j',
    async (body) => {
      const { comment } = await newScene()
      expect((await patch(`${comment.id}/section`, body, 'author')).status).toBe(422)
    },
  )
})

describe('An administrator', () => {
  it('withdraws and restores a comment in any phase, with a reason', async () => {
    const { componentId, comment } = await newScene()
    const early = await patch(`${comment.id}/admin_restore`, WHY)
    expect(refusalOf(early)).toContain('This comment is not closed.')
    await team.setPhase(componentId, FINAL)
    expect(reviewOf(await patch(`${comment.id}/admin_withdraw`, WHY))).toMatchObject({
      triage_status: 'withdrawn',
      adjudicator_display_name: 'Ada',
    })
    expect(reviewOf(await patch(`${comment.id}/admin_restore`, WHY))).toMatchObject({
      triage_status: 'pending',
      triage_set_at: null,
      triage_set_by_id: null,
      adjudicated_at: null,
      adjudicator_display_name: null,
      triager_display_name: null,
    })
    const reasons = (await auditsOf('Review', comment.id)).map((entry) => entry.comment)
    expect(reasons).toEqual([WHY.audit_comment, WHY.audit_comment])
  })

  it.each(['admin_withdraw', 'admin_restore'])('must give a reason for %s', async (action) => {
    const { comment } = await newScene()
    for (const audit_comment of ['', 'x'.repeat(4097), 7])
      expect((await patch(`${comment.id}/${action}`, { audit_comment })).status).toBe(422)
    expect((await patch(`${comment.id}/${action}`, {})).status).toBe(400)
  })

  it('moves a comment with its replies in any phase', async () => {
    const { componentId, rules, comment } = await newScene()
    const [from = 0, to = 0, last = 0] = rules
    const reply = await team.comment(team.people.other, from, { responding_to_review_id: comment.id })
    await team.setPhase(componentId, FINAL)
    const move = (rule_id: unknown): Promise<Answer> => patch(`${comment.id}/move_to_rule`, { rule_id, ...WHY })
    expect((await move(from)).status).toBe(422)
    expect((await move((await team.component()).rules[0])).status).toBe(422)
    expect((await move(2_147_483_647)).status).toBe(404)
    const moved = reviewOf(await move(to))
    expect(moved).toMatchObject({ rule_id: to, comment: '[Moved from TEAP-00-000001]\nWhy?' })
    await move(last)
    const rows = await guidance()
      .service.guidance.database.read.selectFrom('reviews')
      .select(['id', 'rule_id', 'original_rule_id', 'lock_version'])
      .where('id', 'in', [comment.id, reply.id])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { id: comment.id, rule_id: last, original_rule_id: from, lock_version: 2 },
      { id: reply.id, rule_id: last, original_rule_id: null, lock_version: 2 },
    ])
  })

  it('gets no information on rules that they cannot read', async () => {
    const { comment } = await newScene()
    const foreign = await guidance().project(team.people.stranger.client)
    const hidden = await makeComponent(guidance(), team.people.stranger.person, { projectId: foreign })
    expect((await patch(`${comment.id}/move_to_rule`, { rule_id: hidden.rules[0], ...WHY })).status).toBe(404)
  })

  it('removes a comment with its replies, which the component records', async () => {
    const { componentId, comment } = await newScene()
    const reply = await team.comment(team.people.other, comment.rule_id ?? 0, { responding_to_review_id: comment.id })
    const { client } = team.people.admin
    const path = `/reviews/${comment.id}/admin_destroy`
    const unexplained = await client.call('DELETE', path, { body: { audit_comment: '' } })
    expect(unexplained.status).toBe(422)
    const { body } = await client.call('DELETE', path, { body: WHY })
    expect(body).toMatchObject({ review: null, destroyed_id: comment.id })
    for (const { id } of [comment, reply]) expect((await patch(`${id}/admin_withdraw`, WHY)).status).toBe(404)
    const [entry] = await auditsOf('Component', componentId)
    expect(entry?.comment).toBe(WHY.audit_comment)
    expect(entry?.changes).toContain('"field":"comment","prev_value":"Why?","new_value":null')
    expect(entry?.changes).toContain('"field":"replies","prev_value":1')
  })

  it('cannot remove actions on a rule', async () => {
    const { rules } = await newScene()
    const { admin } = team.people
    const lock = await team.comment(admin, rules[0] ?? 0, { action: 'lock_control' })
    const path = `/reviews/${lock.id}/admin_destroy`
    expect((await admin.client.call('DELETE', path, { body: WHY })).status).toBe(422)
  })
})

describe('Merging comments', () => {
  const merged = z.object({ survivor: reviewSchema, duplicates: z.array(reviewSchema) })

  it('makes the others duplicates of the remaining one', async () => {
    const { rules, comment } = await newScene()
    const second = await team.comment(team.people.viewer, rules[1] ?? 0)
    const { body } = await patch('merge', { review_ids: [comment.id, second.id], survivor_id: comment.id })
    const { survivor, duplicates } = merged.parse(body)
    expect(survivor).toMatchObject({
      id: comment.id,
      triage_status: 'pending',
      comment: '[Merged: originally posted on TEAP-00-000002]\nWhy?',
    })
    expect(duplicates).toMatchObject([
      {
        id: second.id,
        triage_status: 'duplicate',
        duplicate_of_review_id: comment.id,
        adjudicator_display_name: 'Ada',
      },
    ])
    const third = await team.comment(team.people.viewer, rules[2] ?? 0)
    const onto = await patch('merge', { review_ids: [third.id], survivor_id: second.id })
    expect(refusalOf(onto)).toContain('must not be a duplicate itself')
  })

  it('requires comments by one author in one component', async () => {
    const { rules, comment } = await newScene()
    const foreign = await team.comment(team.people.other, rules[1] ?? 0)
    const { comment: elsewhere } = await newScene()
    const survivor_id = comment.id
    const merge = (id: number): Promise<Answer> => patch('merge', { review_ids: [id], survivor_id })
    expect(refusalOf(await merge(foreign.id))).toContain('must all be by the same person')
    expect(refusalOf(await merge(elsewhere.id))).toContain('must all belong to the same component')
    expect(refusalOf(await merge(survivor_id))).toContain('Select at least two comments')
    expect((await merge(2_147_483_647)).status).toBe(404)
    const imported = { user_id: null, author_name: 'Ann' }
    await setRows(guidance(), 'reviews', { ...imported, author_email: 'ann@example.org' }, { id: comment.id })
    await setRows(guidance(), 'reviews', { ...imported, author_email: 'ann@example.com' }, { id: foreign.id })
    expect(refusalOf(await merge(foreign.id))).toContain('must all be by the same person')
    const asReviewer = await patch('merge', { review_ids: [foreign.id], survivor_id }, 'reviewer')
    expect(asReviewer.status).toBe(403)
  })
})
