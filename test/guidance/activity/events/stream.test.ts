// @module-tag database
// @module-tag node

import { beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { recordEvents } from '../../../../src/guidance/activity/events/record.ts'
import { SYSTEM } from '../../../../src/http/caller.ts'
import { componentMember, makeComponent } from '../../../support/authoring.ts'
import { alter, makeToken, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, type Person, type SessionClient } from '../../../support/guidance.ts'
import { follow, happen, ruleUpdated, type Follower } from './follower.ts'

const guidance = guidanceService()
/** For events that come at once. */
const SOON = { timeout: 5000, interval: 20 }

let people = 0
let owner: Person
let ownerSession: SessionClient

beforeAll(async () => {
  owner = await somebody()
  ownerSession = await guidance().signIn(owner.email)
})

function somebody(admin = false): Promise<Person> {
  people += 1
  return guidance().person(`Follower${people}`, { admin })
}

function database(): ReturnType<typeof guidance>['service']['guidance']['database'] {
  return guidance().service.guidance.database
}

function stream(
  { cookie }: SessionClient,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Follower> {
  const url = `${guidance().service.baseUrl}/api/events${query}`
  return follow(url, { Cookie: cookie, ...headers })
}

async function authored(): Promise<{ readonly projectId: number; readonly componentId: number }> {
  const projectId = await guidance().project(ownerSession, { name: 'P', visibility: 'hidden' })
  const { id: componentId } = await makeComponent(guidance(), owner, { projectId })
  return { projectId, componentId }
}

/** Follows, and waits until the stream has begun. */
async function begun(
  session: SessionClient,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<Follower> {
  const follower = await stream(session, query, headers)
  expect(follower.status).toBe(200)
  await vi.waitFor(() => {
    expect(follower.messages.length).toBeGreaterThan(0)
  }, SOON)
  return follower
}

describe('GET /api/events', () => {
  it('sends new events to a member and none to a stranger', async () => {
    const { projectId, componentId } = await authored()
    const stranger = await guidance().signIn((await somebody()).email)
    const [member, other] = [await begun(ownerSession), await begun(stranger)]
    expect([member.kinds(), other.kinds()]).toEqual([[], []])
    await happen(database(), ruleUpdated(projectId, componentId, 7))
    await vi.waitFor(() => {
      expect(member.kinds()).toEqual(['rule.updated'])
    }, SOON)
    const message = member.messages.find(({ event }) => event !== null)
    expect(message?.data).toEqual({
      id: message?.id,
      kind: 'rule.updated',
      created_at: z.object({ created_at: z.iso.datetime() }).parse(message?.data).created_at,
      actor: 'system',
      project_id: projectId,
      component_id: componentId,
      data: { rule_id: 7 },
    })
    expect(other.kinds()).toEqual([])
  })

  it('sends no events of a transaction that is rolled back', async () => {
    const { projectId, componentId } = await authored()
    const member = await begun(ownerSession)
    const failing = database().transact(async (writer) => {
      await recordEvents(writer, SYSTEM, [ruleUpdated(projectId, componentId, 1)])
      throw new Error('No')
    })
    await expect(failing).rejects.toThrow('No')
    await happen(database(), ruleUpdated(projectId, componentId, 2))
    await vi.waitFor(() => {
      expect(member.messages.filter(({ event }) => event !== null)).toMatchObject([{ data: { data: { rule_id: 2 } } }])
    }, SOON)
  })

  it('resumes after Last-Event-ID or the parameter of the address', async () => {
    const { projectId, componentId } = await authored()
    const first = await begun(ownerSession)
    await happen(database(), ...[1, 2, 3].map((rule) => ruleUpdated(projectId, componentId, rule)))
    await vi.waitFor(() => {
      expect(first.kinds()).toHaveLength(3)
    }, SOON)
    const ids = first.messages.flatMap(({ id, event }) => (event === null ? [] : [id ?? 0]))
    const byAddress = await begun(ownerSession, `?after=${ids[0]}`)
    const byHeader = await begun(ownerSession, '?after=0', { 'Last-Event-ID': String(ids[1]) })
    await vi.waitFor(() => {
      expect(byAddress.messages.filter(({ event }) => event !== null).map(({ id }) => id)).toEqual(ids.slice(1))
      expect(byHeader.messages.filter(({ event }) => event !== null).map(({ id }) => id)).toEqual(ids.slice(2))
    }, SOON)
  })

  it('sends only the kinds and components of the filter', async () => {
    const [first, second] = [await authored(), await authored()]
    const followers = await Promise.all(
      [`?project_id=${first.projectId}`, `?component_id=${second.componentId}`, '?kinds=rule.locked,rule.unlocked'].map(
        (query) => begun(ownerSession, query),
      ),
    )
    await happen(
      database(),
      ruleUpdated(first.projectId, first.componentId),
      ruleUpdated(second.projectId, second.componentId),
      { ...ruleUpdated(second.projectId, second.componentId), kind: 'rule.locked' },
    )
    await vi.waitFor(() => {
      expect(followers.map((follower) => follower.kinds())).toEqual([
        ['rule.updated'],
        ['rule.updated', 'rule.locked'],
        ['rule.locked'],
      ])
    }, SOON)
  })

  it.each([
    '?kinds=rule.eaten',
    '?kinds=',
    '?project_id=0',
    '?component_id=x',
    '?after=-1',
    '?after=2147483648',
    '?stream=true',
  ])('refuses %s', async (query) => {
    const { status, body } = await ownerSession.call('GET', `/api/events${query}`)
    expect([status, body]).toMatchObject([400, { code: 'parameter_invalid' }])
  })

  it('refuses an invalid Last-Event-ID', async () => {
    const { status } = await ownerSession.call('GET', '/api/events', { headers: { 'Last-Event-ID': 'x' } })
    expect(status).toBe(400)
  })
})

describe('The events of a person', () => {
  it('are those of components that the person may read', async () => {
    const [joined, released, foreign] = [await authored(), await authored(), await authored()]
    const person = await somebody()
    await componentMember(guidance(), joined.componentId, { person, role: 'viewer' })
    await setRows(guidance(), 'components', { released: 1 }, { id: released.componentId })
    const follower = await begun(await guidance().signIn(person.email))
    const root = await begun(await guidance().signIn((await somebody(true)).email))
    const components = [joined, released, foreign]
    await happen(database(), ...components.map(({ projectId, componentId }) => ruleUpdated(projectId, componentId)))
    const componentsOf = ({ messages }: Follower): unknown[] =>
      messages.flatMap(({ data }) => {
        const parsed = z.object({ component_id: z.int() }).safeParse(data)
        return parsed.success ? [parsed.data.component_id] : []
      })
    await vi.waitFor(() => {
      expect(componentsOf(root)).toEqual(components.map(({ componentId }) => componentId))
    }, SOON)
    await vi.waitFor(() => {
      expect(componentsOf(follower)).toEqual([joined.componentId, released.componentId])
    }, SOON)
  })

  it('change with the roles of the person while the stream is open', async () => {
    const { projectId, componentId } = await authored()
    const kept = await authored()
    const person = await somebody()
    await guidance().member(projectId, person, 'viewer')
    await guidance().member(kept.projectId, person, 'viewer')
    const follower = await begun(await guidance().signIn(person.email))
    const hasRule = async (rule: number): Promise<void> => {
      await vi.waitFor(() => {
        expect(JSON.stringify(follower.messages)).toContain(`{"rule_id":${rule}}`)
      }, SOON)
    }
    await happen(database(), ruleUpdated(projectId, componentId, 1))
    await hasRule(1)
    await alter(guidance(), (writer) =>
      writer.deleteFrom('memberships').where('user_id', '=', person.id).where('project_id', '=', projectId).execute(),
    )
    await happen(database(), ruleUpdated(projectId, componentId, 2))
    // Events come in order: with this one, all before it have been decided on.
    await happen(database(), ruleUpdated(kept.projectId, kept.componentId, 3))
    await hasRule(3)
    await guidance().member(projectId, person, 'viewer')
    await happen(database(), ruleUpdated(projectId, componentId, 4))
    await hasRule(4)
    const rules = follower.messages.filter(({ event }) => event !== null)
    expect(rules).toMatchObject([1, 3, 4].map((rule) => ({ data: { data: { rule_id: rule } } })))
  })

  it('stay separate from those of others who follow the same project', async () => {
    const { projectId, componentId } = await authored()
    const { id: releasedId } = await makeComponent(guidance(), owner, { projectId })
    await setRows(guidance(), 'components', { released: 1 }, { id: releasedId })
    const [member, guest, changing] = [await somebody(), await somebody(), await somebody()]
    await guidance().member(projectId, member, 'viewer')
    await guidance().member(projectId, changing, 'viewer')
    await componentMember(guidance(), componentId, { person: guest, role: 'viewer' })
    const followers: Follower[] = []
    for (const { email } of [member, guest, await somebody(true), await somebody(), changing])
      followers.push(await begun(await guidance().signIn(email), `?project_id=${projectId}`))
    const rule = z.object({ data: z.object({ rule_id: z.int() }) })
    const rulesOf = ({ messages }: Follower): number[] =>
      messages.flatMap(({ event, data }) => (event === null ? [] : rule.parse(data).data.rule_id))
    // Everybody may see released rules: with their events, all before them have been decided on.
    const expectRules = async (first: number, expected: unknown): Promise<void> => {
      await happen(
        database(),
        ruleUpdated(projectId, componentId, first),
        ruleUpdated(projectId, releasedId, first + 1),
      )
      await vi.waitFor(() => {
        expect(followers.map(rulesOf)).toEqual(expected)
      }, SOON)
    }
    await expectRules(1, [[1, 2], [1, 2], [1, 2], [2], [1, 2]])
    await alter(guidance(), (writer) => writer.deleteFrom('memberships').where('user_id', '=', changing.id).execute())
    const upTo4 = [1, 2, 3, 4]
    await expectRules(3, [upTo4, upTo4, upTo4, [2, 4], [1, 2, 4]])
    await guidance().member(projectId, changing, 'viewer')
    const upTo6 = [...upTo4, 5, 6]
    await expectRules(5, [upTo6, upTo6, upTo6, [2, 4, 6], [1, 2, 4, 5, 6]])
  })

  it('end with the session or the token', async () => {
    const { projectId, componentId } = await authored()
    const person = await somebody()
    await guidance().member(projectId, person, 'viewer')
    const session = await guidance().signIn(person.email)
    const keeper = await guidance().signIn(person.email)
    const token = await makeToken(guidance(), keeper)
    const url = `${guidance().service.baseUrl}/api/events`
    const byToken = await follow(url, { Authorization: `Token ${token.raw}` })
    const bySession = await begun(session)
    const kept = await begun(keeper)
    await session.call('DELETE', '/api/auth/logout')
    await keeper.call('DELETE', `/personal_access_tokens/${token.id}`)
    await happen(database(), ruleUpdated(projectId, componentId))
    await Promise.all([byToken.over, bySession.over])
    await vi.waitFor(() => {
      expect(kept.kinds()).toEqual(['rule.updated'])
    }, SOON)
    expect([byToken.kinds(), bySession.kinds()]).toEqual([[], []])
  })
})

describe('The number of streams', () => {
  it('is limited for each person, and a closed stream makes room', async () => {
    const session = await guidance().signIn((await somebody()).email)
    const open = await Promise.all(Array.from({ length: 10 }, () => begun(session)))
    const { status, body, headers } = await session.call('GET', '/api/events')
    expect([status, body]).toMatchObject([429, { code: 'rate_limited' }])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    open[0]?.stop()
    await vi.waitFor(async () => {
      const again = await stream(session)
      again.stop()
      expect(again.status).toBe(200)
    }, SOON)
  })

  it('does not count requests for the head alone', async () => {
    const session = await guidance().signIn((await somebody()).email)
    for (let round = 0; round < 12; round += 1) {
      const { status, headers } = await session.call('HEAD', '/api/events')
      expect([status, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8'])
    }
  })
})
