import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { reviewSchema, type Review } from '../../../../../src/guidance/authoring/reviews/records/schemas.ts'
import { componentMember } from '../../../../support/authoring.ts'
import { rowOf, rowsOf, setRows } from '../../../../support/guidance-records.ts'
import { guidanceService, type Answer } from '../../../../support/guidance.ts'
import { refusalOf, reviewOf, ReviewTeam, type Team } from '../../../../support/review-team.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

type Who = keyof Team
type Body = Readonly<Record<string, unknown>>

const answered = z.object({ review: reviewSchema, response_review: reviewSchema.nullable() })

function triage(id: number, body: Body, who: Who = 'author'): Promise<Answer> {
  return team.patch(who, `${id}/triage`, body)
}

/** Marks a rule as deleted, with its comments. */
async function remove(rule: number | null | undefined): Promise<void> {
  await setRows(guidance(), 'rules', { deleted_at: new Date().toISOString() }, { id: rule ?? 0 })
}

describe('A triage', () => {
  it.each([
    ['concur', false],
    ['concur_with_comment', false],
    ['needs_clarification', false],
    ['informational', true],
    ['withdrawn', true],
  ] as const)('to %s is done; closed with it: %s', async (triage_status, closed) => {
    const { id } = await team.newComment()
    const { body } = await triage(id, { triage_status })
    const { review, response_review } = answered.parse(body)
    expect(review).toMatchObject({
      triage_status,
      triager_display_name: 'Arthur',
      triager_imported: false,
      triage_set_by_id: team.people.author.person.id,
      lock_version: 1,
    })
    expect(review.adjudicated_at !== null).toBe(closed)
    const closer = triage_status === 'withdrawn' ? 'Vera' : 'Arthur'
    expect(review.adjudicator_display_name).toBe(closed ? closer : null)
    expect(response_review).toBeNull()
  })

  it('to non_concur requires a reply', async () => {
    const { id } = await team.newComment()
    for (const response_comment of [undefined, null, ' '])
      expect(await triage(id, { triage_status: 'non_concur', response_comment })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'response_comment', message: "Response can't be blank" }] },
      })
    const { body } = await triage(id, { triage_status: 'non_concur', response_comment: 'No.' })
    expect(answered.parse(body)).toMatchObject({
      review: { triage_status: 'non_concur', responses_count: 1 },
      response_review: {
        comment: 'No.',
        author_name: 'Arthur',
        responding_to_review_id: id,
        triage_status: null,
        action: 'comment',
      },
    })
  })

  it('to duplicate requires an original comment of the component', async () => {
    const { first, second } = await team.newPair()
    const elsewhere = await team.newComment()
    const reply = await team.comment(team.people.viewer, first.rule_id ?? 0, { responding_to_review_id: first.id })
    const bad = [undefined, null, second.id, elsewhere.id, reply.id, 2_147_483_647]
    for (const duplicate_of_review_id of bad) {
      const answer = await triage(second.id, { triage_status: 'duplicate', duplicate_of_review_id })
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'duplicate_of_review_id' }] } })
    }
    const duplicateOf = (review: Review): Body => ({ triage_status: 'duplicate', duplicate_of_review_id: review.id })
    expect(reviewOf(await triage(second.id, duplicateOf(first)))).toMatchObject({
      triage_status: 'duplicate',
      duplicate_of_review_id: first.id,
    })
    expect(refusalOf(await triage(first.id, duplicateOf(second)))).toContain('must not be a duplicate itself')
    const pair = await team.newPair()
    await remove(pair.first.rule_id)
    expect((await triage(pair.second.id, duplicateOf(pair.first))).status).toBe(422)
  })

  it('to addressed_by requires a rule of the component', async () => {
    const { first, rules } = await team.newPair()
    const { rules: others } = await team.component()
    await remove(rules[1])
    for (const addressed_by_rule_id of [undefined, null, others[0], rules[1], 2_147_483_647])
      expect(await triage(first.id, { triage_status: 'addressed_by', addressed_by_rule_id })).toMatchObject({
        status: 422,
        body: { errors: [{ field: 'addressed_by_rule_id' }] },
      })
    const wanted = { triage_status: 'addressed_by', addressed_by_rule_id: rules[2] }
    expect(reviewOf(await triage(first.id, wanted))).toMatchObject(wanted)
  })

  it('clears the reference of an earlier one', async () => {
    const { first, second, rules } = await team.newPair()
    await triage(first.id, { triage_status: 'duplicate', duplicate_of_review_id: second.id })
    const wanted = { triage_status: 'addressed_by', addressed_by_rule_id: rules[0] }
    expect(reviewOf(await triage(first.id, wanted)).duplicate_of_review_id).toBeNull()
    const last = reviewOf(await triage(first.id, { triage_status: 'informational' }))
    expect(last.addressed_by_rule_id).toBeNull()
  })

  it.each([
    ['concur', 422],
    ['concur_with_comment', 422],
    ['non_concur', 422],
    ['needs_clarification', 422],
    ['informational', 200],
    ['withdrawn', 200],
  ])('of a closed comment to %s returns %i', async (triage_status, status) => {
    const { id } = await team.newComment()
    await triage(id, { triage_status: 'informational' })
    const answer = await triage(id, { triage_status, response_comment: 'Well.' })
    expect(answer.status).toBe(status)
    if (status === 422) expect(refusalOf(answer)).toContain('This comment is already closed.')
  })

  it.each(['pending', 'odd', 7, null, undefined])('to %s is refused', async (triage_status) => {
    const { id } = await team.newComment()
    expect((await triage(id, { triage_status })).status).toBe(422)
  })

  it('is refused for replies', async () => {
    const first = await team.newComment()
    const rule = first.rule_id ?? 0
    const reply = await team.comment(team.people.viewer, rule, { responding_to_review_id: first.id })
    const lock = await team.comment(team.people.admin, rule, { action: 'lock_control' })
    for (const { id } of [reply, lock]) expect((await triage(id, { triage_status: 'concur' })).status).toBe(422)
  })

  it('is recorded in the audit trail and in events', async () => {
    const { id } = await team.newComment()
    await triage(id, { triage_status: 'informational' })
    const events = await rowsOf(guidance(), 'events')
    const ownEvents = events.filter(({ data }) => data.includes(`"review_id":${id},`))
    expect(ownEvents.map(({ kind }) => kind)).toEqual(['comment.created', 'comment.triaged', 'comment.adjudicated'])
    expect(JSON.stringify(ownEvents)).not.toContain('Why?')
    const { changes } = await rowOf(guidance(), 'audits', {
      auditable_type: 'Review',
      auditable_id: id,
      action: 'update',
    })
    expect(changes).toContain('"prev_value":"pending","new_value":"informational"')
  })

  it('names the person who decided as the account is called now', async () => {
    const { id } = await team.newComment()
    const { person } = team.people.site
    await triage(id, { triage_status: 'informational' }, 'site')
    await setRows(guidance(), 'users', { name: 'Ruth' }, { id: person.id })
    const moved = await team.patch('author', `${id}/section`, { section: 'title', audit_comment: 'Misfiled' })
    expect(reviewOf(moved)).toMatchObject({ triager_display_name: 'Ruth', adjudicator_display_name: 'Ruth' })
  })

  it('is permitted to an author of the component only', async () => {
    const { id: componentId, rules } = await team.component()
    const { id } = await team.comment(team.people.viewer, rules[0] ?? 0)
    const { person } = team.people.stranger
    expect((await triage(id, { triage_status: 'concur' }, 'stranger')).status).toBe(404)
    await componentMember(guidance(), componentId, { person, role: 'author' })
    expect((await triage(id, { triage_status: 'concur' }, 'stranger')).status).toBe(200)
  })

  it('based on an old version is refused with the current state', async () => {
    const { id } = await team.newComment()
    const decision = { triage_status: 'concur', lock_version: 0 }
    const answers = await Promise.all([triage(id, decision), triage(id, decision, 'admin')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      code: 'edit_conflict',
      current: { id, triage_status: 'concur', lock_version: 1 },
    })
  })

  it('at the same time as another without a version follows the table of transitions', async () => {
    const { id } = await team.newComment()
    const [closing, deciding] = await Promise.all([
      triage(id, { triage_status: 'informational' }),
      triage(id, { triage_status: 'concur' }, 'admin'),
    ])
    expect(closing.status).toBe(200)
    const { lock_version } = reviewOf(closing)
    expect([deciding.status, lock_version]).toEqual(lock_version === 2 ? [200, 2] : [422, 1])
  })
})

