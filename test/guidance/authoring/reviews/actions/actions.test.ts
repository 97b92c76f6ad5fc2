// @module-tag database

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { requireRule } from '../../../../../src/guidance/authoring/rules/reader.ts'
import type { ReviewAction } from '../../../../../src/guidance/database/schema/reviews.ts'
import { rowsOf } from '../../../../support/guidance-records.ts'
import { guidanceService, type Answer } from '../../../../support/guidance.ts'
import { refusalOf, reviewOf, ReviewTeam, type Team } from '../../../../support/review-team.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

/** With a comment of its own after the name of the action: `approve Fine`. */
function act(who: keyof Team, ruleId: number, said: ReviewAction | `${ReviewAction} ${string}`): Promise<Answer> {
  const { client } = team.people[who]
  const [action, comment = 'So be it'] = said.split(' ')
  return client.call('POST', `/rules/${ruleId}/reviews`, { body: { review: { action, comment } } })
}

async function newRule(): Promise<number> {
  return (await team.component()).rules[0] ?? 0
}

async function stateOf(id: number): Promise<unknown> {
  const rule = await requireRule(guidance().service.guidance.database.read, id)
  const { locked, review_requestor_id: requestor, changes_requested: changes } = rule
  return { locked, requestor, changes, version: rule.lock_version }
}

async function eventsOf(ruleId: number): Promise<readonly string[]> {
  const rows = await rowsOf(guidance(), 'events')
  return rows.filter(({ data }) => data.includes(`"rule_id":${ruleId},`)).map(({ kind }) => kind)
}

describe('A rule', () => {
  it('goes from a request for review to approval, which locks it', async () => {
    const rule = await newRule()
    const answer = await act('author', rule, 'request_review')
    expect(answer.body).toMatchObject({
      toast: { title: 'Comment posted.', variant: 'success', message: 'The rule is waiting for a review.' },
      review: { action: 'request_review', triage_status: null, comment: 'So be it' },
    })
    const author = team.people.author.person.id
    expect(await stateOf(rule)).toEqual({ locked: 0, requestor: author, changes: 0, version: 1 })
    expect((await act('reviewer', rule, 'approve')).status).toBe(200)
    expect(await stateOf(rule)).toEqual({ locked: 1, requestor: null, changes: 0, version: 2 })
    expect((await act('admin', rule, 'unlock_control')).status).toBe(200)
    expect(await stateOf(rule)).toEqual({ locked: 0, requestor: null, changes: 0, version: 3 })
    expect(await eventsOf(rule)).toEqual(['rule.review_requested', 'rule.locked', 'rule.unlocked'])
    const audits = await rowsOf(guidance(), 'audits', { auditable_type: 'Rule', auditable_id: rule, action: 'update' })
    expect(audits.map(({ changes }) => z.json().parse(JSON.parse(changes)))).toEqual([
      [{ field: 'review_requestor_id', prev_value: null, new_value: author }],
      [
        { field: 'review_requestor_id', prev_value: author, new_value: null },
        { field: 'locked', prev_value: false, new_value: true },
      ],
      [{ field: 'locked', prev_value: true, new_value: false }],
    ])
    expect(audits[0]?.comment).toBe('So be it')
  })

  it('keeps the request for changes until the next request for review', async () => {
    const rule = await newRule()
    await act('author', rule, 'request_review')
    expect((await act('reviewer', rule, 'request_changes')).status).toBe(200)
    expect(await stateOf(rule)).toMatchObject({ locked: 0, requestor: null, changes: 1 })
    await act('author', rule, 'request_review')
    expect(await stateOf(rule)).toMatchObject({ changes: 0 })
    expect((await act('author', rule, 'revoke_review_request')).status).toBe(200)
    expect(await stateOf(rule)).toMatchObject({ requestor: null, changes: 0 })
  })

  it('is locked by an administrator without a review', async () => {
    const rule = await newRule()
    expect((await act('admin', rule, 'lock_control')).status).toBe(200)
    expect(await stateOf(rule)).toMatchObject({ locked: 1, requestor: null })
    expect(await eventsOf(rule)).toEqual(['rule.locked'])
  })
})

