import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { projectPage } from '../../../../src/guidance/authoring/projects/schemas.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService, type Client } from '../../../support/guidance.ts'
import { countStatements } from '../../../support/statements.ts'

const withId = z.object({ id: z.int() })

const guidance = guidanceService()

async function list(client: Client, q: string): Promise<z.infer<typeof projectPage>> {
  const { body } = await client.call('GET', `/api/projects?per_page=100&q=${encodeURIComponent(q)}`)
  return projectPage.parse(body)
}

async function names(client: Client, q: string): Promise<readonly string[]> {
  return (await list(client, q)).rows.map(({ name }) => name)
}

describe('A page of projects', () => {
  it('lists projects of members and discoverable ones, and all for a site administrator', async () => {
    const ada = await guidance().signUp('Ada')
    const hidden = await guidance().project(ada, { name: 'Seen hidden' })
    await guidance().project(ada, { name: 'Seen open', visibility: 'discoverable' })
    const bob = await guidance().signUp('Bob')
    const root = await guidance().signUp('Root', { admin: true })
    expect(await names(ada, 'Seen')).toEqual(['Seen hidden', 'Seen open'])
    expect(await names(bob, 'Seen')).toEqual(['Seen open'])
    expect(await names(root, 'Seen')).toEqual(['Seen hidden', 'Seen open'])
    expect((await list(bob, 'Seen')).pagination.total).toBe(1)
    await guidance().member(hidden, bob, 'viewer')
    expect(await names(bob, 'Seen')).toEqual(['Seen hidden', 'Seen open'])
    const token = await guidance().token(bob, ['read'])
    expect(await names(token, 'Seen')).toEqual(['Seen hidden', 'Seen open'])
    expect((await guidance().nobody.call('GET', '/api/projects')).status).toBe(401)
  })

  it('has exactly the fields of the specification', async () => {
    const session = await guidance().signUp('Fielder')
    const id = await guidance().project(session, { name: 'Fields', description: 'of a row' })
    await guidance().member(id, await guidance().person('Member'), 'admin')
    const { body } = await session.call('GET', '/api/projects?q=Fields')
    const [row] = projectPage.parse(body).rows
    const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
    expect(row?.created_at).toMatch(iso)
    expect(row?.updated_at).toMatch(iso)
    expect(body).toEqual({
      rows: [
        {
          id,
          name: 'Fields',
          description: 'of a row',
          visibility: 'hidden',
          memberships_count: 2,
          admin_name: 'Fielder',
          admin_email: 'fielder@example.org',
          created_at: row?.created_at,
          updated_at: row?.updated_at,
        },
      ],
      pagination: { page: 1, per_page: 25, total: 1 },
    })
  })

  it('has no administrator if the project has none', async () => {
    const session = await guidance().signUp('Leaver')
    const id = await guidance().project(session, { name: 'Left alone' })
    await setRows(guidance(), 'memberships', { role: 'viewer' }, { project_id: id })
    const { rows } = await list(session, 'Left alone')
    expect(rows).toMatchObject([{ admin_name: null, admin_email: null, memberships_count: 1 }])
  })
})

describe('The cards of all projects', () => {
  it('state the relation of the caller and list members for members only', async () => {
    const owner = await guidance().signUp('Owner')
    const hidden = await guidance().project(owner, { name: 'B card hidden' })
    const open = await guidance().project(owner, { name: 'a card', visibility: 'discoverable' })
    const guest = await guidance().signUp('Guest')
    const listedFor = async (client: Client): Promise<unknown> => {
      const { body } = await client.call('GET', '/projects')
      return Array.isArray(body) ? body.filter(({ id }) => id === hidden || id === open) : body
    }
    expect(await listedFor(guest)).toMatchObject([
      { id: open, admin: false, is_member: false, access_request_id: null, memberships: [] },
    ])
    const asked = await guest.call('POST', `/projects/${open}/project_access_requests`)
    const { id: request } = withId.parse(asked.body)
    expect(await listedFor(guest)).toMatchObject([
      { id: open, memberships_count: 1, access_request_id: request, memberships: [] },
    ])
    await guidance().member(hidden, guest, 'viewer')
    const members = [
      { name: 'Owner', role: 'admin', membership_type: 'Project', membership_id: hidden },
      { name: 'Guest', role: 'viewer', user_id: guest.id, email: guest.email },
    ]
    expect(await listedFor(guest)).toMatchObject([
      { id: open },
      { id: hidden, admin: false, is_member: true, memberships: members },
    ])
    expect(await listedFor(owner)).toMatchObject([
      { id: open, admin: true, is_member: true, access_request_id: null },
      { id: hidden, admin: true, is_member: true, memberships: members },
    ])
    const site = await guidance().signUp('Site', { admin: true })
    expect(await listedFor(site)).toMatchObject([
      { id: open, admin: false, is_member: false },
      { id: hidden, admin: false, is_member: false, memberships: members },
    ])
  })
})

describe('Lists of projects', () => {
  it('need the same number of statements for any number of projects', async () => {
    const session = await guidance().signUp('Counter')
    await guidance().project(session, { name: 'Counted' })
    const page = (): Promise<unknown> => list(session, 'Counted')
    const cards = (): Promise<unknown> => session.call('GET', '/projects')
    await page()
    const few = [await countStatements(page), await countStatements(cards)]
    for (let index = 1; index < 40; index += 1) await guidance().project(session, { name: 'Counted' })
    expect((await list(session, 'Counted')).rows).toHaveLength(40)
    expect([await countStatements(page), await countStatements(cards)]).toEqual(few)
    expect(Math.max(...few)).toBeLessThan(8)
    expect(Math.min(...few)).toBeGreaterThan(2)
  })
})
