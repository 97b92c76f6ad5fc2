// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { componentMember, makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService, type SessionClient, signedIn } from '../../../support/guidance.ts'
import { makeSrgs, placeProposal } from '../../../support/relocations.ts'

const guidance = guidanceService()

const posted = z.object({ review: z.object({ id: z.int() }).nullish() })

const changes = z.looseObject({ recent: z.array(z.looseObject({ id: z.int() })) })

function recentOf(body: unknown) {
  return changes.parse(body).recent
}

describe('GET /api/home', () => {
  let made: MadeComponent
  let projectId = 0
  const owner = signedIn(guidance, 'Ada')
  let anton: SessionClient
  let rita: SessionClient
  let vera: SessionClient

  beforeAll(async () => {
    const under = guidance()
    projectId = await under.project(owner, { name: 'Penguins', visibility: 'discoverable' })
    const people = []
    for (const [name, role] of [
      ['Anton', 'author'],
      ['Rita', 'reviewer'],
      ['Vera', 'viewer'],
    ] as const) {
      const somebody = await under.signUp(name)
      await under.member(projectId, somebody, role)
      people.push(somebody)
    }
    const [first, second, third] = people
    if (first === undefined || second === undefined || third === undefined) throw new Error('Nobody')
    ;[anton, rita, vera] = [first, second, third]
    made = await makeComponent(guidance(), owner, { projectId, name: 'Penguin OS' })
  })

  async function waitingFor(client: SessionClient): Promise<unknown> {
    const { body } = await client.call('GET', '/api/home')
    return body
  }

  async function review(client: SessionClient, action: string, rule = made.rules[0]): Promise<number> {
    const sent = { review: { action, comment: 'Please.' } }
    const { body, status } = await client.call('POST', `/rules/${rule}/reviews`, { body: sent })
    expect(status).toBe(200)
    return posted.parse(body).review?.id ?? 0
  }

  it('returns only recent memberships if nothing is pending', async () => {
    expect(await waitingFor(vera)).toMatchObject({
      may_create_projects: true,
      components: [],
      access_requests: [],
      own_access_requests: [],
      recent_memberships: [{ project: { id: projectId, name: 'Penguins' }, role: 'viewer' }],
    })
  })

  it('lists the guidance that was published last, the newest first', async () => {
    const { new_guidance: listed } = z
      .looseObject({ new_guidance: z.array(z.looseObject({ title: z.string(), date: z.string() })) })
      .parse(await waitingFor(vera))
    expect(listed.length).toBeGreaterThan(0)
    expect(listed.length).toBeLessThanOrEqual(5)
    expect(listed.map(({ date }) => date)).toEqual(
      listed
        .map(({ date }) => date)
        .toSorted()
        .toReversed(),
    )
  })

  it('counts projects and own comments', async () => {
    expect(await waitingFor(vera)).toMatchObject({ project_count: 1, comment_count: 0 })
    const comment = await review(vera, 'comment', made.rules[2])
    expect(await waitingFor(vera)).toMatchObject({ project_count: 1, comment_count: 1 })
    expect(await waitingFor(anton)).toMatchObject({ comment_count: 0 })
    expect((await vera.call('PATCH', `/reviews/${comment}/withdraw`)).status).toBe(200)
    expect(await waitingFor(vera)).toMatchObject({ comment_count: 1 })
  })

  it('lists reviews for people who may decide, not for the requester', async () => {
    await review(anton, 'request_review')
    const waiting = { components: [{ id: made.id, reviews: 1, changes_requested: 0 }] }
    expect(await waitingFor(rita)).toMatchObject({ ...waiting })
    expect(await waitingFor(owner)).toMatchObject({ ...waiting })
    expect(await waitingFor(anton)).toMatchObject({ components: [] })
    expect(await waitingFor(vera)).toMatchObject({ components: [] })
    const [id = 0] = made.rules
    await setRows(guidance(), 'rules', { deleted_at: new Date().toISOString() }, { id })
    expect(await waitingFor(rita)).toMatchObject({ components: [] })
    await setRows(guidance(), 'rules', { deleted_at: null }, { id })
    await review(rita, 'request_changes')
    expect(await waitingFor(rita)).toMatchObject({ components: [] })
    expect(await waitingFor(anton)).toMatchObject({
      components: [{ reviews: 0, changes_requested: 1 }],
      own_components: [{ id: made.id, name: 'Penguin OS', rules: made.rules.length, decided: 0 }],
      requested_changes: [{ component_id: made.id, by: 'Rita', comment: 'Please.' }],
    })
    expect(await waitingFor(vera)).toMatchObject({ requested_changes: [] })
    expect(await waitingFor(owner)).toMatchObject({ components: [] })
    await setRows(guidance(), 'components', { released: 1 }, { id: made.id })
    expect(await waitingFor(anton)).toMatchObject({ requested_changes: [] })
    await setRows(guidance(), 'components', { released: 0 }, { id: made.id })
  })

  it('lists comments for authors until they are adjudicated and closed, and questions for commenters', async () => {
    const comment = await review(vera, 'comment', made.rules[1])
    expect(await waitingFor(rita)).toMatchObject({ components: [{ pending_comments: 1 }] })
    expect(await waitingFor(vera)).toMatchObject({ components: [] })
    const triage = (body: Record<string, string>) => rita.call('PATCH', `/reviews/${comment}/triage`, { body })
    await triage({ triage_status: 'needs_clarification', response_comment: 'Which one?' })
    expect(await waitingFor(vera)).toMatchObject({ components: [{ clarifications: 1 }] })
    const answer = { action: 'comment', comment: 'That.', responding_to_review_id: comment }
    await vera.call('POST', `/rules/${made.rules[1]}/reviews`, { body: { review: answer } })
    expect(await waitingFor(vera)).toMatchObject({ components: [] })
    await triage({ triage_status: 'concur' })
    expect(await waitingFor(rita)).toMatchObject({ components: [{ pending_comments: 0, awaiting_adjudication: 1 }] })
    await rita.call('PATCH', `/reviews/${comment}/adjudicate`, { body: {} })
    expect(await waitingFor(rita)).toMatchObject({ components: [] })
  })

  it('lists access requests for administrators and for their authors', async () => {
    const asker = await guidance().signUp('Otto')
    await asker.call('POST', `/projects/${projectId}/project_access_requests`)
    expect(await waitingFor(owner)).toMatchObject({
      access_requests: [{ user: { name: 'Otto' }, project: { id: projectId } }],
    })
    expect(await waitingFor(rita)).toMatchObject({ access_requests: [] })
    expect(await waitingFor(asker)).toMatchObject({
      own_access_requests: [{ project: { id: projectId, name: 'Penguins' } }],
    })
  })

  it('lists proposals for people who may decide on them, under the target SRG', async () => {
    const { source, target } = await makeSrgs(guidance(), owner, { projectId })
    const [ruleId = 0, declined = 0] = source.rules
    await placeProposal(guidance(), owner, { ruleId, projectId })
    const gone = await placeProposal(guidance(), owner, { ruleId: declined, projectId })
    const rationale = { adjudication_rationale: 'Not ours.' }
    const decision = { target_component_id: target.id, requirement_relocation: rationale }
    const path = `/requirement_relocations/${gone}/decline`
    expect((await anton.call('POST', path, { body: decision })).status).toBe(200)
    const components = [{ relocations: 0 }, { id: target.id, relocations: 1 }]
    expect(await waitingFor(anton)).toMatchObject({ components })
    expect(await waitingFor(vera)).toMatchObject({ components: [] })
  })

  it('uses the higher role of a member of both project and component', async () => {
    const paul = await guidance().person('Paul')
    await guidance().member(projectId, paul, 'viewer')
    await componentMember(guidance(), made.id, { person: paul, role: 'reviewer' })
    await review(anton, 'request_review', made.rules[2])
    const client = await guidance().signIn(paul.email)
    expect(await waitingFor(client)).toMatchObject({ components: [{ role: 'reviewer', reviews: 1 }] })
  })

  it('lists recent changes in components of the caller, newest first', async () => {
    await review(anton, 'comment', made.rules[2])
    const [newest] = recentOf(await waitingFor(vera))
    expect(newest).toMatchObject({ component_id: made.id, name: 'Anton', auditable_type: 'Review' })
    const ids = recentOf(await waitingFor(vera)).map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    const stranger = await guidance().signUp('Stranger')
    expect(recentOf(await waitingFor(stranger))).toEqual([])
  })
})
