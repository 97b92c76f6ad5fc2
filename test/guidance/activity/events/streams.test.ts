// @module-tag database

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { recordEvents } from '../../../../src/guidance/activity/events/record.ts'
import { EventStreams } from '../../../../src/guidance/activity/events/streams.ts'
import { findHorizon } from '../../../../src/guidance/activity/events/visible-events.ts'
import type { Database } from '../../../../src/guidance/database/database.ts'
import { findValidCallers } from '../../../../src/guidance/identity/sessions/valid-callers.ts'
import { insertUser } from '../../../../src/guidance/identity/users/writer.ts'
import { SYSTEM } from '../../../../src/http/caller.ts'
import { createLog } from '../../../../src/platform/log.ts'
import { freshDatabase } from '../../../support/fresh-database.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { happen, ruleUpdated } from './follower.ts'

type Streams = Readonly<{ database: Database; streams: EventStreams; follower: Follower }>
type Follower = Parameters<EventStreams['open']>[0]

const EVERYTHING = { projectId: null, componentId: null, kinds: [], presences: false }

const consent = { enabled: false, version: 1, title: '', content: '', ttl: 0 }

/** Streams of a site administrator with a token, on a database of their own. */
async function makeStreams(database: Database): Promise<Streams> {
  const { id, name, email } = await database.transact(async (writer) => {
    const account = { name: 'Root', email: 'root@example.org', passwordHash: null }
    const how = { actor: SYSTEM, title: 'Could not add a person.' }
    const user = await insertUser(writer, { ...account, admin: true, confirmed: true }, how)
    return { ...account, id: user.id }
  })
  const tokenId = await addToken(database, id)
  const streams = new EventStreams({
    database,
    log: createLog('silent'),
    heartbeatMs: 50,
    findValidCallers: (known) =>
      findValidCallers(database.read, known, { idleMs: 60_000, consent, secondFactor: 'none' }),
  })
  onTestFinished(() => streams.close())
  const caller = { id, name, email, admin: true, provider: null, via: { kind: 'token', id: tokenId } } as const
  return { database, streams, follower: { caller, filter: EVERYTHING, after: null } }
}