describe('An adjudication', () => {
  it('closes a triaged comment with a reply, only once', async () => {
    const { id } = await team.newComment()
    const pending = await team.patch('author', `${id}/adjudicate`)
    expect(refusalOf(pending)).toContain('has not been triaged yet')
    await triage(id, { triage_status: 'concur' })
    const { body } = await team.patch('reviewer', `${id}/adjudicate`, { resolution_comment: 'Done.' })
    const { review, response_review } = answered.parse(body)
    expect(review).toMatchObject({ triage_status: 'concur', adjudicator_display_name: 'Rita' })
    expect(response_review).toMatchObject({ comment: 'Done.', responding_to_review_id: id })
    const again = await team.patch('author', `${id}/adjudicate`, { resolution_comment: 'Again.' })
    expect(answered.parse(again.body)).toMatchObject({
      response_review: null,
      review: { adjudicated_at: review.adjudicated_at, responses_count: 1, lock_version: 2 },
    })
    const stale = await team.patch('author', `${id}/adjudicate`, { lock_version: 1 })
    expect(stale.status).toBe(409)
  })

  it('is undone by reopening the comment unless the comment was withdrawn', async () => {
    const { first, second } = await team.newPair()
    expect(refusalOf(await team.patch('author', `${first.id}/reopen`))).toContain('is not closed')
    await triage(first.id, { triage_status: 'informational' })
    expect(reviewOf(await team.patch('author', `${first.id}/reopen`))).toMatchObject({
      triage_status: 'informational',
      adjudicated_at: null,
      adjudicator_display_name: null,
    })
    await team.patch('viewer', `${second.id}/withdraw`)
    expect(refusalOf(await team.patch('author', `${second.id}/reopen`))).toContain('was withdrawn')
  })
})