describe('An action', () => {
  const roles = ['viewer', 'author', 'reviewer', 'admin'] as const

  it.each([
    ['request_review', 'author'],
    ['revoke_review_request', 'author'],
    ['request_changes', 'reviewer'],
    ['approve', 'reviewer'],
    ['lock_control', 'admin'],
    ['unlock_control', 'admin'],
  ] as const)('%s takes at least the role of %s', async (action, least) => {
    const rule = await newRule()
    const found: string[] = []
    for (const role of roles) {
      const { status } = await act(role, rule, action)
      found.push(status === 403 ? 'refused' : 'let in')
    }
    const expected = roles.map((_role, index) => (index < roles.indexOf(least) ? 'refused' : 'let in'))
    expect(found).toEqual(expected)
  })

  it.each([
    ['approve', 'The rule is not under review.'],
    ['request_changes', 'The rule is not under review.'],
    ['revoke_review_request', 'The rule is not under review.'],
    ['unlock_control', 'The rule is not locked.'],
  ] as const)('%s is refused where there is nothing to do', async (action, message) => {
    const rule = await newRule()
    const answer = await act('admin', rule, action)
    expect(refusalOf(answer)).toBe(`422 Could not add review. ${message}`)
    expect(answer.body).toMatchObject({
      code: 'validation_failed',
      toast: { title: 'Could not add review.', message, variant: 'warning' },
    })
    expect(await stateOf(rule)).toMatchObject({ version: 0 })
  })

  it.each(['request_review', 'lock_control'] as const)(
    '%s is refused for a rule that is locked or under review',
    async (action) => {
      const [locked, reviewed] = [await newRule(), await newRule()]
      await act('admin', locked, 'lock_control')
      await act('author', reviewed, 'request_review')
      expect(refusalOf(await act('admin', locked, action))).toContain('The rule is locked.')
      expect(refusalOf(await act('admin', reviewed, action))).toContain('The rule is under review.')
    },
  )

  it.each(['approve', 'request_changes'] as const)(
    '%s is refused to the reviewer who requested it, but not to an administrator',
    async (action) => {
      const rule = await newRule()
      await act('reviewer', rule, 'request_review')
      expect(refusalOf(await act('reviewer', rule, action))).toContain('somebody else must decide')
      expect((await act('admin', rule, action)).status).toBe(200)
    },
  )

  it('revoke_review_request is permitted to the requester and to an administrator', async () => {
    const rule = await newRule()
    await act('author', rule, 'request_review')
    expect(refusalOf(await act('reviewer', rule, 'revoke_review_request'))).toMatch(/^422 .*Only the requester/)
    expect((await act('admin', rule, 'revoke_review_request')).status).toBe(200)
  })

  it('of authoring is refused after the release, except to a site administrator', async () => {
    const { id, rules } = await team.component()
    const rule = rules[0] ?? 0
    await team.release(id)
    expect((await act('admin', rule, 'request_review')).status).toBe(403)
    expect((await act('site', rule, 'request_review')).status).toBe(200)
    expect((await act('author', rule, 'revoke_review_request')).status).toBe(403)
    expect((await act('reviewer', rule, 'approve')).status).toBe(200)
  })

  it('cannot unlock a released rule, except for a site administrator', async () => {
    const { id, rules } = await team.component()
    const rule = rules[0] ?? 0
    await act('admin', rule, 'lock_control')
    await team.release(id)
    expect(refusalOf(await act('admin', rule, 'unlock_control'))).toMatch(/^403 .*is released/)
    expect(await stateOf(rule)).toMatchObject({ locked: 1, version: 1 })
    expect((await act('site', rule, 'unlock_control')).status).toBe(200)
  })

  it('accepts 4000 characters and reports more as an error', async () => {
    const rule = await newRule()
    const long = await act('admin', rule, `lock_control ${'x'.repeat(4001)}`)
    expect(long.body).toMatchObject({
      errors: [{ field: 'comment', message: 'Comment is too long (maximum is 4000 characters)' }],
    })
    expect((await act('admin', rule, `lock_control ${'x'.repeat(4000)}`)).status).toBe(200)
  })

  it.each([
    [{ action: 'lock_control', comment: ' ' }, 'comment', "Comment can't be blank"],
    [{ action: 'explode', comment: 'a' }, 'action', 'Action is not a review action'],
    [{ comment: 'a' }, 'action', 'Action is not a review action'],
  ])('%j is refused', async (review, field, message) => {
    const { client } = team.people.admin
    const answer = await client.call('POST', `/rules/${await newRule()}/reviews`, { body: { review } })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field, message }] } })
  })
})

describe('Two simultaneous requests', () => {
  it('cannot both request a review', async () => {
    const rule = await newRule()
    const answers = await Promise.all([act('author', rule, 'request_review'), act('reviewer', rule, 'request_review')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await stateOf(rule)).toMatchObject({ version: 1 })
  })

  it('cannot both decide on one review', async () => {
    const rule = await newRule()
    await act('author', rule, 'request_review')
    const [approved, returned] = await Promise.all([
      act('reviewer', rule, 'approve'),
      act('admin', rule, 'request_changes'),
    ])
    expect([approved.status, returned.status].sort()).toEqual([200, 422])
    const { action } = reviewOf(approved.status === 200 ? approved : returned)
    expect(await stateOf(rule)).toMatchObject(
      action === 'approve' ? { locked: 1, changes: 0 } : { locked: 0, changes: 1 },
    )
  })
})
