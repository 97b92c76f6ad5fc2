import { describe, expect, it } from 'vitest'
import { logIn, WRONG_PASSWORD } from '../../support/accounts.ts'
import { guidanceService, type Client, type Person } from '../../support/guidance.ts'

const SOME_ID: unknown = expect.any(Number)

const NAV_LINKS = [
  { icon: 'folder2-open', name: 'Projects', link: '/projects' },
  { icon: 'patch-check-fill', name: 'Released Components', link: '/components' },
  { icon: 'clipboard-check', name: 'STIGs', link: '/stigs' },
  { icon: 'clipboard', name: 'SRGs', link: '/srgs' },
  { icon: 'book', name: 'Documentation', link: '/docs' },
]

/** The status at the end of a link. */
async function follow(client: Client, link: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await client.call('GET', link, { headers })
  const { location } = answer.headers
  if (location === undefined) return answer.status
  const { pathname } = new URL(location, `http://localhost${link}`)
  return (await client.call('GET', pathname, { headers })).status
}

describe('The navigation', () => {
  const guidance = guidanceService()

  it('needs a session or a token', async () => {
    expect((await guidance().nobody.call('GET', '/api/navigation')).status).toBe(401)
    const ada = await guidance().person('Ada')
    const token = await guidance().token(ada, ['read'])
    expect((await token.call('GET', '/api/navigation')).body).toEqual({
      nav_links: NAV_LINKS,
      access_requests: [],
      locked_users: [],
    })
  })

  it('links to pages that exist', async () => {
    const { email } = await guidance().person('Chief', { admin: true })
    const member = await guidance().person('Guest')
    const admin = await guidance().signIn(email)
    await guidance().member(await guidance().project(admin), member, 'viewer')
    const guest = await guidance().signIn(member.email)
    for (const Accept of ['application/json', 'text/html,*/*;q=0.8'])
      for (const client of [admin, guest])
        for (const { link } of NAV_LINKS) expect([link, await follow(client, link, { Accept })]).toEqual([link, 200])
    expect(await follow(guidance().nobody, '/docs', { Accept: 'text/html' })).toBe(200)
  })

  it('shows access requests to project administrators, and locked accounts to site administrators', async () => {
    const [owner, reviewer, asker, root] = [
      await guidance().person('Owner'),
      await guidance().person('Reviewer'),
      await guidance().person('Asker'),
      await guidance().person('Root', { admin: true }),
    ]
    const ownSession = await guidance().signIn(owner.email)
    const visibility = 'discoverable'
    const mine = await guidance().project(ownSession, { name: 'Mine', visibility })
    const other = await guidance().project(await guidance().signIn(root.email), { name: 'Other', visibility })
    await guidance().member(mine, reviewer, 'reviewer')
    const asking = await guidance().signIn(asker.email)
    for (const id of [mine, other]) await asking.call('POST', `/projects/${id}/project_access_requests`)
    const locked = await guidance().person('Locked')
    for (let attempt = 0; attempt < 3; attempt += 1) await logIn(guidance().nobody, locked.email, WRONG_PASSWORD)

    const request = (id: number, name: string) => ({ id: SOME_ID, user: asker, project: { id, name } })
    expect(await seenBy(owner)).toEqual({ requests: [request(mine, 'Mine')], locked: [] })
    for (const person of [reviewer, asker]) expect(await seenBy(person)).toEqual({ requests: [], locked: [] })
    expect(await seenBy(root)).toEqual({ requests: [request(mine, 'Mine'), request(other, 'Other')], locked: [locked] })
  })

  async function seenBy({ email }: Person) {
    const { body } = await (await guidance().signIn(email)).call('GET', '/api/navigation')
    expect(body).toMatchObject({ nav_links: NAV_LINKS })
    return { requests: memberOf(body, 'access_requests'), locked: memberOf(body, 'locked_users') }
  }
})

describe('The navigation where accounts are not locked', () => {
  const guidance = guidanceService({ SERVICE_LOCKOUT_ENABLED: 'false' })

  it('lists no locked accounts', async () => {
    const root = await guidance().signUp('Root', { admin: true })
    const ben = await guidance().person('Ben')
    expect((await root.call('POST', `/users/${ben.id}/lock`)).status).toBe(200)
    const { body } = await root.call('GET', '/api/navigation')
    expect(memberOf(body, 'locked_users')).toEqual([])
  })
})

function memberOf(body: unknown, name: string): unknown {
  return new Map(Object.entries(body ?? {})).get(name)
}
