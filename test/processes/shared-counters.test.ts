import { describe, expect, it } from 'vitest'
import { openCounters, type Counters } from '../../src/guidance/counters.ts'
import { Channel } from '../../src/platform/processes/channel.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { TO_LEADER, TO_MEMBER, type ToLeader, type ToMember } from '../../src/processes/protocol.ts'
import { counterHandlers, remoteCounters } from '../../src/processes/shared-counters.ts'
import { refusalOf } from '../support/refusal.ts'
import { wires } from '../support/wires.ts'

const KEY = '192.0.2.7'

/** The counters of a process that does not lead, with a limit of two sign-ins. */
function counters(): Counters {
  const { guidance } = readSettings({ SERVICE_RATE_LIMIT_LOGINS: '2' })
  const [leading, serving] = wires()
  const served = { position: () => ({ number: 1, count: 2, isFirst: false }) }
  const handlers = { ...served, opened: () => null, serving: () => null }
  new Channel<ToMember, ToLeader>(leading, TO_MEMBER, {
    protocol: TO_LEADER,
    handlers: { ...handlers, ...counterHandlers(openCounters(guidance)) },
  })
  const leader = new Channel<ToLeader, ToMember>(serving, TO_LEADER, {
    protocol: TO_MEMBER,
    handlers: { metrics: () => [], stop: () => null },
  })
  return remoteCounters(leader)
}

describe('A counter in another process', () => {
  it('refuses beyond its limit with the time to wait, and logs it once', async () => {
    const { logins } = counters().limits
    const logged: string[] = []
    const count = (): Promise<void> => logins.count(KEY, () => logged.push(KEY))
    await count()
    await count()
    for (const _again of [1, 2]) {
      const { code, members } = await refusalOf(count)
      expect([code, Number(members['retry_after']) > 0]).toEqual(['rate_limited', true])
    }
    expect(logged).toEqual([KEY])
    await logins.count('192.0.2.8')
  })

  it('takes back an event that was no attempt', async () => {
    const { logins } = counters().limits
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await logins.count(KEY)
      await logins.forgive(KEY)
    }
    await logins.count(KEY)
    await logins.count(KEY)
    expect((await refusalOf(() => logins.count(KEY))).code).toBe('rate_limited')
  })

  it('counts unknown addresses separately', async () => {
    const { unknownAddresses } = counters()
    expect(await unknownAddresses.count('nobody@example.org')).toBe(1)
    expect(await unknownAddresses.count('nobody@example.org')).toBe(2)
    expect(await unknownAddresses.count('other@example.org')).toBe(1)
  })
})
