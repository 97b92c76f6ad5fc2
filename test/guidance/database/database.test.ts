// @module-tag database
// @module-tag node

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/guidance/database/database.ts'
import { isDuplicate, isOrphan } from '../../../src/guidance/database/faults.ts'
import { manyRows } from '../../../src/guidance/database/many-rows.ts'
import type { Reader, Writer } from '../../../src/guidance/database/transaction.ts'
import { insertUser } from '../../../src/guidance/identity/users/writer.ts'
import { SYSTEM } from '../../../src/http/caller.ts'
import { freshDatabase } from '../../support/fresh-database.ts'

const how = { actor: SYSTEM, title: 'Could not add a person.' }

async function addUser(writer: Writer, name: string): Promise<number> {
  const account = { name, passwordHash: null, admin: false, confirmed: true }
  return (await insertUser(writer, { ...account, email: `${name}@example.org` }, how)).id
}

async function namesOf({ read }: Database): Promise<readonly string[]> {
  const rows = await read.selectFrom('users').select('name').orderBy('id').execute()
  return rows.map(({ name }) => name)
}

/** That some users are the same with and without `manyRows`. */
async function expectBoth(reader: Reader, count: number): Promise<void> {
  const query = reader.selectFrom('users').selectAll().orderBy('id', 'desc').limit(count)
  const few = await query.execute()
  expect(few).toHaveLength(count)
  expect(await query.withPlugin(manyRows).execute()).toEqual(few)
}

/** Returns the reason of a rejected promise. */
async function errorOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown')
}

describe('The database', () => {
  it('keeps all that a transaction wrote, or nothing when it throws', async () => {
    const database = await (await freshDatabase()).open()
    await database.transact((writer) => addUser(writer, 'ada'))
    const failing = database.transact(async (writer) => {
      await addUser(writer, 'bob')
      throw new Error('after writing')
    })
    await expect(failing).rejects.toThrow('after writing')
    expect(await namesOf(database)).toEqual(['ada'])
    const audits = await database.read.selectFrom('audits').select('audited_name').execute()
    expect(audits).toEqual([{ audited_name: 'ada' }])
    await database.transact((writer) => addUser(writer, 'eve'))
    expect(await namesOf(database)).toEqual(['ada', 'eve'])
  })

  it('can be used after a refused statement', async () => {
    const database = await (await freshDatabase()).open()
    await database.transact((writer) => addUser(writer, 'ada'))
    const row = { user_id: 99, provider: 'oidc', uid: 'x', email: 'x', created_at: new Date().toISOString() } as const
    const orphan = await errorOf(database.transact((writer) => writer.insertInto('identities').values(row).execute()))
    expect([isOrphan(orphan), isDuplicate(orphan)]).toEqual([true, false])
    const twice = { ...row, user_id: 1 }
    const duplicate = await errorOf(
      database.transact((writer) => writer.insertInto('identities').values([twice, twice]).execute()),
    )
    expect([isOrphan(duplicate), isDuplicate(duplicate)]).toEqual([false, true])
    await database.transact((writer) => writer.insertInto('identities').values(twice).execute())
    await database.transact((writer) => writer.deleteFrom('users').where('id', '=', 1).execute())
    expect(await database.read.selectFrom('identities').selectAll().execute()).toEqual([])
  })

  it('returns many rows like few, in order, also inside a transaction', async () => {
    const database = await (await freshDatabase()).open()
    await database.transact(async (writer) => {
      for (const name of ['ada', 'bob', 'eve']) await addUser(writer, name)
      await expectBoth(writer, 3)
    })
    await expectBoth(database.read, 3)
    await expectBoth(database.read, 1)
    await expectBoth(database.read, 0)
  })

  it('serialises transactions that lock the same subject', async () => {
    const database = await (await freshDatabase()).open()
    const id = await database.transact((writer) => addUser(writer, 'ada'))
    const increment = (): Promise<void> =>
      database.transact(async (writer) => {
        await writer.lock('user', id)
        const { failed_attempts } = await writer.selectFrom('users').select('failed_attempts').executeTakeFirstOrThrow()
        await sleep(2)
        const next = { failed_attempts: failed_attempts + 1 }
        await writer.updateTable('users').set(next).execute()
      })
    await Promise.all(Array.from({ length: 20 }, increment))
    const { failed_attempts } = await database.read
      .selectFrom('users')
      .select('failed_attempts')
      .executeTakeFirstOrThrow()
    expect(failed_attempts).toBe(20)
  })

  it('lets transactions share a subject that none of them locks', async () => {
    const database = await (await freshDatabase()).open()
    const order: string[] = []
    const work = (name: string, how: 'share' | 'lock'): Promise<void> =>
      database.transact(async (writer) => {
        await writer[how]('component', 1)
        order.push(`${name} begins`)
        await sleep(200)
        order.push(`${name} ends`)
      })
    const sharing = [work('one', 'share'), work('other', 'share')]
    await sleep(100)
    await Promise.all([...sharing, work('last', 'lock')])
    const beside = database.dialect === 'postgres'
    expect(order.slice(0, 2).map((text) => text.split(' ')[1])).toEqual(['begins', beside ? 'begins' : 'ends'])
    expect(order.slice(4)).toEqual(['last begins', 'last ends'])
  })

  it('shows committed data to readers while a transaction writes', async () => {
    const database = await (await freshDatabase()).open()
    await database.transact(async (writer) => {
      await addUser(writer, 'ada')
      expect(await namesOf(database)).toEqual([])
    })
    expect(await namesOf(database)).toEqual(['ada'])
  })

  it('returns counts as numbers and times as written', async () => {
    const database = await (await freshDatabase()).open()
    const locked_at = '2026-01-31T23:59:59.007Z'
    await database.transact(async (writer) => {
      await addUser(writer, 'ada')
      await writer.updateTable('users').set({ locked_at, last_sign_in_at: null }).execute()
    })
    const row = await database.read
      .selectFrom('users')
      .select((is) => [is.fn.countAll().as('count'), is.fn.max('locked_at').as('locked_at')])
      .select((is) => is.fn.max('last_sign_in_at').as('never'))
      .executeTakeFirstOrThrow()
    expect(row).toEqual({ count: 1, locked_at, never: null })
  })

  it('finishes the running transaction when it is closed and refuses new ones', async () => {
    const fresh = await freshDatabase()
    const database = await fresh.open()
    const closing: Promise<void>[] = []
    await database.transact(async (writer) => {
      closing.push(database.close())
      await sleep(50)
      await addUser(writer, 'ada')
    })
    await Promise.all(closing)
    await expect(database.transact((writer) => addUser(writer, 'eve'))).rejects.toThrow()
    expect(await fresh.run('select name from users')).toEqual([{ name: 'ada' }])
  })

  it('is a file that only its owner can read', async () => {
    const { url, dataDir, open } = await freshDatabase('empty')
    const database = await open()
    await database.transact((writer) => addUser(writer, 'ada'))
    if (url !== null) return
    for (const name of ['parapet.db', 'parapet.db-wal', 'parapet.db-shm'])
      expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600)
  })
})
