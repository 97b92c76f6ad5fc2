import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { archiveOf, namedSrg } from '../../../support/archive.ts'
import { componentMember, makeComponent, storeSrg } from '../../../support/authoring.ts'
import { entriesOf, messagesOf, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn, type Answer, type SessionClient } from '../../../support/guidance.ts'

const guidance = guidanceService({
  SERVICE_USER_SEARCH: 'known',
  SERVICE_RATE_LIMIT_ENABLED: 'true',
  SERVICE_RATE_LIMIT_LOGINS: '1000',
  SERVICE_RATE_LIMIT_USER_SEARCHES: '20',
})

const owner = signedIn(guidance, 'Owner')
let projectId: number

beforeAll(async () => {
  projectId = await guidance().project(owner, { name: 'New', visibility: 'discoverable' })
})

describe('Discovery restricted to acquaintances', () => {
  it('finds members of shared projects and people with an access request', async () => {
    const other = await guidance().project(owner)
    const known = await guidance().person('Friend-Member')
    await guidance().member(other, known, 'viewer')
    const inComponent = await guidance().person('Friend-Component')
    const { id } = await makeComponent(guidance(), owner, { projectId: other })
    await componentMember(guidance(), id, { person: inComponent, role: 'viewer' })
    const session = await guidance().signUp('Friend-Asking')
    await session.call('POST', `/projects/${projectId}/project_access_requests`)
    await guidance().person('Friend-Stranger')
    expect(await search(owner, 'friend')).toEqual(['Friend-Asking', 'Friend-Component', 'Friend-Member'])
    const root = await guidance().person('Root', { admin: true })
    expect(await search(await guidance().signIn(root.email), 'friend')).toHaveLength(4)
  })

  it('finds others by the complete address, and permits adding them only after that', async () => {
    const stranger = await guidance().person('Stranger')
    for (const part of ['stranger', 'stranger@example', 'tranger@example.org'])
      expect(await search(owner, part)).toEqual([])
    const guessed = await add(owner, stranger.id)
    expect(guessed.status).toBe(422)
    expect((await add(owner, 2_000_000_000)).body).toEqual(guessed.body)
    expect(await search(owner, ' Stranger@Example.org ')).toEqual(['Stranger'])
    await setRows(guidance(), 'found_users', { found_at: '2020-01-01T00:00:00.000Z' })
    expect((await add(owner, stranger.id)).status).toBe(422)
    await search(owner, stranger.email)
    expect((await add(owner, stranger.id)).status).toBe(200)
    const foreign = await guidance().signUp('Another')
    const theirs = await guidance().project(foreign)
    expect((await add(foreign, stranger.id, theirs)).status).toBe(422)
  })

  it('offers nobody else on the page of a project', async () => {
    const { name } = await guidance().person('Unoffered')
    const asking = await guidance().signUp('Offered')
    await asking.call('POST', `/projects/${projectId}/project_access_requests`)
    const offered = async (client: SessionClient): Promise<readonly string[]> => {
      const { body } = await client.call('GET', `/projects/${projectId}`)
      return found.parse(body).users.map((user) => user.name)
    }
    expect(await offered(owner)).toContain(asking.name)
    expect(await offered(owner)).not.toContain(name)
    const { email } = await guidance().person('Overseer', { admin: true })
    expect(await offered(await guidance().signIn(email))).toContain(name)
  })

  it('permits adding people only at their request or by a site administrator', async () => {
    const shy = await guidance().signUp('Shy')
    const decline = { user: { accepts_memberships: false } }
    const entries = await entriesOf(guidance(), () => shy.call('PUT', '/users', { body: decline }))
    expect(entries).toMatchObject([{ changes: [{ field: 'accepts_memberships', prev_value: true, new_value: false }] }])
    const page = await shy.call('GET', '/users/edit')
    expect(page.body).toMatchObject({ accepts_memberships: false })
    await search(owner, shy.email)
    const refused = await add(owner, shy.id)
    expect(messagesOf(refused)).toEqual(['User does not want to be added: ask them to request access to the project'])
    await shy.call('POST', `/projects/${projectId}/project_access_requests`)
    const elsewhere = await guidance().project(owner)
    expect((await add(owner, shy.id, elsewhere)).status).toBe(422)
    expect((await add(owner, shy.id)).status).toBe(200)
    const root = await guidance().person('Boss', { admin: true })
    expect((await add(owner, shy.id, elsewhere)).status).toBe(422)
    const boss = await guidance().signIn(root.email)
    expect((await add(boss, shy.id, elsewhere)).status).toBe(200)
  })

  it('adds nobody else from an archive, even if it names other addresses', async () => {
    const based_on = await namedSrg(guidance(), await storeSrg(guidance()))
    const [pal, unwilling] = [await guidance().person('Pal'), await guidance().person('Unwilling')]
    const other = await guidance().project(owner)
    for (const person of [pal, unwilling]) await guidance().member(other, person, 'viewer')
    await setRows(guidance(), 'users', { accepts_memberships: 0 }, { id: unwilling.id })
    const unknown = await guidance().person('Unknown')
    const memberships = [pal, unwilling, unknown].map(({ email, name }) => ({ email, name, role: 'author' }))
    const file = await archiveOf({ based_on }, { project: { memberships } })
    const target = await guidance().project(owner)
    const answer = await owner.call('POST', `/projects/${target}/import_backup`, {
      form: { file, fields: { include_memberships: 'true' } },
    })
    expect(answer).toMatchObject({ status: 200, body: { summary: { memberships_imported: 1 } } })
  })

  it('logs searches at intervals, and limits them', async () => {
    const busy = await guidance().signUp('Busy')
    const ownProject = await guidance().project(busy)
    const statuses: number[] = []
    const entries = await entriesOf(guidance(), async () => {
      for (let time = 0; time < 21; time += 1) statuses.push((await ask(busy, 'abc', ownProject)).status)
    })
    expect(statuses).toEqual([...Array<number>(20).fill(200), 429])
    expect(entries.map(({ comment }) => comment)).toEqual([
      `Searched for people to add to project ${ownProject}`,
      `Searched for people to add to project ${ownProject}, for the 10th time within an hour`,
    ])
  })
})

const found = z.object({ users: z.array(z.object({ name: z.string() })) })

function ask(client: SessionClient, q: string, target = projectId): Promise<Answer> {
  const query = { q, membership_type: 'Project', membership_id: String(target) }
  return client.call('GET', `/api/users/search?${new URLSearchParams(query).toString()}`)
}

async function search(client: SessionClient, q: string): Promise<readonly string[]> {
  return found.parse((await ask(client, q)).body).users.map(({ name }) => name)
}

function add(client: SessionClient, user_id: number, target = projectId): Promise<Answer> {
  const membership = { user_id, role: 'viewer', membership_type: 'Project', membership_id: target }
  return client.call('POST', '/memberships', { body: { membership } })
}
