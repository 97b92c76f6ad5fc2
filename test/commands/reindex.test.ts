// @module-tag node

import { expect, it, onTestFinished } from 'vitest'
import { databaseAddress } from '../../src/guidance/database/database.ts'
import { openFeed } from '../../src/guidance/search-feed/feed-module.ts'
import { searchFeedSource } from '../../src/guidance/search-feed/feed-source.ts'
import { runProgram, type Ended } from '../support/command-line.ts'
import { environmentOf, freshDatabase, type FreshDatabase } from '../support/fresh-database.ts'

function run(database: FreshDatabase, ...args: readonly string[]): Promise<Ended> {
  return runProgram('src/commands/reindex.ts', args, environmentOf(database))
}

it('npm run reindex rebuilds the search index', async () => {
  const fresh = await freshDatabase()
  const database = await fresh.open()
  const { data } = searchFeedSource({ place: databaseAddress(fresh.url, fresh.dataDir), baseUrl: 'http://localhost' })
  const feed = await openFeed(data)
  onTestFinished(() => feed.close())
  const { position } = (await feed.changes(null)) ?? {}
  expect(await feed.changes(position ?? null)).toMatchObject({ position, isMore: false })
  expect(await run(fresh)).toMatchObject({ code: 0, stdout: 'The search index will be rebuilt.\n' })
  expect(await feed.changes(position ?? null)).toBeNull()
  await database.transact((writer) =>
    writer.insertInto('search_changes').values({ kind: 'component', id: 7 }).execute(),
  )
  expect(await fresh.run('select kind, id from search_changes order by sequence')).toEqual([
    { kind: 'start', id: 0 },
    { kind: 'component', id: 7 },
  ])
})

it('npm run reindex accepts no arguments', async () => {
  const fresh = await freshDatabase()
  expect((await run(fresh, '--help')).stdout).toContain('Usage: npm run reindex')
  const refused = await run(fresh, 'rules')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Usage: npm run reindex')])
})