async function addToken(database: Database, user_id: number): Promise<number> {
  const now = new Date().toISOString()
  const { id } = await database.transact((writer) =>
    writer
      .insertInto('personal_access_tokens')
      .values({
        user_id,
        name: 'T',
        digest: 'x',
        token_prefix: 'svc_x',
        scopes: '["read"]',
        allowed_ips: '[]',
        expires_at: '2999-01-01',
        last_used_at: null,
        revoked_at: null,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  return id
}

/** Reads a stream in the background; the numbers of its events, and how many heartbeats there were. */
function listen({ events }: Awaited<ReturnType<EventStreams['open']>>): {
  readonly ids: number[]
  readonly heartbeats: () => number
  readonly over: Promise<void>
} {
  const ids: number[] = []
  let heartbeats = 0
  const read = async (): Promise<void> => {
    for await (const event of events) {
      if ('heartbeat' in event) heartbeats += 1
      else ids.push(event.id ?? 0)
    }
  }
  return { ids, heartbeats: () => heartbeats, over: read() }
}

describe('Streams of events', () => {
  it.each([
    ['has been revoked', { revoked_at: new Date().toISOString() }],
    ['has expired', { expires_at: new Date().toISOString().slice(0, 10) }],
  ])('send heartbeats, and end soon after the token %s', async (_title, change) => {
    const { open } = await freshDatabase()
    const { streams, follower, database } = await makeStreams(await open())
    const listener = listen(await streams.open(follower))
    await expect.poll(listener.heartbeats, { timeout: 5000 }).toBeGreaterThan(2)
    await database.transact((writer) => writer.updateTable('personal_access_tokens').set(change).execute())
    await listener.over
  })

  it('send no numbers of events that the caller may not read', async () => {
    const { open } = await freshDatabase()
    const { streams, follower, database } = await makeStreams(await open())
    await database.transact((writer) => writer.updateTable('users').set({ admin: 0 }).execute())
    await happen(database, ruleUpdated(1, 1))
    const caller = { ...follower.caller, admin: false }
    const heartbeats: number[] = []
    const { events, cancel } = await streams.open({ ...follower, caller })
    for await (const event of events) {
      if ('heartbeat' in event) heartbeats.push(event.heartbeat)
      if (heartbeats.length === 2) await happen(database, ruleUpdated(1, 1))
      if (heartbeats.length === 8) cancel()
    }
    expect([...new Set(heartbeats)]).toEqual([0])
  })

  it('end soon after the account has been locked by an administrator', async () => {
    const { open } = await freshDatabase()
    const { streams, follower, database } = await makeStreams(await open())
    const listener = listen(await streams.open(follower))
    await database.transact((writer) =>
      writer.updateTable('users').set({ locked_by: 'administrator', locked_at: new Date().toISOString() }).execute(),
    )
    await listener.over
  })

  it('end when the service closes, and no new ones are accepted', async () => {
    const { open } = await freshDatabase()
    const { streams, follower } = await makeStreams(await open())
    const listener = listen(await streams.open(follower))
    const unread = await streams.open(follower)
    streams.drain()
    await listener.over
    unread.cancel()
    expect(await refusalOf(() => streams.open(follower))).toMatchObject({ code: 'overloaded' })
  })

  it('are limited in total', async () => {
    const { open } = await freshDatabase()
    const { streams, follower } = await makeStreams(await open())
    const { caller } = follower
    for (let id = 1; id <= 200; id += 1) await streams.open({ ...follower, caller: { ...caller, id } })
    expect(await refusalOf(() => streams.open(follower))).toMatchObject({ code: 'overloaded' })
  })

  it('send events of other processes', async () => {
    const { open } = await freshDatabase()
    const { streams, follower } = await makeStreams(await open())
    const listener = listen(await streams.open(follower))
    await happen(await open(), ruleUpdated(1, 1))
    for (let wait = 0; wait < 100 && listener.ids.length === 0; wait += 1) await sleep(50)
    expect(listener.ids).toHaveLength(1)
  })

  it('skip and repeat nothing while several writers commit', async () => {
    const { open } = await freshDatabase()
    const { streams, follower, database } = await makeStreams(await open())
    const listener = listen(await streams.open(follower))
    const other = await open()
    const writers = Array.from({ length: 6 }, async (_one, index) => {
      for (let round = 0; round < 8; round += 1)
        await (index % 2 === 0 ? database : other).transact(async (writer) => {
          await recordEvents(writer, SYSTEM, [ruleUpdated(1, 1)])
          await sleep(Math.random() * 20)
          await recordEvents(writer, SYSTEM, [ruleUpdated(1, 1), ruleUpdated(1, 1)])
        })
    })
    await Promise.all(writers)
    for (let wait = 0; wait < 100 && listener.ids.length < 144; wait += 1) await sleep(50)
    expect(listener.ids).toHaveLength(144)
    expect(listener.ids).toEqual([...new Set(listener.ids)].sort((a, b) => a - b))
  })
})

const onPostgres = process.env['PARAPET_TEST_DIALECT'] === 'postgres'

describe.runIf(onPostgres)('The read horizon on PostgreSQL', () => {
  it('stays before a numbered transaction that has not committed', async () => {
    const { open } = await freshDatabase()
    const database = await open()
    await happen(database, ruleUpdated(1, 1))
    const before = await findHorizon(database)
    let commit: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      commit = resolve
    })
    let begun: () => void = () => undefined
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    const slow = database.transact(async (writer) => {
      await recordEvents(writer, SYSTEM, [ruleUpdated(1, 1)])
      begun()
      await held
    })
    await hasBegun
    await happen(database, ruleUpdated(1, 1))
    const meanwhile = await findHorizon(database)
    expect(meanwhile).toEqual({ newest: before.newest + 2, horizon: before.horizon })
    commit()
    await slow
    expect(await findHorizon(database)).toEqual({ newest: before.newest + 2, horizon: before.newest + 2 })
  })
})
