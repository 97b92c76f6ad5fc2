// @module-tag database

import { promisify } from 'node:util'
import session, { type SessionData } from 'express-session'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../../src/guidance/database/database.ts'
import { secondsLeft, SessionStore } from '../../../../src/guidance/identity/sessions/store.ts'
import { freshDatabase } from '../../../support/fresh-database.ts'

const MINUTE = 60_000

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

  it('returns the time until a session expires', () => {
    const now = Date.now()
    const idleMs = 10 * MINUTE
    const left = (session: Partial<SessionData>): number | null =>
      secondsLeft({ parapet: { userId: 1 }, expiresAt: now + 60 * MINUTE, ...session }, idleMs)
    // The request before was long ago, so that this one is noted.
    expect(left({ touchedAt: now - 5 * MINUTE })).toBeGreaterThanOrEqual(599)
    // It was noted just before, and is not noted again.
    expect(left({ touchedAt: now - 20_000 })).toBeLessThanOrEqual(580)
    expect(left({ touchedAt: now, expiresAt: now + MINUTE })).toBeLessThanOrEqual(60)
    expect(left({ touchedAt: now - 20 * MINUTE, timedOut: true })).toBeNull()
    expect(left({ touchedAt: now, parapet: {} })).toBeNull()
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
  const store = new SessionStore({ database, cookie: { path: '/' }, idleMs: 10 * MINUTE, absoluteMs: 60 * MINUTE })
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

async function countRows({ read }: Database): Promise<number> {
  return (await read.selectFrom('sessions').select('id').execute()).length
}
