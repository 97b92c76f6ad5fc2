// @module-tag database

import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { makeLink } from '../../../src/guidance/identity/links/links.ts'
import { cleanUp, startHousekeeping } from '../../../src/guidance/service/housekeeping.ts'
import { ALONE } from '../../../src/platform/processes/process-position.ts'
import { cookieOf, statusOf } from '../../support/accounts.ts'
import { ago, alter, dayIn, makeToken, rowsOf, setRows } from '../../support/guidance-records.ts'
import { guidanceService } from '../../support/guidance.ts'

const guidance = guidanceService()
const MINUTE = 60_000

describe('The clean-up', () => {
  it('removes expired sessions and no others', async () => {
    const idle = await guidance().signUp('Ada')
    await age({ touched_at: ago(11 * MINUTE) })
    const old = await guidance().signIn(idle.email)
    await alter(guidance(), (writer) =>
      writer
        .updateTable('sessions')
        .set({ expires_at: ago(1) })
        .where('touched_at', '>', ago(MINUTE))
        .execute(),
    )
    const alive = await guidance().signIn(idle.email)
    expect(await countSessions()).toBe(3)
    await cleanUp(guidance().service.guidance)
    expect(await countSessions()).toBe(1)
    for (const session of [idle, old])
      expect(await session.call('GET', '/api/auth/me')).toMatchObject({
        status: 401,
        body: { code: 'not_authenticated' },
      })
    expect(await statusOf(alive)).toBe(200)
  })

  it('keeps a session without an account until it expires', async () => {
    await alter(guidance(), (writer) => writer.deleteFrom('sessions').execute())
    expect(cookieOf(await guidance().nobody.call('POST', '/consent/acknowledge'))).not.toBe('')
    await setRows(guidance(), 'sessions', { touched_at: ago(14 * MINUTE) })
    await cleanUp(guidance().service.guidance)
    expect(await countSessions()).toBe(1)
    await setRows(guidance(), 'sessions', { expires_at: ago(1) })
    await cleanUp(guidance().service.guidance)
    expect(await countSessions()).toBe(0)
  })

  it('removes expired links and no others', async () => {
    const { keys } = guidance().service.guidance
    const { id: userId } = await guidance().person('Ben')
    await alter(guidance(), async (writer) => {
      await writer.deleteFrom('one_time_links').execute()
      await makeLink(writer, keys.link, { purpose: 'unlock', userId, email: null })
      await writer
        .updateTable('one_time_links')
        .set({ expires_at: ago(1) })
        .execute()
      await makeLink(writer, keys.link, { purpose: 'confirm_email', userId, email: null })
    })
    await cleanUp(guidance().service.guidance)
    expect(await rowsOf(guidance(), 'one_time_links')).toMatchObject([{ purpose: 'confirm_email' }])
  })

  it('revokes stale tokens, and says how many', async () => {
    const session = await guidance().signUp('Cleo')
    const [expired, unused, good] = [
      await makeToken(guidance(), session),
      await makeToken(guidance(), session),
      await makeToken(guidance(), session),
    ]
    await changeToken(expired.id, { expires_at: dayIn(0) })
    await changeToken(unused.id, { last_used_at: ago(91 * 24 * 60 * MINUTE) })
    const lines: string[] = []
    const log = pino({ base: null }, { write: (line) => void lines.push(line) })
    const parts = { ...guidance().service.guidance, log }
    await cleanUp(parts)
    await cleanUp(parts)
    expect(lines.map((line) => /"revoked":(\d+)/.exec(line)?.[1])).toEqual(['2'])
    expect([await statusOf(unused.client), await statusOf(good.client)]).toEqual([401, 200])
  })
})

describe('The housekeeping', () => {
  it('runs at the start and ends when it is stopped', async () => {
    await age({ expires_at: ago(1) })
    await startHousekeeping(guidance().service.guidance, ALONE).stop()
    expect(await countSessions()).toBe(0)
  })

  it('logs errors and continues', async () => {
    const lines: string[] = []
    const log = pino({ base: null }, { write: (line) => void lines.push(line) })
    const { settings, database } = guidance().service.guidance
    const failing = { ...database, transact: () => Promise.reject(new Error('The disk is full')) }
    await startHousekeeping({ settings, log, database: failing }, ALONE).stop()
    expect(lines.join()).toContain('The clean-up failed')
    expect(lines.join()).toContain('The disk is full')
  })
})

function age(times: { readonly touched_at?: string; readonly expires_at?: string }): Promise<unknown> {
  return setRows(guidance(), 'sessions', times)
}

function changeToken(
  id: number,
  change: { readonly expires_at?: string; readonly last_used_at?: string },
): Promise<unknown> {
  return setRows(guidance(), 'personal_access_tokens', change, { id })
}

async function countSessions(): Promise<number> {
  return (await rowsOf(guidance(), 'sessions')).length
}