describe('The author of a comment', () => {
  function edit(who: Who, id: number, review: Body): Promise<Answer> {
    return team.people[who].client.call('PUT', `/reviews/${id}`, { body: { review } })
  }

  it('can edit a pending comment', async () => {
    const { id } = await team.newComment()
    expect((await edit('other', id, { comment: 'Mine' })).status).toBe(403)
    expect((await edit('admin', id, { comment: 'Mine' })).status).toBe(403)
    const edited = await edit('viewer', id, { comment: 'Why not?', lock_version: 0 })
    expect(reviewOf(edited)).toMatchObject({ comment: 'Why not?', lock_version: 1 })
    expect((await edit('viewer', id, { comment: 'Old', lock_version: 0 })).status).toBe(409)
    await triage(id, { triage_status: 'concur' })
    expect(refusalOf(await edit('viewer', id, { comment: 'Late' }))).toContain('already been triaged')
  })

  it.each([
    ['pending', 200],
    ['needs_clarification', 200],
    ['concur', 422],
    ['informational', 422],
  ])('withdraws a comment from %s: %i', async (triage_status, status) => {
    const { id } = await team.newComment()
    if (triage_status !== 'pending') await triage(id, { triage_status })
    expect((await team.patch('other', `${id}/withdraw`)).status).toBe(403)
    const answer = await team.patch('viewer', `${id}/withdraw`)
    expect(answer.status).toBe(status)
    if (status === 200)
      expect(reviewOf(answer)).toMatchObject({ triage_status: 'withdrawn', adjudicator_display_name: 'Vera' })
  })
})
