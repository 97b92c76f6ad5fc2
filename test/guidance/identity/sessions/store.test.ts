// @module-tag database

import { promisify } from 'node:util'
import session, { type SessionData } from 'express-session'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '../../../../src/guidance/database/database.ts'
import { secondsLeft, SessionStore } from '../../../../src/guidance/identity/sessions/store.ts'
import { insertUser } from '../../../../src/guidance/identity/users/writer.ts'
import { SYSTEM } from '../../../../src/http/caller.ts'
import { freshDatabase } from '../../../support/fresh-database.ts'

const MINUTE = 60_000
const IDLE_MS = 10 * MINUTE

describe('The store of sessions', () => {
  it('returns stored sessions unchanged', async () => {
    const { get, set } = await openStore()
    await set('sid', holding({ consent: { at: 'now', version: 2 } }))
    const found = await get('sid')
    expect(found?.parapet).toEqual({ consent: { at: 'now', version: 2 } })
    expect(found?.timedOut).toBe(false)
    expect(await get('another')).toBeNull()
  })

  it('does not restore a session that ended during a request', async () => {
    const { get, set, destroy, touch, database } = await openStore()
    await set('sid', holding({}))
    const underWay = await get('sid')
    if (underWay == null) throw new Error('There is no session')
    await destroy('sid')
    await set('sid', { ...underWay, parapet: { consent: { at: 'now', version: 1 } } })
    await touch('sid', { ...underWay, touchedAt: 0 })
    expect(await get('sid')).toBeNull()
    expect(await countRows(database)).toBe(0)
  })

  it('does not restore a new session that ended before its response', async () => {
    const { get, set, destroy } = await openStore()
    const begun = holding({})
    await set('sid', begun)
    await destroy('sid')
    await set('sid', begun)
    expect(await get('sid')).toBeNull()
  })

  it('keeps one row for a session that is saved again', async () => {
    const { get, set, database } = await openStore()
    const begun = holding({})
    await set('sid', begun)
    begun.parapet = { consent: { at: 'later', version: 3 } }
    await set('sid', begun)
    expect((await get('sid'))?.parapet).toEqual({ consent: { at: 'later', version: 3 } })
    expect(await countRows(database)).toBe(1)
  })

  it.each([
    ['without a person has not timed out after 14 minutes', 'nobody', [14 * MINUTE], false],
    ['without a person has timed out after 15 minutes', 'nobody', [15 * MINUTE], true],
    ['without a person has timed out after 15 minutes of use', 'nobody', [10 * MINUTE, 5 * MINUTE], true],
    ['of a person has not timed out before the idle time', 'somebody', [IDLE_MS - 1], false],
    ['of a person has timed out after the idle time', 'somebody', [IDLE_MS], true],
    ['of a person has not timed out while it is used', 'somebody', [9 * MINUTE, 9 * MINUTE], false],
    ['of a person has timed out after the longest time of use', 'somebody', Array<number>(7).fill(9 * MINUTE), true],
    ['keeps the time of its last use for 30 seconds', 'somebody', [29_999, IDLE_MS - 29_999], true],
    ['notes its use after 30 seconds', 'somebody', [30_000, IDLE_MS - 1], false],
    ['that has timed out cannot be used again', 'somebody', [IDLE_MS, 1], true],
  ] as const)('%s', async (_title, who, pauses, timedOut) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { get, set, touch, database } = await openStore()
    await set('sid', holding(who === 'nobody' ? {} : { userId: await addPerson(database) }))
    for (const pause of pauses) {
      const found = await get('sid')
      if (found == null) throw new Error('There is no session')
      await touch('sid', found)
      vi.setSystemTime(Date.now() + pause)
    }
    expect((await get('sid'))?.timedOut).toBe(timedOut)
  })

  it('returns the time until a session expires', () => {
    const now = Date.now()
    const left = (session: Partial<SessionData>): number | null =>
      secondsLeft({ parapet: { userId: 1 }, expiresAt: now + 60 * MINUTE, ...session }, IDLE_MS)
    // The request before was long ago, so that this one is noted.
    expect(left({ touchedAt: now - 5 * MINUTE })).toBeGreaterThanOrEqual(599)
    // It was noted just before, and is not noted again.
    expect(left({ touchedAt: now - 20_000 })).toBeLessThanOrEqual(580)
    expect(left({ touchedAt: now, expiresAt: now + MINUTE })).toBeLessThanOrEqual(60)
    expect(left({ touchedAt: now - 20 * MINUTE, timedOut: true })).toBeNull()
    expect(left({ touchedAt: now, parapet: {} })).toBeNull()
    expect(left({})).toBeNull()
    expect(secondsLeft({ parapet: { userId: 1 }, touchedAt: now }, IDLE_MS)).toBeNull()
  })

  it('reports a database that does not answer', async () => {
    const { get, set, destroy, database } = await openStore()
    await set('sid', holding({}))
    await get('sid')
    await database.close()
    await expect(get('sid')).rejects.toThrow()
    await expect(set('sid', holding({}))).rejects.toThrow()
    await expect(destroy('sid')).rejects.toThrow()
  })
})

function holding(parapet: SessionData['parapet'] & object): SessionData {
  return { cookie: new session.Cookie(), parapet }
}

async function openStore() {
  const database = await (await freshDatabase()).open()
  const store = new SessionStore({ database, cookie: { path: '/' }, idleMs: IDLE_MS, absoluteMs: 60 * MINUTE })
  return {
    database,
    get: promisify(store.get.bind(store)),
    set: promisify((sid: string, data: SessionData, done: (error?: unknown) => void) => {
      store.set(sid, data, done)
    }),
    touch: promisify((sid: string, data: SessionData, done: (error?: unknown) => void) => {
      store.touch(sid, data, done)
    }),
    destroy: promisify((sid: string, done: (error?: unknown) => void) => {
      store.destroy(sid, done)
    }),
  }
}

function addPerson(database: Database): Promise<number> {
  const account = { name: 'Ada', email: 'ada@example.org', admin: false, passwordHash: null, confirmed: true }
  return database.transact(async (writer) => {
    const { id } = await insertUser(writer, account, { actor: SYSTEM, title: 'Could not add a person.' })
    return id
  })
}

async function countRows({ read }: Database): Promise<number> {
  return (await read.selectFrom('sessions').select('id').execute()).length
}
