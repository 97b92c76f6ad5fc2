// @module-tag database

import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { WebhookSender } from '../../../../src/guidance/activity/webhooks/sender.ts'
import { openDatabase } from '../../../../src/guidance/database/database.ts'
import { freshDatabase } from '../../../support/fresh-database.ts'
import { startGuidance } from '../../../support/guidance.ts'
import { happen, ruleUpdated } from '../events/follower.ts'
import { addHook } from './hooks.ts'
import { startReceiver, type Received } from './receiver.ts'

const SOON = { timeout: 8000, interval: 20 }

const payload = z.object({ data: z.record(z.string(), z.json()) })

function rulesOf(received: readonly Received[]): unknown[] {
  return received.map(({ body }) => payload.parse(JSON.parse(body)).data['rule_id'])
}

describe('Several processes', () => {
  it('share deliveries and send each once', async () => {
    const receiver = await startReceiver()
    const { url, dataDir } = await freshDatabase()
    const under = await startGuidance(dataDir, {
      SERVICE_WEBHOOK_ALLOW_PRIVATE: 'true',
      ...(url !== null && { SERVICE_DATABASE_URL: url }),
    })
    const parts = under.service.guidance
    const other = await openDatabase({ url, dataDir, log: parts.log })
    const sender = new WebhookSender({ ...parts, database: other })
    try {
      const session = await under.signUp('Ada')
      const projectId = await under.project(session, { name: 'P' })
      for (let index = 0; index < 4; index += 1) await addHook(session, projectId, { url: receiver.url })
      sender.start()
      const rules = Array.from({ length: 15 }, (_one, index) => index)
      for (const rule of rules) await happen(rule % 2 === 0 ? parts.database : other, ruleUpdated(projectId, 5, rule))
      await vi.waitFor(() => {
        expect(receiver.received.length).toBeGreaterThanOrEqual(60)
      }, SOON)
      await sleep(100)
      const numbers = receiver.received.map(({ headers }) => headers['x-parapet-delivery'])
      expect([numbers.length, new Set(numbers).size]).toEqual([60, 60])
      expect(new Set(rulesOf(receiver.received)).size).toBe(15)
    } finally {
      await sender.close()
      await other.close()
      await under.service.close()
    }
  })

  it('retry the deliveries of a process that died, and release deliveries that they cannot finish', async () => {
    const receiver = await startReceiver()
    receiver.answer(null)
    const { url, dataDir } = await freshDatabase()
    const env = { SERVICE_WEBHOOK_ALLOW_PRIVATE: 'true', ...(url !== null && { SERVICE_DATABASE_URL: url }) }
    const first = await startGuidance(dataDir, env)
    const session = await first.signUp('Ada')
    const projectId = await first.project(session, { name: 'P' })
    await addHook(session, projectId, { url: receiver.url })
    await happen(first.service.guidance.database, ruleUpdated(projectId, 5, 1))
    await vi.waitFor(() => {
      expect(receiver.received).toHaveLength(1)
    }, SOON)
    await first.service.close()
    receiver.answer(200)
    const second = await startGuidance(dataDir, env)
    try {
      const { read } = second.service.guidance.database
      await vi.waitFor(async () => {
        const rows = await read.selectFrom('webhook_deliveries').selectAll().execute()
        expect(rows).toMatchObject([{ state: 'delivered', attempts: 1 }])
      }, SOON)
    } finally {
      await second.service.close()
    }
  })

  it('skip deliveries that another process has claimed', async () => {
    const receiver = await startReceiver()
    receiver.answer(null)
    const fresh = await freshDatabase()
    const { url, dataDir } = fresh
    const under = await startGuidance(dataDir, {
      SERVICE_WEBHOOK_ALLOW_PRIVATE: 'true',
      ...(url !== null && { SERVICE_DATABASE_URL: url }),
    })
    const session = await under.signUp('Ada')
    const projectId = await under.project(session, { name: 'P' })
    await addHook(session, projectId, { url: receiver.url })
    const { database } = under.service.guidance
    await happen(database, ruleUpdated(projectId, 5, 1))
    await vi.waitFor(() => {
      expect(receiver.received).toHaveLength(1)
    }, SOON)
    // Another process takes this one for dead and claims its delivery.
    const claimed = { attempts: 2, next_attempt_at: new Date(Date.now() + 60_000).toISOString() }
    await database.transact((writer) => writer.updateTable('webhook_deliveries').set(claimed).execute())
    await under.service.close()
    const { read } = await fresh.open()
    const rows = await read.selectFrom('webhook_deliveries').selectAll().execute()
    expect(rows).toMatchObject([{ state: 'waiting', ...claimed }])
  })
})
