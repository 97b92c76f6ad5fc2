// @module-tag node

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { databaseAddress } from '../../src/guidance/database/database.ts'
import { openFeed } from '../../src/guidance/search-feed/feed-module.ts'
import { searchFeedSource } from '../../src/guidance/search-feed/feed-source.ts'
import { startArguments } from '../support/build.ts'
import { freshDatabase, type FreshDatabase } from '../support/fresh-database.ts'

async function run({ dataDir, url }: FreshDatabase, ...args: readonly string[]): Promise<string> {
  const place = { SERVICE_DATA_DIR: dataDir, ...(url !== null && { SERVICE_DATABASE_URL: url }) }
  const env = { ...process.env, ...place }
  return (await promisify(execFile)(process.execPath, [...startArguments('src/commands/reindex.ts'), ...args], { env }))
    .stdout
}

it('npm run reindex rebuilds the search index', async () => {
  const fresh = await freshDatabase()
  const database = await fresh.open()
  const { data } = searchFeedSource({ place: databaseAddress(fresh.url, fresh.dataDir), baseUrl: 'http://localhost' })
  const feed = await openFeed(data)
  onTestFinished(() => feed.close())
  const { position } = (await feed.changes(null)) ?? {}
  expect(await feed.changes(position ?? null)).toMatchObject({ position, isMore: false })
  expect(await run(fresh)).toBe('The search index will be rebuilt.\n')
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
  expect(await run(fresh, '--help')).toContain('Usage: npm run reindex')
  await expect(run(fresh, 'rules')).rejects.toThrow('Usage: npm run reindex')
})
