// @module-tag database

import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SearchFeed } from '../../../src/contracts/search-feed.ts'
import type { Database } from '../../../src/guidance/database/database.ts'
import { resetChangeLog, removeOldChanges } from '../../../src/guidance/search-feed/log.ts'
import { freshDatabase, type FreshDatabase } from '../../support/fresh-database.ts'
import { changesAfter, feedOf } from './follower.ts'

const ON_POSTGRES = process.env['PARAPET_TEST_DIALECT'] === 'postgres'

interface Fed extends FreshDatabase {
  readonly database: Database
  readonly feed: SearchFeed
}

async function fed(fresh?: FreshDatabase): Promise<Fed> {
  const target = fresh ?? (await freshDatabase())
  const database = await target.open()
  const feed = await feedOf(target)
  return { ...target, database, feed }
}

const insertion = (id: string, version = 'V1R1'): string => `
  insert into benchmarks (kind, benchmark_id, version, major, minor, patch, title, name, xccdf, core, digest,
    rule_count, high_count, medium_count, low_count, warnings, created_at)
  values ('stig', '${id}', '${version}', 1, 1, 0, '${id}', '${id}', '1.1', 0, '', 0, 0, 0, 0, '[]',
    '2026-01-01T00:00:00.000Z')`

function write({ database }: Fed, statement: string): Promise<unknown> {
  return database.transact((writer) => sql.raw(statement).execute(writer))
}

describe('Changes after a position', () => {
  it('are empty until a transaction commits', async () => {
    const fresh = await fed()
    const { position } = await changesAfter(fresh.feed, null)
    const nothing = { position, records: [], benchmarks: [], isMore: false }
    expect(await fresh.feed.changes(position)).toEqual(nothing)
    const failed = fresh.database.transact(async (writer) => {
      await sql.raw(insertion('A')).execute(writer)
      throw new Error('undone')
    })
    await expect(failed).rejects.toThrow('undone')
    expect(await fresh.feed.changes(position)).toEqual(nothing)
    await write(fresh, insertion('A'))
    const after = await changesAfter(fresh.feed, position)
    const [row] = await fresh.run('select id from benchmarks')
    expect(after).toMatchObject({ records: [], benchmarks: [row?.['id']], isMore: false })
    expect(await fresh.feed.changes(after.position)).toEqual({ ...nothing, position: after.position })
  })

  it('list each record once and include statements of an operator in SQL', async () => {
    const fresh = await fed()
    const { position } = await changesAfter(fresh.feed, null)
    await fresh.run(insertion('A'))
    await fresh.run(insertion('B'))
    await write(fresh, "update benchmarks set title = 'Other'")
    await write(fresh, "update benchmarks set digest = 'other'")
    await write(fresh, "delete from benchmarks where benchmark_id = 'B'")
    const { benchmarks } = await changesAfter(fresh.feed, position)
    expect([...benchmarks].sort()).toEqual([1, 2])
  })

  it('include a benchmark that gets another line by an alias', async () => {
    const fresh = await fed()
    await write(fresh, insertion('Old'))
    const { position } = await changesAfter(fresh.feed, null)
    await write(
      fresh,
      `insert into benchmark_aliases (alias, benchmark_id, created_at)
      values ('Old', 'New', '2026-01-01T00:00:00.000Z')`,
    )
    expect((await changesAfter(fresh.feed, position)).benchmarks).toEqual([1])
  })

  it('come in portions, of which only the last has isMore false', async () => {
    const fresh = await fed()
    let { position } = await changesAfter(fresh.feed, null)
    await write(fresh, insertion('A'))
    // As 1,500 components that were made at once.
    await write(
      fresh,
      `insert into search_changes (kind, id) with recursive many (id) as
        (select 1 union all select id + 1 from many where id < 1500) select 'component', id from many`,
    )
    const seen = new Set<number>()
    const portions: [number, boolean][] = []
    for (let isMore = true; isMore;) {
      const changes = await changesAfter(fresh.feed, position)
      for (const { kind, id } of changes.records) if (kind === 'component') seen.add(id)
      portions.push([changes.records.length + changes.benchmarks.length, changes.isMore])
      ;({ position, isMore } = changes)
    }
    expect(portions).toEqual([
      [1000, true],
      [501, false],
    ])
    expect(seen.size).toBe(1500)
  })

  it('are null for a position of another database', async () => {
    const [fresh, other] = [await fed(), await fed()]
    await write(fresh, insertion('A'))
    await write(other, insertion('A'))
    const { position } = await changesAfter(fresh.feed, null)
    expect(await other.feed.changes(position)).toBeNull()
    const { sequence, mark } = position
    expect(await fresh.feed.changes({ sequence: sequence + 1, mark })).toBeNull()
  })

  it('are null after the log was restarted, emptied or shortened', async () => {
    const fresh = await fed()
    const { position } = await changesAfter(fresh.feed, null)
    await resetChangeLog(fresh.database)
    expect(await fresh.feed.changes(position)).toBeNull()
    await write(fresh, 'delete from search_changes')
    expect(await fresh.feed.changes(position)).toBeNull()
    const nowhere = (await changesAfter(fresh.feed, null)).position
    expect(await fresh.feed.changes(nowhere)).toMatchObject({ position: nowhere, benchmarks: [] })
    await write(fresh, insertion('A'))
    expect(await fresh.feed.changes(nowhere)).toBeNull()
    const known = (await changesAfter(fresh.feed, null)).position
    const far = known.sequence + 50_000
    await write(fresh, `insert into search_changes (sequence, kind, id) values (${far}, 'rule', 1)`)
    await removeOldChanges(fresh.database)
    expect(await changesAfter(fresh.feed, known)).toMatchObject({ records: [{ id: 1 }] })
    await write(fresh, `insert into search_changes (sequence, kind, id) values (${far + 1}, 'rule', 2)`)
    await removeOldChanges(fresh.database)
    expect(await fresh.feed.changes(known)).toBeNull()
    expect(await fresh.run('select id from search_changes order by sequence')).toHaveLength(2)
  })
})

