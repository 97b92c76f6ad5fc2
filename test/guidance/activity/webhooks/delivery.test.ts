// @module-tag database
// @module-tag node

import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { recordEvents } from '../../../../src/guidance/activity/events/record.ts'
import { removeOldEvents } from '../../../../src/guidance/activity/events/retention.ts'
import { SYSTEM } from '../../../../src/http/caller.ts'
import { ago, alter, dumpDatabase, rowsOf, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { happen, ruleUpdated } from '../events/follower.ts'
import { addHook, type Hook } from './hooks.ts'
import { startReceiver } from './receiver.ts'

const guidance = guidanceService({ SERVICE_WEBHOOK_ALLOW_PRIVATE: 'true' })
const SOON = { timeout: 8000, interval: 20 }
const MINUTE = 60_000

const owner = signedIn(guidance, 'Owner')
let projectId: number

/** A webhook of a new project. */
async function hook(url: string, values: object = {}): Promise<Hook> {
  projectId = await guidance().project(owner, { name: 'P' })
  return another(url, values)
}

/** Another webhook of the same project. */
function another(url: string, values: object = {}): Promise<Hook> {
  return addHook(owner, projectId, { url, ...values })
}

function happens(...rules: readonly number[]): Promise<void> {
  const { database } = guidance().service.guidance
  return happen(database, ...rules.map((rule) => ruleUpdated(projectId, 5, rule)))
}

const payload = z.object({ id: z.int(), kind: z.string(), data: z.record(z.string(), z.json()) })

/** Makes waiting deliveries due now, and has the sender look. */
async function comeDue(): Promise<void> {
  await setRows(guidance(), 'webhook_deliveries', { next_attempt_at: ago(1) }, { state: 'waiting' })
  await alter(guidance(), (writer) => {
    writer.announce('deliveries')
    return Promise.resolve()
  })
}

describe('A delivery', () => {
  it('carries the event, signed with the secret and the time', async () => {
    const receiver = await startReceiver()
    const { id, secret, deliveries } = await hook(receiver.url)
    await happens(7)
    await vi.waitFor(async () => {
      expect(await deliveries()).toMatchObject([{ state: 'delivered' }])
    }, SOON)
    const [delivered] = receiver.received
    const body = delivered?.body ?? ''
    const event = payload.parse(JSON.parse(body))
    expect(JSON.parse(body)).toMatchObject({
      kind: 'rule.updated',
      actor: 'system',
      project_id: projectId,
      component_id: 5,
      data: { rule_id: 7 },
    })
    const [log] = await deliveries()
    expect(log).toMatchObject({
      webhook_id: id,
      event_id: event.id,
      kind: 'rule.updated',
      attempts: 1,
      response_status: 204,
      error: null,
      next_attempt_at: null,
    })
    const timestamp = String(delivered?.headers['x-parapet-timestamp'])
    expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(60)
    const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
    expect(delivered?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-parapet-event': 'rule.updated',
      'x-parapet-delivery': String(log?.id),
      'x-parapet-signature-256': `sha256=${signature}`,
    })
    expect(await dumpDatabase(guidance())).not.toContain(secret)
  })

  it('is made for webhooks of the project that want the kind of event', async () => {
    const receiver = await startReceiver()
    const foreign = await hook(receiver.url)
    const picky = await hook(receiver.url, { kinds: ['rule.locked'] })
    const off = await another(receiver.url, { active: false })
    const { database } = guidance().service.guidance
    const failing = database.transact(async (writer) => {
      await recordEvents(writer, SYSTEM, [
        { ...ruleUpdated(projectId, 5), kind: 'rule.locked', data: { rolled: 'back' } },
      ])
      throw new Error('No')
    })
    await expect(failing).rejects.toThrow('No')
    await happen(database, ruleUpdated(projectId, 5), { ...ruleUpdated(projectId, 5), kind: 'rule.locked' })
    await vi.waitFor(async () => {
      expect(await picky.deliveries()).toMatchObject([{ kind: 'rule.locked', state: 'delivered' }])
    }, SOON)
    expect([await foreign.deliveries(), await off.deliveries()]).toEqual([[], []])
    expect(receiver.received).toHaveLength(1)
  })

  it('goes to its own project if events of two are recorded at once', async () => {
    const receiver = await startReceiver()
    const firstHook = await hook(receiver.url)
    const first = projectId
    const secondHook = await hook(receiver.url)
    await happen(guidance().service.guidance.database, ruleUpdated(first, 5, 1), ruleUpdated(projectId, 6, 2))
    await vi.waitFor(() => {
      expect(receiver.received.length).toBeGreaterThanOrEqual(2)
    }, SOON)
    expect([await firstHook.deliveries(), await secondHook.deliveries()]).toMatchObject([[{}], [{}]])
    const payloads = receiver.received.map(({ body }) => payload.parse(JSON.parse(body)))
    expect(payloads.map(({ data }) => data['rule_id']).sort()).toEqual([1, 2])
  })

  it('is tried eight times with growing pauses, then fails', async () => {
    const receiver = await startReceiver()
    receiver.answer(500)
    const { deliveries } = await hook(receiver.url)
    await happens(1)
    const delays: number[] = []
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await vi.waitFor(async () => {
        expect(await deliveries()).toMatchObject([{ attempts: attempt, response_status: 500 }])
      }, SOON)
      const [delivery] = await deliveries()
      if (delivery?.next_attempt_at != null)
        delays.push(Math.round((Date.parse(delivery.next_attempt_at) - Date.now()) / MINUTE))
      if (attempt < 8) {
        expect(delivery?.state).toBe('waiting')
        await comeDue()
      }
    }
    expect(delays).toEqual([1, 5, 15, 60, 120, 240, 480])
    expect(await deliveries()).toMatchObject([{ state: 'failed', next_attempt_at: null }])
    await comeDue()
    await sleep(200)
    expect(receiver.received).toHaveLength(8)
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  })

  it('does not follow a redirection', async () => {
    const [receiver, elsewhere] = [await startReceiver(), await startReceiver()]
    receiver.answer(307, { Location: elsewhere.url })
    const { deliveries } = await hook(receiver.url)
    await happens(1)
    await vi.waitFor(async () => {
      expect(await deliveries()).toMatchObject([
        { state: 'waiting', response_status: 307, error: 'Redirections are not followed' },
      ])
    }, SOON)
    expect(elsewhere.received).toEqual([])
  })

  it('times out after ten seconds without delaying others', async () => {
    const [silent, quick] = [await startReceiver(), await startReceiver()]
    silent.answer(null)
    const slow = await hook(silent.url)
    const fast = await another(quick.url)
    await happens(...Array.from({ length: 12 }, (_one, index) => index))
    await vi.waitFor(async () => {
      const rows = await fast.deliveries()
      expect(rows.filter(({ state }) => state === 'delivered')).toHaveLength(12)
    }, SOON)
    expect(silent.received.length).toBeLessThanOrEqual(2)
    await vi.waitFor(
      async () => {
        const errors = (await slow.deliveries()).map(({ error }) => error)
        expect(errors).toContain('No answer within 10 seconds')
      },
      { timeout: 15_000, interval: 100 },
    )
  })

  it('waits while its webhook is disabled, and is removed with it', async () => {
    const receiver = await startReceiver()
    receiver.answer(503)
    const { id, deliveries } = await hook(receiver.url)
    const set = (active: boolean): Promise<unknown> =>
      owner.call('PATCH', `/webhooks/${id}`, { body: { webhook: { active } } })
    await happens(1)
    await vi.waitFor(async () => {
      expect(await deliveries()).toMatchObject([{ attempts: 1, response_status: 503 }])
    }, SOON)
    await set(false)
    receiver.answer(200)
    await comeDue()
    await sleep(200)
    expect(await deliveries()).toMatchObject([{ state: 'waiting', attempts: 1 }])
    await set(true)
    await vi.waitFor(async () => {
      expect(await deliveries()).toMatchObject([{ state: 'delivered', attempts: 2 }])
    }, SOON)
    await owner.call('DELETE', `/webhooks/${id}`)
    expect(await rowsOf(guidance(), 'webhook_deliveries', { webhook_id: id })).toEqual([])
  })

  it('can be repeated, and a ping can be sent', async () => {
    const receiver = await startReceiver()
    const { id, deliveries } = await hook(receiver.url)
    expect((await owner.call('POST', `/webhooks/${id}/ping`)).status).toBe(200)
    await vi.waitFor(async () => {
      expect(await deliveries()).toMatchObject([{ kind: 'ping', event_id: null, state: 'delivered' }])
    }, SOON)
    const [ping] = await deliveries()
    const again = `/webhook_deliveries/${ping?.id ?? 0}/redeliver`
    expect((await owner.call('POST', again)).status).toBe(200)
    await vi.waitFor(async () => {
      expect((await deliveries()).map(({ state }) => state)).toEqual(['delivered', 'delivered'])
    }, SOON)
    expect(receiver.received.map(({ body }) => payload.parse(JSON.parse(body)))).toMatchObject([
      { id: 0, kind: 'ping', data: { webhook_id: id } },
      { id: 0, kind: 'ping', data: { webhook_id: id } },
    ])
    await owner.call('PATCH', `/webhooks/${id}`, { body: { webhook: { active: false } } })
    for (const path of [`/webhooks/${id}/ping`, again])
      expect(await owner.call('POST', path)).toMatchObject({ status: 422, body: { errors: [{ field: 'active' }] } })
  })

  it('is signed with the current secret', async () => {
    const receiver = await startReceiver()
    const { id } = await hook(receiver.url, { secret: 'the first secret' })
    const secret = 'the second secret'
    await owner.call('PATCH', `/webhooks/${id}`, { body: { webhook: { secret } } })
    await happens(1)
    await vi.waitFor(() => {
      expect(receiver.received).toHaveLength(1)
    }, SOON)
    const [delivered] = receiver.received
    const signed = `${String(delivered?.headers['x-parapet-timestamp'])}.${delivered?.body ?? ''}`
    expect(delivered?.headers['x-parapet-signature-256']).toBe(
      `sha256=${createHmac('sha256', secret).update(signed).digest('hex')}`,
    )
  })

  it('does not block changes while webhooks are added and removed', async () => {
    const receiver = await startReceiver()
    await hook(receiver.url)
    const come = async (): Promise<void> => {
      for (let round = 0; round < 6; round += 1) {
        const { id } = await another(receiver.url)
        const { status } = await owner.call('DELETE', `/webhooks/${id}`)
        expect(status).toBe(200)
      }
    }
    const happening = async (): Promise<void> => {
      for (let round = 0; round < 20; round += 1) await happens(round)
    }
    await Promise.all([come(), happening(), happening()])
  })

  it('is removed after 30 days', async () => {
    const receiver = await startReceiver()
    const { deliveries } = await hook(receiver.url)
    await happens(1, 2)
    await vi.waitFor(() => {
      expect(receiver.received).toHaveLength(2)
    }, SOON)
    const [, first] = await deliveries()
    const created_at = ago(31 * 24 * 60 * MINUTE)
    await setRows(guidance(), 'webhook_deliveries', { created_at }, { id: first?.id ?? 0 })
    await removeOldEvents(guidance().service.guidance.database)
    expect(await deliveries()).toHaveLength(1)
  })
})
