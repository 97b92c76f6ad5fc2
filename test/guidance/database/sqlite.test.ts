// @module-tag database
// @module-tag node

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import Sqlite from 'libsql'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase, toRefusal, type Database } from '../../../src/guidance/database/database.ts'
import { manyRows } from '../../../src/guidance/database/many-rows.ts'
import { sqliteDialect } from '../../../src/guidance/database/sqlite.ts'
import { insertUser } from '../../../src/guidance/identity/users/writer.ts'
import { SYSTEM } from '../../../src/http/caller.ts'
import { createLog } from '../../../src/platform/log.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { refusalOf } from '../../support/refusal.ts'

interface Tables {
  numbers: { value: number }
}

function connect(file: string, mode: 'reader' | 'writer'): Kysely<Tables> {
  const connection = new Kysely<Tables>({ dialect: sqliteDialect(file, mode) })
  onTestFinished(() => connection.destroy())
  return connection
}

async function pragma(connection: Kysely<Tables>, name: string): Promise<unknown> {
  const { rows } = await sql`pragma ${sql.raw(name)}`.execute(connection)
  return rows[0]
}

async function withNumbers(): Promise<{ readonly file: string; readonly writer: Kysely<Tables> }> {
  const file = join(await temporaryFolder(), 'numbers.db')
  const writer = connect(file, 'writer')
  await sql`create table numbers (value integer not null) strict`.execute(writer)
  return { file, writer }
}

async function openIn(dataDir: string): Promise<Database> {
  const database = await openDatabase({ url: null, dataDir, log: createLog('silent') })
  onTestFinished(() => database.close())
  return database
}

const VALUES = ['a "b"\n\u2028\u{1F512}', null, 2 ** 40, -0.5, '', "it's", '{"json": [1]}']

/** So many columns that have these values in turn, and the row that they make. */
function columnsOf(count: number, values: readonly unknown[]) {
  const named = Array.from({ length: count }, (_none, index) => ({
    name: `it's "${index}"`,
    value: values[index % values.length],
  }))
  return {
    columns: named.map(({ name, value }) => sql`${value}`.as(name)),
    row: Object.fromEntries(named.map(({ name, value }) => [name, value])),
  }
}

/** Another connection that holds the write lock until it is told otherwise. */
function holdLock(file: string): () => void {
  const other = new Sqlite(file)
  other.exec('begin immediate')
  let held = true
  const release = (): void => {
    if (held) other.exec('commit')
    held = false
  }
  onTestFinished(() => {
    release()
    other.close()
  })
  return release
}

function addUser(database: Database, name: string): Promise<unknown> {
  const account = { name, email: `${name}@example.org`, passwordHash: null }
  const how = { actor: SYSTEM, title: 'Could not add a person.' }
  return database.transact((writer) => insertUser(writer, { ...account, admin: false, confirmed: true }, how))
}

