import { describe, expect, it } from 'vitest'
import { componentMember } from '../../../../support/authoring.ts'
import { rowOf } from '../../../../support/guidance-records.ts'
import { guidanceService, type Answer } from '../../../../support/guidance.ts'
import { refusalOf, reviewOf, ReviewTeam } from '../../../../support/review-team.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

const PHASES = {
  open: { comment_phase: 'open', closed_reason: null },
  closed: { comment_phase: 'closed', closed_reason: null },
  adjudicating: { comment_phase: 'closed', closed_reason: 'adjudicating' },
  finalized: { comment_phase: 'closed', closed_reason: 'finalized' },
} as const

function post(ruleId: number, review: Readonly<Record<string, unknown>>): Promise<Answer> {
  const body = { review: { action: 'comment', comment: 'Why?', ...review } }
  return team.people.viewer.client.call('POST', `/rules/${ruleId}/reviews`, { body })
}

describe('A comment', () => {
  it('on a rule is pending until its triage', async () => {
    const { rules } = await team.component()
    const answer = await post(rules[0] ?? 0, { comment: '  Why so?\n', section: 'fixtext' })
    expect(answer.body).toMatchObject({
      toast: { title: 'Comment posted.', message: 'Everybody who may read this can see it.' },
    })
    expect(reviewOf(answer)).toMatchObject({
      action: 'comment',
      comment: 'Why so?',
      section: 'fixtext',
      triage_status: 'pending',
      rule_id: rules[0],
      commentable_type: 'BaseRule',
      rule_displayed_name: 'TEAP-00-000001',
      author_name: 'Vera',
      commenter_imported: false,
      triager_display_name: null,
      responding_to_review_id: null,
      adjudicated_at: null,
      lock_version: 0,
      responses_count: 0,
      reactions: { up: 0, down: 0, mine: null },
    })
    expect(JSON.stringify(answer.body)).not.toContain('user_id')
    expect(JSON.stringify(answer.body)).not.toContain('@example.org')
  })

  it('on a component is stored without a rule', async () => {
    const { id } = await team.component()
    const answer = await team.people.viewer.client.call('POST', `/components/${id}/reviews`, {
      body: { review: { action: 'lock_control', comment: 'All in all', section: 'title' } },
    })
    expect(reviewOf(answer)).toMatchObject({
      action: 'comment',
      section: null,
      triage_status: 'pending',
      rule_id: null,
      commentable_type: 'Component',
      rule_displayed_name: '(component)',
    })
  })

  it('on a satisfied rule is moved to the rule that satisfies it', async () => {
    const { rules } = await team.component()
    const [child = 0, parent = 0] = rules
    await team.satisfy(child, parent)
    const answer = await post(child, { comment: 'Hm' })
    expect(answer.body).toMatchObject({
      toast: { message: 'It was posted on TEAP-00-000002, which satisfies this rule.' },
      review: { rule_id: parent, comment: '[Re: TEAP-00-000001] Hm' },
    })
    const { id } = reviewOf(answer)
    const { original_rule_id } = await rowOf(guidance(), 'reviews', { id })
    expect(original_rule_id).toBe(child)
  })

  it('stays on its rule if the satisfying rule is in another component', async () => {
    const [component, otherComponent] = [await team.component(), await team.component()]
    const child = component.rules[0] ?? 0
    await team.satisfy(child, otherComponent.rules[0] ?? 0)
    expect(reviewOf(await post(child, {}))).toMatchObject({ rule_id: child, comment: 'Why?' })
  })

  it('is accepted from a person who is only a member of the component', async () => {
    const { id, rules } = await team.component()
    const { person, client } = team.people.stranger
    const path = `/rules/${rules[0] ?? 0}/reviews`
    const body = { review: { action: 'comment', comment: 'Why?' } }
    expect((await client.call('POST', path, { body })).status).toBe(404)
    await componentMember(guidance(), id, { person, role: 'viewer' })
    expect((await client.call('POST', path, { body })).status).toBe(200)
  })

  it('on a released component is reserved for members', async () => {
    const { id, rules } = await team.component()
    await team.release(id)
    const body = { review: { action: 'comment', comment: 'Why?' } }
    const path = `/rules/${rules[0] ?? 0}/reviews`
    expect((await team.people.stranger.client.call('POST', path, { body })).status).toBe(403)
    expect((await team.people.viewer.client.call('POST', path, { body })).status).toBe(200)
  })

  it.each([
    [{ comment: '' }, 'comment', "Comment can't be blank"],
    [{ comment: 'a\0' }, 'comment', 'Comment has characters that cannot be stored (U+0000 at position 2)'],
    [{ comment: 'a\ufffe' }, 'comment', 'Comment has characters that cannot be stored (U+FFFE at position 2)'],
    [{ comment: 'x'.repeat(10_001) }, 'comment', 'Comment is too long (maximum is 10000 characters)'],
    [{ section: 'nose' }, 'section', 'Section is not a section of comments'],
    [
      { responding_to_review_id: 2_147_483_647 },
      'responding_to_review_id',
      'Responding to must be a comment of this component',
    ],
  ])('is refused: %j', async (review, field, message) => {
    const { rules } = await team.component()
    const answer = await post(rules[0] ?? 0, review)
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field, message }] } })
  })

  it('may be 10000 characters long', async () => {
    const { rules } = await team.component()
    expect((await post(rules[0] ?? 0, { comment: 'x'.repeat(10_000) })).status).toBe(200)
  })
})

describe('A reply', () => {
  it('is stored in the thread of its first comment, without a status', async () => {
    const { id, rules } = await team.component()
    const first = await team.comment(team.people.viewer, rules[1] ?? 0)
    const reply = reviewOf(await post(rules[0] ?? 0, { responding_to_review_id: first.id }))
    expect(reply).toMatchObject({ rule_id: rules[1], triage_status: null, responding_to_review_id: first.id })
    const second = await team.people.other.client.call('POST', `/components/${id}/reviews`, {
      body: { review: { comment: 'Because.', responding_to_review_id: reply.id } },
    })
    expect(reviewOf(second)).toMatchObject({ responding_to_review_id: first.id, rule_id: rules[1] })
  })

  it('answers only comments of the same component', async () => {
    const [component, otherComponent] = [await team.component(), await team.component()]
    const elsewhere = await team.comment(team.people.viewer, otherComponent.rules[0] ?? 0)
    const lock = await team.comment(team.people.admin, component.rules[0] ?? 0, { action: 'lock_control' })
    for (const { id } of [elsewhere, lock])
      expect((await post(component.rules[0] ?? 0, { responding_to_review_id: id })).status).toBe(422)
  })
})

describe('The phase of comments', () => {
  it.each([
    ['open', 200, 200],
    ['closed', 422, 422],
    ['adjudicating', 422, 200],
    ['finalized', 422, 422],
  ] as const)('%s answers a comment with %i and a reply with %i', async (phase, top, reply) => {
    const { id, rules } = await team.component()
    const rule = rules[0] ?? 0
    const first = await team.comment(team.people.viewer, rule)
    await team.setPhase(id, PHASES[phase satisfies keyof typeof PHASES])
    const answer = await post(rule, {})
    expect(answer.status).toBe(top)
    if (top === 422)
      expect(refusalOf(answer)).toBe('422 Could not add comment. Comments are closed for this component.')
    expect((await post(rule, { responding_to_review_id: first.id })).status).toBe(reply)
    const onComponent = await team.people.viewer.client.call('POST', `/components/${id}/reviews`, {
      body: { review: { comment: 'All in all' } },
    })
    expect(onComponent.status).toBe(top)
  })
})
