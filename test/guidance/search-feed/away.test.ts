// @module-tag database

import { expect, it, onTestFinished } from 'vitest'
import { openFeed } from '../../../src/guidance/search-feed/feed-module.ts'

it('A feed reports an unreachable database by its code', async () => {
  const unreachable = { server: 'postgres://nobody@127.0.0.1:1/nothing' }
  const feed = await openFeed({ place: unreachable, baseUrl: 'http://parapet.example' })
  onTestFinished(() => feed.close())
  // The thread is a program of its own, with a class of refusals of its own: what it hands on is the code.
  for (const ask of [() => feed.owners(), () => feed.changes(null), () => feed.rulesOf(1)])
    await expect(ask()).rejects.toMatchObject({ code: 'database_unavailable' })
})
