// @module-tag database

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase, type Database } from '../../../src/guidance/database/database.ts'
import { isUnreachable } from '../../../src/guidance/database/faults.ts'
import { insertUser } from '../../../src/guidance/identity/users/writer.ts'
import { SYSTEM } from '../../../src/http/caller.ts'
import { createLog } from '../../../src/platform/log.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { freshDatabase, type FreshDatabase } from '../../support/fresh-database.ts'
import { startGuidance, type GuidanceUnderTest } from '../../support/guidance.ts'
import { refusalOf } from '../../support/refusal.ts'
import { startProxy, type TcpProxy } from '../../support/tcp-proxy.ts'

function addUser(database: Database, name: string): Promise<{ readonly id: number }> {
  const account = { name, email: `${name}@example.org`, passwordHash: null }
  const how = { actor: SYSTEM, title: 'Could not add a person.' }
  return database.transact((writer) => insertUser(writer, { ...account, admin: false, confirmed: true }, how))
}

async function namesOf({ read }: Database): Promise<readonly string[]> {
  const rows = await read.selectFrom('users').select('name').orderBy('id').execute()
  return rows.map(({ name }) => name)
}

/** Ends the connections of the program as an administrator of PostgreSQL may. */
function endConnections({ run }: FreshDatabase): Promise<unknown> {
  return run(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'parapet'`)
}

/** The address of a database as it is reached through a proxy. */
async function proxied(url: string): Promise<{ readonly url: string; readonly proxy: TcpProxy }> {
  const through = new URL(url)
  const proxy = await startProxy(through)
  through.hostname = '127.0.0.1'
  through.port = String(proxy.port)
  return { url: through.href, proxy }
}

async function urlOf(): Promise<string> {
  const { url } = await freshDatabase()
  if (url === null) throw new Error('These tests need PostgreSQL')
  return url
}

async function serviceBehindProxy(): Promise<{ readonly guidance: GuidanceUnderTest; readonly proxy: TcpProxy }> {
  const { url, proxy } = await proxied(await urlOf())
  const guidance = await startGuidance(await temporaryFolder(), { SERVICE_DATABASE_URL: url })
  onTestFinished(() => guidance.service.close())
  return { guidance, proxy }
}

const onPostgres = process.env['PARAPET_TEST_DIALECT'] === 'postgres'

describe.runIf(onPostgres)('PostgreSQL', () => {
  it('gets a new connection when one is lost while nobody uses it', async () => {
    const fresh = await freshDatabase()
    const database = await fresh.open()
    await addUser(database, 'ada')
    await endConnections(fresh)
    await sleep(50)
    expect(await namesOf(database)).toEqual(['ada'])
    await addUser(database, 'bob')
    expect(await namesOf(database)).toEqual(['ada', 'bob'])
  })

  it('rolls back a transaction whose connection is lost, and reports the reason', async () => {
    const fresh = await freshDatabase()
    const database = await fresh.open()
    const failing = database.transact(async (writer) => {
      await writer.deleteFrom('users').execute()
      await endConnections(fresh)
      await sleep(50)
      await writer.selectFrom('users').selectAll().execute()
    })
    await expect(failing).rejects.toSatisfy(isUnreachable)
    await addUser(database, 'ada')
    expect(await namesOf(database)).toEqual(['ada'])
  })

  it('runs a transaction again that it ended because of a deadlock', async () => {
    const database = await (await freshDatabase()).open()
    const { id: ada } = await addUser(database, 'ada')
    const { id: bob } = await addUser(database, 'bob')
    let [runs, updates] = [0, 0]
    let goOn: () => void = () => undefined
    const bothHaveOne = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const touch = (first: number, second: number): Promise<void> =>
      database.transact(async (writer) => {
        runs += 1
        for (const id of [first, second]) {
          await writer
            .updateTable('users')
            .set((is) => ({ failed_attempts: is('failed_attempts', '+', 1) }))
            .where('id', '=', id)
            .execute()
          updates += 1
          if (updates === 2) goOn()
          await bothHaveOne
        }
      })
    await Promise.all([touch(ada, bob), touch(bob, ada)])
    const rows = await database.read.selectFrom('users').select('failed_attempts').execute()
    expect(rows).toEqual([{ failed_attempts: 2 }, { failed_attempts: 2 }])
    expect(runs).toBeGreaterThan(2)
  })

  it('is waited for at the start while it does not answer', async () => {
    const { url, proxy } = await proxied(await urlOf())
    await proxy.stop()
    const dataDir = await temporaryFolder()
    const opening = openDatabase({ url, dataDir, log: createLog('silent'), waitMs: 30_000 })
    await sleep(400)
    await proxy.resume()
    const database = await opening
    onTestFinished(() => database.close())
    expect(await namesOf(database)).toEqual([])
  })

  it('is not waited for longer than the setting says', async () => {
    const { url, proxy } = await proxied(await urlOf())
    await proxy.stop()
    const address = { url, dataDir: await temporaryFolder(), log: createLog('silent') }
    const { code } = await refusalOf(() => openDatabase({ ...address, waitMs: 300 }))
    expect(code).toBe('database_unavailable')
  })

  it('stops the start when it does not answer, or rejects the login', async () => {
    const dataDir = await temporaryFolder()
    const log = createLog('silent')
    const { url, proxy } = await proxied(await urlOf())
    await proxy.stop()
    const stopped = await refusalOf(() => openDatabase({ url, dataDir, log }))
    expect(stopped.code).toBe('database_unavailable')
    await proxy.hang()
    const hanging = await refusalOf(() => openDatabase({ url, dataDir, log }))
    expect(hanging.code).toBe('database_unavailable')
    await proxy.resume()
    const unknown = new URL(url)
    unknown.pathname = '/no_such_database'
    unknown.password = 'a-password-that-stays-secret'
    const refusal = await refusalOf(() => openDatabase({ url: unknown.href, dataDir, log }))
    expect(refusal.code).toBe('database_unusable')
    expect(refusal.message).toContain('no_such_database')
    expect(refusal.message).not.toContain('stays-secret')
  })

  it('may be unavailable while the service runs: requests get 503 until it is back', async () => {
    const { guidance, proxy } = await serviceBehindProxy()
    const session = await guidance.signUp('Ada', { admin: true })
    const project = { body: { project: { name: 'While it is away' } } }
    await proxy.stop()
    for (const [method, sent] of [
      ['GET', {}],
      ['POST', project],
    ] as const) {
      const { status, body } = await session.call(method, '/projects', sent)
      expect(status).toBe(503)
      expect(body).toMatchObject({ code: 'database_unavailable' })
    }
    await proxy.resume()
    expect((await session.call('POST', '/projects', project)).status).toBe(200)
    expect((await session.call('GET', '/projects')).body).toHaveLength(1)
  })

  it('answers 503 to running requests when it becomes unavailable, and executes none in part', async () => {
    const { guidance, proxy } = await serviceBehindProxy()
    const session = await guidance.signUp('Bob')
    for (let round = 0; round < 5; round += 1) {
      const answers = Array.from({ length: 20 }, (_, index) =>
        session.call('POST', '/projects', { body: { project: { name: `${round} ${index}` } } }),
      )
      await sleep(5 + round * 10)
      await proxy.stop()
      const statuses = new Set((await Promise.all(answers)).map(({ status }) => status))
      expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
      await proxy.resume()
      const { body } = await session.call('GET', '/projects')
      expect(body).toSatisfy((cards: readonly { admin: boolean }[]) => cards.every((card) => card.admin))
    }
  })
})
