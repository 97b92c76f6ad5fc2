import { beforeAll, describe, expect, it, vi } from 'vitest'
import { rememberPresence } from '../../../../src/guidance/activity/presence/writer.ts'
import { makeComponent, type MadeComponent } from '../../../support/authoring.ts'
import { alter, setRows, rowsOf, addRow } from '../../../support/guidance-records.ts'
import { guidanceService, type SessionClient, signedIn } from '../../../support/guidance.ts'
import { follow, type Follower } from '../events/follower.ts'

const guidance = guidanceService()
const SOON = { timeout: 5000, interval: 20 }
const HERE = 'samplewindow1'

describe('Presence in a component', () => {
  let made: MadeComponent
  let projectId = 0
  const owner = signedIn(guidance, 'Ada')
  const author = signedIn(guidance, 'Arthur')
  const stranger = signedIn(guidance, 'Otto')

  beforeAll(async () => {
    projectId = await guidance().project(owner, { name: 'P', visibility: 'hidden' })
    await guidance().member(projectId, author, 'author')
    made = await makeComponent(guidance(), owner, { projectId })
  })

  function pathOf(window: string, id = made.id): string {
    return `/api/components/${id}/presences/${window}`
  }

  function put(who: SessionClient, window: string, rule_id: number | null) {
    return who.call('PUT', pathOf(window), { body: { rule_id } })
  }

  function stream(who: SessionClient): Promise<Follower> {
    const url = `${guidance().service.baseUrl}/api/events?component_id=${made.id}&presences=true`
    return follow(url, { Cookie: who.cookie })
  }

  /** The rules that are open, by the latest event of a stream. */
  function openRules({ messages }: Follower): unknown {
    return messages.findLast(({ event }) => event === 'presences')?.data
  }

  it('is in the answer and in event streams until the window is closed', async () => {
    const follower = await stream(owner)
    const [, rule = 0] = made.rules
    const answer = await put(author, HERE, rule)
    const arthur = { name: 'Arthur', rule_id: rule, displayed_name: 'TEAP-00-000002' }
    expect(answer.body).toMatchObject({ people: [arthur] })
    await vi.waitFor(() => {
      expect(openRules(follower)).toMatchObject({ component_id: made.id, people: [arthur] })
    }, SOON)
    expect(follower.messages.find(({ event }) => event === 'presences')?.id).toBeNull()
    await put(author, 'another', rule)
    await put(author, HERE, null)
    await vi.waitFor(() => {
      expect(openRules(follower)).toMatchObject({ people: [{ rule_id: null }, arthur] })
    }, SOON)
    for (const window of [HERE, 'another']) await author.call('DELETE', pathOf(window))
    await vi.waitFor(() => {
      expect(openRules(follower)).toMatchObject({ people: [] })
    }, SOON)
  })

  it('ends with the session', async () => {
    const arthur = await guidance().person('Arthur too')
    await guidance().member(projectId, arthur, 'author')
    const [firstSession, secondSession] = [await guidance().signIn(arthur.email), await guidance().signIn(arthur.email)]
    const follower = await stream(owner)
    const [rule = 0] = made.rules
    await put(firstSession, 'here', rule)
    await put(secondSession, 'there', null)
    await vi.waitFor(() => {
      expect(openRules(follower)).toMatchObject({ people: [{ rule_id: null }, { rule_id: rule }] })
    }, SOON)
    await firstSession.call('DELETE', '/api/auth/logout')
    await vi.waitFor(() => {
      expect(openRules(follower)).toMatchObject({ people: [{ name: 'Arthur too', rule_id: null }] })
    }, SOON)
    await secondSession.call('DELETE', '/api/auth/logout')
    await vi.waitFor(() => {
      expect(openRules(follower)).toMatchObject({ people: [] })
    }, SOON)
  })

  it('is refused for a session that has ended', async () => {
    const caller = { id: owner.id, via: { kind: 'session', id: 999_999 } } as const
    const presence = { componentId: made.id, window: 'late', ruleId: null }
    await alter(guidance(), (writer) => rememberPresence(writer, { caller, ...presence }))
    const rows = await rowsOf(guidance(), 'presences', { window: 'late' })
    expect(rows).toEqual([])
  })

  it('includes what another process wrote and expires without renewal', async () => {
    const follower = await stream(owner)
    const timeBefore = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
    await addRow(guidance(), 'presences', {
      user_id: owner.id,
      window: 'elsewhere',
      component_id: made.id,
      rule_id: null,
      seen_at: timeBefore(88.5),
    })
    await vi.waitFor(() => {
      expect(openRules(follower)).toMatchObject({ people: [{ name: 'Ada' }] })
    }, SOON)
    await vi.waitFor(() => {
      expect(openRules(follower)).toMatchObject({ people: [] })
    }, SOON)
  })

  it('is hidden from people who are not members, also in released components', async () => {
    await put(author, HERE, null)
    await setRows(guidance(), 'components', { released: 1 }, { id: made.id })
    expect((await put(stranger, 'mine', null)).status).toBe(403)
    const follower = await stream(stranger)
    await vi.waitFor(() => {
      expect(openRules(follower)).toMatchObject({ people: [] })
    }, SOON)
    const member = await stream(owner)
    await vi.waitFor(() => {
      expect(openRules(member)).toMatchObject({ people: [{ name: 'Arthur' }] })
    }, SOON)
    expect(openRules(follower)).toMatchObject({ people: [] })
  })

  it('rejects rules of other components, odd window names and a 21st window', async () => {
    expect((await put(author, HERE, 999_999)).status).toBe(422)
    expect((await put(author, 'A'.repeat(40), null)).status).toBeGreaterThanOrEqual(400)
    await put(author, 'oldest', null)
    await setRows(guidance(), 'presences', { seen_at: new Date(Date.now() - 60_000).toISOString() })
    for (let index = 0; index < 25; index += 1) await put(author, `window${index}`, null)
    const rows = await rowsOf(guidance(), 'presences', { user_id: author.id })
    expect(rows).toHaveLength(20)
    expect(rows.map(({ window }) => window)).not.toContain('oldest')
  })
})
