// @module-tag database

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { reviewSchema } from '../../../../src/guidance/authoring/reviews/records/schemas.ts'
import { componentMember } from '../../../support/authoring.ts'
import { guidanceService, type Answer } from '../../../support/guidance.ts'
import { refusalOf, reviewOf, ReviewTeam, type Team } from '../../../support/review-team.ts'
import { placeComment } from '../../../support/samples/reviews.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

type Who = keyof Team
type Body = Readonly<Record<string, unknown>>

function triage(id: number, body: Body): Promise<Answer> {
  return team.patch('author', `${id}/triage`, body)
}

describe('A triage of several comments', () => {
  const together = z.object({ reviews: z.array(reviewSchema), response_reviews: z.array(reviewSchema) })

  it('gives all of them the same decision', async () => {
    const { first, second } = await team.newPair()
    const { body } = await team.patch('author', 'bulk_triage', {
      review_ids: [second.id, first.id, first.id],
      triage_status: 'non_concur',
      response_comment: 'No.',
    })
    const { reviews, response_reviews } = together.parse(body)
    expect(reviews.map(({ id }) => id)).toEqual([first.id, second.id])
    expect(reviews.map((review) => review.triage_status)).toEqual(['non_concur', 'non_concur'])
    const answers = response_reviews.map((review) => review.responding_to_review_id)
    expect(answers).toEqual([first.id, second.id])
  })

  it('changes none of them if one is closed', async () => {
    const { first, second } = await team.newPair()
    await triage(second.id, { triage_status: 'informational' })
    const body = { review_ids: [first.id, second.id], triage_status: 'concur' }
    expect((await team.patch('author', 'bulk_triage', body)).status).toBe(422)
    expect(reviewOf(await team.patch('viewer', `${first.id}/withdraw`)).lock_version).toBe(1)
  })

  it('returns their rules', async () => {
    const { componentId, first, second } = await team.newPair()
    const elsewhere = await team.newComment()
    const refuse = async (body: Body, who: Who = 'author'): Promise<number> =>
      (await team.patch(who, 'bulk_triage', { triage_status: 'concur', ...body })).status
    expect(await refuse({ review_ids: [] })).toBe(422)
    expect(await refuse({ review_ids: Array.from({ length: 101 }, (_, index) => index + 1) })).toBe(422)
    expect(await refuse({ review_ids: [first.id, 2_147_483_647] })).toBe(404)
    expect(await refuse({ review_ids: [first.id, elsewhere.id] })).toBe(422)
    expect(await refuse({ review_ids: [first.id] }, 'viewer')).toBe(403)
    expect(await refuse({ review_ids: [first.id] }, 'stranger')).toBe(404)
    await componentMember(guidance(), componentId, { person: team.people.stranger.person, role: 'author' })
    expect(await refuse({ review_ids: [first.id, elsewhere.id] }, 'stranger')).toBe(404)
    const canonical = { triage_status: 'duplicate', duplicate_of_review_id: second.id }
    expect(await refuse({ review_ids: [first.id, second.id], ...canonical })).toBe(422)
    expect(await refuse({ review_ids: [first.id], ...canonical })).toBe(200)
  })
})

describe('Withdrawn and adjudicated comments', () => {
  it('are refused to everybody, while comments that are only closed can be changed', async () => {
    const { componentId, first, second, rules } = await team.newPair()
    const decided = await placeComment(guidance(), team.people.viewer.person, {
      component_id: componentId,
      rule_id: rules[0] ?? 0,
      triage_status: 'concur',
    })
    const writes: readonly (readonly [Who, string, Body])[] = [
      ['author', `${first.id}/triage`, { triage_status: 'concur' }],
      ['author', `${decided}/adjudicate`, {}],
      ['author', `${decided}/reopen`, {}],
      ['viewer', `${second.id}/withdraw`, {}],
      ['author', `${second.id}/section`, { section: 'title', audit_comment: 'Misfiled' }],
      ['author', 'bulk_triage', { review_ids: [first.id], triage_status: 'concur' }],
      ['admin', 'merge', { review_ids: [second.id], survivor_id: first.id }],
    ]
    const statuses = async (): Promise<readonly string[]> => {
      const found: string[] = []
      for (const [who, path, body] of writes) {
        const answer = await team.patch(who, path, body)
        found.push(answer.status === 200 ? 'ok' : refusalOf(answer))
      }
      const { client } = team.people.viewer
      const answer = await client.call('PUT', `/reviews/${second.id}`, { body: { review: { comment: 'Otherwise' } } })
      found.push(answer.status === 200 ? 'ok' : refusalOf(answer))
      return found
    }
    await team.setPhase(componentId, { comment_phase: 'closed', closed_reason: 'finalized' })
    const frozen = '422 Cannot modify review. The comments of this component are final.'
    expect(await statuses()).toEqual(Array.from({ length: writes.length + 1 }, () => frozen))
    await team.setPhase(componentId, { comment_phase: 'closed', closed_reason: null })
    const closed = await statuses()
    expect(closed.filter((status) => status === frozen)).toEqual([])
    expect(closed.slice(0, 4)).toEqual(['ok', 'ok', 'ok', 'ok'])
  })
})
