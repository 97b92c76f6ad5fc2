import { describe, expect, it } from 'vitest'
import { guidanceService, type Answer } from '../../../support/guidance.ts'
import { refusalOf, ReviewTeam, type Team } from '../../../support/review-team.ts'

const guidance = guidanceService()
const team = new ReviewTeam(guidance)

function react(who: keyof Team, id: number, kind: unknown): Promise<Answer> {
  return team.people[who].client.call('POST', `/reviews/${id}/reactions`, { body: { kind } })
}

async function newComment(): Promise<{ readonly id: number; readonly componentId: number }> {
  const { id: componentId, rules } = await team.component()
  const { id } = await team.comment(team.people.viewer, rules[0] ?? 0)
  return { id, componentId }
}

describe('A reaction', () => {
  it('is added, switched and removed', async () => {
    const { id } = await newComment()
    const none = { up: 0, down: 0, mine: null }
    expect((await react('author', id, 'up')).body).toMatchObject({
      toast: { title: 'Reaction recorded.', message: '1 agree, 0 disagree.' },
      reactions: { ...none, up: 1, mine: 'up' },
    })
    expect((await react('other', id, 'up')).body).toMatchObject({ reactions: { ...none, up: 2, mine: 'up' } })
    expect((await react('author', id, 'down')).body).toMatchObject({ reactions: { up: 1, down: 1, mine: 'down' } })
    const { body } = await team.people.viewer.client.call('GET', `/reviews/${id}/reactions`)
    expect(body).toEqual({ up: [{ name: 'Otto' }], down: [{ name: 'Arthur' }] })
    expect((await react('author', id, 'down')).body).toMatchObject({
      toast: { title: 'Reaction removed.' },
      reactions: { ...none, up: 1 },
    })
  })

  it.each(['sideways', null, 7])('of kind %j is refused', async (kind) => {
    const { id } = await newComment()
    expect((await react('viewer', id, kind)).status).toBe(422)
  })

  it('is accepted on open comments only', async () => {
    const { id, componentId } = await newComment()
    const { rules } = await team.component()
    const lock = await team.comment(team.people.admin, rules[0] ?? 0, { action: 'lock_control' })
    expect((await react('viewer', lock.id, 'up')).status).toBe(404)
    await team.setPhase(componentId, { comment_phase: 'closed', closed_reason: 'adjudicating' })
    expect(refusalOf(await react('viewer', id, 'up'))).toContain('Comments are closed')
    const { status } = await team.people.viewer.client.call('GET', `/reviews/${id}/reactions`)
    expect(status).toBe(200)
  })

  it('sent several times at once by one person counts at most once', async () => {
    const { id } = await newComment()
    const answers = await Promise.all(['up', 'up', 'up'].map((kind) => react('viewer', id, kind)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const { body } = await team.people.viewer.client.call('GET', `/reviews/${id}/reactions`)
    expect(body).toEqual({ up: [{ name: 'Vera' }], down: [] })
  })
})

describe('Replies', () => {
  it("are listed oldest first, with the caller's reactions", async () => {
    const { id, componentId } = await newComment()
    const { client } = team.people.other
    const path = `/components/${componentId}/reviews`
    for (const comment of ['One', 'Two'])
      await client.call('POST', path, { body: { review: { comment, responding_to_review_id: id } } })
    const listed = `/reviews/${id}/responses`
    const before = await client.call('GET', listed)
    expect(before.headers['cache-control']).toBe('no-store')
    expect(before.body).toMatchObject({
      rows: [
        { comment: 'One', author_email: 'otto@example.org', reactions: { mine: null } },
        { comment: 'Two', responding_to_review_id: id },
      ],
    })
  })
})