describe.skipIf(ON_POSTGRES)('A copy of a SQLite file', () => {
  it('answers null for later positions after it is restored', async () => {
    const fresh = await fed()
    const copy = await freshDatabase()
    await write(fresh, insertion('A'))
    const before = (await changesAfter(fresh.feed, null)).position
    await fresh.run('pragma wal_checkpoint(truncate)')
    copyFileSync(join(fresh.dataDir, 'parapet.db'), join(copy.dataDir, 'parapet.db'))
    for (let times = 0; times < 70; times += 1) await write(fresh, `update benchmarks set title = 'Of one ${times}'`)
    const { position } = await changesAfter(fresh.feed, null)
    const back = await fed(copy)
    expect(await back.feed.changes(position)).toBeNull()
    expect(await back.feed.changes(before)).toMatchObject({ position: before })
    // One record over and over: the log goes beyond the position, and is another one all the same.
    for (let times = 0; times < 80; times += 1)
      await write(back, `update benchmarks set title = 'Of the other ${times}'`)
    expect(await back.feed.changes(position)).toBeNull()
    expect(await back.feed.changes(before)).toMatchObject({ benchmarks: [1] })
  })
})

describe.skipIf(!ON_POSTGRES)('Two transactions of PostgreSQL', () => {
  it('are both reported if they commit in another order than they wrote', async () => {
    const fresh = await fed()
    const { position } = await changesAfter(fresh.feed, null)
    const [slow, quick] = [await clientOf(fresh), await clientOf(fresh)]
    await slow.query('begin')
    await slow.query(insertion('A'))
    await quick.query('begin')
    await quick.query(insertion('B'))
    await quick.query('commit')
    const first = await changesAfter(fresh.feed, position)
    expect(first.benchmarks).toEqual([2])
    await slow.query('commit')
    expect((await changesAfter(fresh.feed, first.position)).benchmarks).toEqual([1])
  })

  it('get their numbers in the order of their commits', async () => {
    const fresh = await fed()
    const holder = await clientOf(fresh)
    const { position } = await changesAfter(fresh.feed, null)
    // As a commit that has its numbers and is not done.
    await holder.query('begin')
    await holder.query('select pg_advisory_xact_lock(8808, 0)')
    const other = write(fresh, insertion('A'))
    await expect.poll(() => waitingFor(fresh, 'advisory')).toBe(1)
    await holder.query("insert into search_changes (kind, id) values ('component', 7)")
    await holder.query('commit')
    await other
    const { records, benchmarks, position: after } = await changesAfter(fresh.feed, position)
    expect({ records, benchmarks }).toEqual({ records: [{ kind: 'component', id: 7 }], benchmarks: [1] })
    const order = await fresh.run('select kind from search_changes order by sequence')
    expect(order.map(({ kind }) => kind)).toEqual(['start', 'component', 'benchmark'])
    expect(await fresh.feed.changes(after)).toMatchObject({ position: after, benchmarks: [] })
    expect(await fresh.run('select * from search_notes')).toEqual([])
  })
})

async function clientOf({ url }: Fed): Promise<Client> {
  const client = new Client({ connectionString: url ?? '' })
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function waitingFor({ run }: Fed, locktype: string): Promise<number> {
  const found = await run(
    `select 1 as one from pg_locks where not granted and locktype = '${locktype}'
      and database = (select oid from pg_database where datname = current_database())`,
  )
  return found.length
}