/** The longest time for which the event loop stood still while something was done. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now()
  let longest = 0
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  await work()
  clearInterval(timer)
  return Math.max(longest, performance.now() - last)
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe.skipIf(process.env['PARAPET_TEST_DIALECT'] === 'postgres')('A SQLite file', () => {
  it('yields to other work between many simultaneous queries', async () => {
    const { file } = await withNumbers()
    const reader = connect(file, 'reader')
    const work = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 5000)
      select count(*) as c from n`
    const inTurns = [0]
    const many = Array.from({ length: 40 }, async () => {
      for (let turn = 0; turn < 10; turn += 1) {
        await work.execute(reader)
        inTurns.push((inTurns.pop() ?? 0) + 1)
      }
    })
    const allDone = Promise.all(many).then(() => true)
    while (!(await Promise.race([allDone, nextTurn(false)]))) inTurns.push(0)
    expect(Math.max(...inTurns)).toBeLessThan(200)
  })

  it('is written ahead, synchronised at each commit, and its references are enforced', async () => {
    const { file } = await withNumbers()
    for (const mode of ['writer', 'reader'] as const) {
      const connection = connect(file, mode)
      expect(await pragma(connection, 'journal_mode')).toEqual({ journal_mode: 'wal' })
      expect(await pragma(connection, 'synchronous')).toEqual({ synchronous: 2 })
      expect(await pragma(connection, 'foreign_keys')).toEqual({ foreign_keys: 1 })
    }
  })

  it('cannot be written by the reader', async () => {
    const { file, writer } = await withNumbers()
    const reader = connect(file, 'reader')
    const writing = reader.insertInto('numbers').values({ value: 1 }).execute()
    await expect(writing).rejects.toMatchObject({ code: 'SQLITE_READONLY' })
    await expect(sql`drop table numbers`.execute(reader)).rejects.toThrow()
    await writer.insertInto('numbers').values({ value: 1 }).execute()
    expect(await reader.selectFrom('numbers').selectAll().execute()).toEqual([{ value: 1 }])
  })

  it.each([true, undefined, new Date(0), { a: 1 }, [1], Symbol('s')])(
    'refuses to bind %s, and works on',
    async (value) => {
      const { writer } = await withNumbers()
      const writing = sql`insert into numbers values (${value})`.execute(writer)
      await expect(writing).rejects.toThrow(TypeError)
      await sql`insert into numbers values (${7})`.execute(writer)
      const bigint = await sql`select ${5n} as five, ${null} as none`.execute(writer)
      expect(bigint.rows).toEqual([{ five: 5, none: null }])
      expect(await writer.selectFrom('numbers').selectAll().execute()).toEqual([{ value: 7 }])
    },
  )

  it('counts the rows that a statement changed', async () => {
    const { writer } = await withNumbers()
    await writer
      .insertInto('numbers')
      .values([{ value: 1 }, { value: 2 }])
      .execute()
    const { numUpdatedRows } = await writer.updateTable('numbers').set({ value: 3 }).executeTakeFirstOrThrow()
    expect(numUpdatedRows).toBe(2n)
  })

  it('returns the stored values, including bytes and JSON', async () => {
    const { writer } = await withNumbers()
    const { columns, row } = columnsOf(200, [...VALUES, Buffer.from([0, 255])])
    expect(await writer.selectNoFrom(columns).execute()).toEqual([row])
  })

  it.each([1, 63])('returns the stored values of many rows with %i columns', async (count) => {
    const { writer } = await withNumbers()
    const { columns, row } = columnsOf(count, VALUES)
    const query = writer.selectNoFrom(columns)
    expect(await query.unionAll(query).withPlugin(manyRows).execute()).toEqual([row, row])
  })

  it.each([
    ['64 columns', 64, VALUES],
    ['bytes', 1, [Buffer.from([0, 255])]],
  ])('does not answer many rows of %s', async (_what, count, values) => {
    const { writer } = await withNumbers()
    const { columns, row } = columnsOf(count, values)
    const query = writer.selectNoFrom(columns)
    await expect(query.withPlugin(manyRows).execute()).rejects.toThrow(/too many arg|BLOB/)
    expect(await query.execute()).toEqual([row])
  })

  it('runs writers of this process one at a time', async () => {
    const { writer } = await withNumbers()
    const log: string[] = []
    const write = (name: string): Promise<void> =>
      writer.transaction().execute(async (transaction) => {
        log.push(`${name} in`)
        await sleep(5)
        await transaction.insertInto('numbers').values({ value: 1 }).execute()
        log.push(`${name} out`)
        if (name === 'b') throw new Error('b fails')
      })
    const settled = await Promise.allSettled(['a', 'b', 'c'].map(write))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out'])
    expect(await writer.selectFrom('numbers').selectAll().execute()).toHaveLength(2)
  })

  it('waits for a writing process and answers reads meanwhile', async () => {
    const dataDir = await temporaryFolder()
    const database = await openIn(dataDir)
    const release = holdLock(join(dataDir, 'parapet.db'))
    let reads = 0
    const pause = await longestPause(async () => {
      const writing = Promise.all(['ada', 'bob'].map((name) => addUser(database, name)))
      for (; reads < 20; reads += 1) {
        const seen = await database.read.selectFrom('users').select('name').execute()
        expect(seen).toEqual([])
        await sleep(10)
      }
      release()
      await writing
    })
    expect(pause).toBeLessThan(1000)
    const users = await database.read.selectFrom('users').select('name').execute()
    expect(users).toEqual([{ name: 'ada' }, { name: 'bob' }])
  })

  it('fails after 15 seconds of waiting and works afterwards', async () => {
    const dataDir = await temporaryFolder()
    const database = await openIn(dataDir)
    await addUser(database, 'eve')
    const release = holdLock(join(dataDir, 'parapet.db'))
    const start = Date.now()
    vi.spyOn(Date, 'now')
      .mockReturnValueOnce(start)
      .mockReturnValue(start + 15_001)
    const refusal = await refusalOf(() => addUser(database, 'ada'))
    expect(refusal.code).toBe('database_unavailable')
    vi.restoreAllMocks()
    release()
    await addUser(database, 'bob')
    const users = await database.read.selectFrom('users').select('name').execute()
    expect(users).toEqual([{ name: 'eve' }, { name: 'bob' }])
  })

  it('is refused if it is no database or cannot be created', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'text'), 'no database at all\n'.repeat(100))
    for (const name of ['text', '', 'no/such/folder']) {
      const opening = openDatabase({ url: `file:${join(folder, name)}`, dataDir: folder, log: createLog('silent') })
      expect((await refusalOf(() => opening)).code).toBe('database_unusable')
    }
  })

  it('is refused in a folder that is not writable', () => {
    const error = new Error('attempt to write a readonly database')
    const refusal = toRefusal(Object.assign(error, { code: 'UNKNOWN_SQLITE_ERROR_1544' }))
    expect(refusal).toMatchObject({
      code: 'database_unusable',
      message: `The database cannot be opened (SERVICE_DATABASE_URL): ${error.message}.`,
    })
  })
})
