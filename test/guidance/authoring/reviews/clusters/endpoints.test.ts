// @module-tag database

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { clusterPage } from '../../../../../src/guidance/authoring/reviews/clusters/find.ts'
import { reviewSchema } from '../../../../../src/guidance/authoring/reviews/records/schemas.ts'
import { guidanceService, type Answer } from '../../../../support/guidance.ts'
import { refusalOf, ReviewTeam, type Team } from '../../../../support/review-team.ts'
import { placeComment } from '../../../../support/samples/reviews.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

const SAME = 'Containers have no boot loader: say that this is not applicable to them.'

interface Commented {
  readonly componentId: number
  /** Three comments that say the same, then one that says something else. */
  readonly ids: readonly number[]
}

async function commented(): Promise<Commented> {
  const { id: componentId, rules } = await team.component()
  const ids: number[] = []
  for (const [index, comment] of [SAME, `${SAME}!`, SAME.toUpperCase(), 'Why?'].entries())
    ids.push(
      await placeComment(guidance(), team.people.viewer.person, {
        component_id: componentId,
        rule_id: rules[index % 3] ?? 0,
        comment,
        created_at: new Date(index * 60_000).toISOString(),
      }),
    )
  return { componentId, ids }
}

async function clustersOf(componentId: number, query = ''): Promise<z.infer<typeof clusterPage>> {
  const path = `/components/${componentId}/comment-clusters${query}`
  return clusterPage.parse((await team.people.viewer.client.call('GET', path)).body)
}

function decide(
  componentId: number,
  body: Readonly<Record<string, unknown>>,
  who: keyof Team = 'author',
): Promise<Answer> {
  return team.people[who].client.call('PATCH', `/components/${componentId}/comment-clusters`, { body })
}

const decided = z.looseObject({
  kept: reviewSchema,
  duplicates: z.array(reviewSchema),
  response_review: reviewSchema.nullable(),
})

describe('The comments of a component that say the same', () => {
  it('are listed together, oldest first, by status', async () => {
    const { componentId, ids } = await commented()
    const found = await clustersOf(componentId)
    expect(found.clusters.map(({ review_ids }) => review_ids)).toEqual([ids.slice(0, 3)])
    expect(found.clusters[0]?.comments.map(({ likeness }) => likeness)).toEqual([1, 1, 1])
    expect(found).toMatchObject({ compared: 4, comments: 4, pagination: { page: 1, total: 1 } })
    expect((await clustersOf(componentId, '?triage_status=concur')).clusters).toEqual([])
    expect((await clustersOf(componentId, '?page=2')).clusters).toEqual([])
  })

  it('get one decision with one reply; the others are duplicates of the oldest', async () => {
    const { componentId, ids } = await commented()
    const [first = 0, second = 0, third = 0] = ids
    const answer = await decide(componentId, {
      review_ids: [third, first, second],
      triage_status: 'concur',
      response_comment: 'We say so.',
    })
    const { kept, duplicates, response_review } = decided.parse(answer.body)
    expect(kept).toMatchObject({ id: first, triage_status: 'concur', adjudicated_at: null })
    expect(duplicates.map(({ id }) => id)).toEqual([second, third])
    for (const duplicate of duplicates)
      expect(duplicate).toMatchObject({ triage_status: 'duplicate', duplicate_of_review_id: first, responses_count: 0 })
    expect(response_review).toMatchObject({ comment: 'We say so.', responding_to_review_id: first })
    expect((await clustersOf(componentId)).clusters).toEqual([])
    const { body } = await team.people.author.client.call('GET', `/components/${componentId}/export/disposition_csv`)
    expect(String(body).match(new RegExp(`,${first},`, 'g'))).toHaveLength(2)
  })

  it('may keep another one, or all repeat a comment outside', async () => {
    const { componentId, ids } = await commented()
    const [first = 0, second = 0, third = 0, other = 0] = ids
    const pair = { review_ids: [first, second], kept_review_id: second }
    expect((await decide(componentId, { ...pair, triage_status: 'non_concur' })).status).toBe(422)
    const { kept } = decided.parse((await decide(componentId, { ...pair, triage_status: 'informational' })).body)
    expect(kept.id).toBe(second)
    const repeated = { triage_status: 'duplicate', duplicate_of_review_id: second }
    const { duplicates } = decided.parse((await decide(componentId, { review_ids: [third, other], ...repeated })).body)
    expect(duplicates[0]?.duplicate_of_review_id).toBe(second)
  })

  it('are decided all or none, by authors, and only while they are open', async () => {
    const { componentId, ids } = await commented()
    const [first = 0, second = 0, third = 0] = ids
    await team.patch('author', `${second}/triage`, { triage_status: 'concur' })
    const body = { review_ids: [first, second, third], triage_status: 'concur' }
    expect(refusalOf(await decide(componentId, body))).toContain(`Comment ${second} has been decided already`)
    expect((await clustersOf(componentId)).clusters[0]?.review_ids).toEqual([first, third])
    expect((await decide(componentId, { ...body, review_ids: [first], kept_review_id: third })).status).toBe(422)
    expect((await decide(componentId, { ...body, review_ids: [] })).status).toBe(422)
    expect((await decide(componentId, { ...body, review_ids: [first, 2_147_483_647] })).status).toBe(404)
    expect((await decide(componentId, { ...body, review_ids: [first, third] }, 'viewer')).status).toBe(403)
    expect((await decide(componentId, { ...body, review_ids: [first, third] })).status).toBe(200)
  })
})
