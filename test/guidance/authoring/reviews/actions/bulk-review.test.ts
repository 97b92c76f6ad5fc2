// @module-tag database

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { guidanceService, type Answer } from '../../../../support/guidance.ts'
import { refusalOf, reviewOf, ReviewTeam, type Team } from '../../../../support/review-team.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

function act(who: keyof Team, componentId: number, body: Readonly<Record<string, unknown>>): Promise<Answer> {
  return team.people[who].client.call('POST', `/components/${componentId}/rules/bulk_review`, { body })
}

const state = z.looseObject({
  locked: z.boolean(),
  changes_requested: z.boolean(),
  review_requestor_id: z.int().nullable(),
  reviews: z.array(z.looseObject({ action: z.string(), comment: z.string() })),
})

async function read(id: number): Promise<z.infer<typeof state>> {
  return state.parse((await team.people.author.client.call('GET', `/rules/${id}`)).body)
}

describe('The review of many rules', () => {
  it('is requested and approved at once, with one sentence or none', async () => {
    const { id, rules } = await team.component()
    const asked = { rule_ids: rules, action: 'request_review', comment: 'Please look.' }
    expect((await act('author', id, asked)).body).toMatchObject({ changed: 3 })
    expect((await act('reviewer', id, { rule_ids: rules, action: 'approve' })).status).toBe(200)
    for (const rule of rules) {
      const { locked, reviews } = await read(rule)
      expect(locked).toBe(true)
      expect(reviews.map(({ action, comment }) => [action, comment])).toEqual([
        ['request_review', 'Please look.'],
        ['approve', ''],
      ])
    }
  })

  it('changes all rules or none, and names all obstacles', async () => {
    const { id, rules } = await team.component()
    const [first = 0, second = 0, third = 0] = rules
    await act('author', id, { rule_ids: [first], action: 'request_review' })
    const refused = await act('author', id, { rule_ids: [first, second, 2_147_483_647], action: 'request_review' })
    expect(refused.status).toBe(422)
    expect(JSON.stringify(refused.body)).toContain('no rule with the id 2147483647')
    expect(JSON.stringify(refused.body)).toContain('The rule is under review.')
    expect((await read(second)).review_requestor_id).toBeNull()
    expect((await act('author', id, { rule_ids: [third], action: 'approve' })).status).toBe(403)
    expect((await act('viewer', id, { rule_ids: [third], action: 'request_review' })).status).toBe(403)
    expect((await act('author', id, { rule_ids: [third], action: 'lock_control' })).status).toBe(422)
    const sentBack = { rule_ids: [first], action: 'request_changes' }
    expect(refusalOf(await act('reviewer', id, sentBack))).toContain('422')
    expect((await act('reviewer', id, { ...sentBack, comment: 'Shorter.' })).status).toBe(200)
    expect((await read(first)).changes_requested).toBe(true)
  })

  it('needs no comment for a request and an approval of one rule', async () => {
    const { rules } = await team.component()
    const post = (who: keyof Team, action: string): Promise<Answer> =>
      team.people[who].client.call('POST', `/rules/${rules[0] ?? 0}/reviews`, { body: { review: { action } } })
    expect(reviewOf(await post('author', 'request_review')).comment).toBe('')
    expect((await post('reviewer', 'request_changes')).status).toBe(422)
    expect(reviewOf(await post('reviewer', 'approve')).comment).toBe('')
  })
})
