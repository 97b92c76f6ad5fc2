import { expect, it, onTestFinished } from 'vitest'
import { openFeed } from '../../../src/guidance/search-feed/feed-module.ts'
import { refusalOf } from '../../support/refusal.ts'

it('says of a database that is away what the thread can hand on', async () => {
  const place = { server: 'postgres://nobody@127.0.0.1:1/nothing' }
  const feed = await openFeed({ place, baseUrl: 'http://parapet.example' })
  onTestFinished(() => feed.close())
  for (const ask of [() => feed.owners(), () => feed.changes(null), () => feed.rulesOf(1)])
    expect((await refusalOf(ask)).code).toBe('database_unavailable')
})
