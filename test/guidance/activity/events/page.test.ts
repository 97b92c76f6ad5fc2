// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { removeOldEvents } from '../../../../src/guidance/activity/events/retention.ts'
import { eventSchema } from '../../../../src/guidance/activity/events/shape.ts'
import { ago, alter } from '../../../support/guidance-records.ts'
import { type Client, guidanceService, signedIn } from '../../../support/guidance.ts'
import { follow, happen, ruleUpdated } from './follower.ts'

const guidance = guidanceService()
const DAY = 86_400_000

const page = z.strictObject({
  events: z.array(z.strictObject(eventSchema.shape)),
  next_after: z.int(),
  gap: z.boolean(),
})

const owner = signedIn(guidance, 'Owner')
const stranger = signedIn(guidance, 'Stranger')
let projectId: number

beforeAll(async () => {
  projectId = await guidance().project(owner, { name: 'P', visibility: 'discoverable' })
})

async function ask(client: Client, query: string): Promise<z.infer<typeof page>> {
  const { status, body, headers } = await client.call('GET', `/api/events?stream=false${query}`)
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  return page.parse(body)
}

async function happened(...rules: readonly number[]): Promise<void> {
  const { database } = guidance().service.guidance
  await happen(database, ...rules.map((rule) => ruleUpdated(projectId, 1, rule)))
}

function rulesOf({ events }: z.infer<typeof page>): unknown[] {
  return events.map(({ data }) => data['rule_id'])
}

describe('A page of events', () => {
  it('begins with new events, or after a number', async () => {
    const begin = await ask(owner, '')
    expect(begin.events).toEqual([])
    await happened(1, 2, 3)
    const firstPage = await ask(owner, `&after=${begin.next_after}`)
    expect([rulesOf(firstPage), firstPage.gap]).toEqual([[1, 2, 3], false])
    expect((await ask(owner, `&after=${firstPage.next_after}`)).events).toEqual([])
    const first = await ask(owner, `&after=${begin.next_after}&limit=2`)
    expect(rulesOf(first)).toEqual([1, 2])
    expect(rulesOf(await ask(owner, `&after=${first.next_after}&limit=2`))).toEqual([3])
    expect((await ask(owner, '&after=0')).events.length).toBeGreaterThanOrEqual(3)
  })

  it('has no numbers of events that the caller may not read', async () => {
    const nothing = { events: [], next_after: 0, gap: false }
    expect(await ask(stranger, '')).toEqual(nothing)
    const ownProject = await guidance().project(stranger, { name: 'Own' })
    const { database } = guidance().service.guidance
    await happen(database, ruleUpdated(ownProject, 2))
    const { next_after } = await ask(stranger, '')
    expect(next_after).toBeGreaterThan(0)
    await happened(4, 5)
    expect(await ask(stranger, '')).toEqual({ events: [], next_after, gap: false })
    expect(await ask(stranger, `&after=${next_after}`)).toMatchObject({ events: [], next_after })
    for (const after of [1, 2, 1000])
      expect(await ask(stranger, `&after=${next_after + after}`)).toEqual({ events: [], next_after, gap: true })
    await happen(database, ruleUpdated(ownProject, 2, 6))
    const found = await ask(stranger, `&after=${next_after}`)
    expect(rulesOf(found)).toEqual([6])
    expect(found.next_after).toBe(found.events.at(-1)?.id)
    expect((await ask(stranger, `&after=${found.next_after}`)).events).toEqual([])
  })

  it('is sent instead of a stream if Accept prefers JSON', async () => {
    const { status, body } = await owner.call('GET', '/api/events', { headers: { Accept: 'application/json' } })
    expect(status).toBe(200)
    expect(page.parse(body).events).toEqual([])
  })

  it('has at most 500 events, and the next page continues without a gap', async () => {
    const { next_after } = await ask(owner, '')
    await happened(...Array.from({ length: 620 }, (_one, index) => index))
    const first = await ask(owner, `&after=${next_after}&limit=9999`)
    const second = await ask(owner, `&after=${first.next_after}&limit=500`)
    expect([first.events.length, second.events.length]).toEqual([500, 120])
    expect([...rulesOf(first), ...rulesOf(second)]).toEqual(Array.from({ length: 620 }, (_one, index) => index))
  })

  it('finds readable events behind many that are not', async () => {
    const { next_after } = await ask(owner, '')
    const { database } = guidance().service.guidance
    const foreign = Array.from({ length: 6000 }, () => ruleUpdated(projectId + 1000, 1))
    await happen(database, ...foreign)
    await happened(77)
    expect(rulesOf(await ask(owner, `&after=${next_after}`))).toEqual([77])
  })
})

describe('Events of more than 30 days ago', () => {
  it('are removed, and a client that resumes before them gets a notice', async () => {
    const { next_after: before } = await ask(owner, '')
    await happened(1, 2, 3, 4)
    const { events } = await ask(owner, `&after=${before}`)
    const ids = events.map(({ id }) => id)
    const [first = 0, second = 0, third = 0, fourth = 0] = ids
    await alter(guidance(), (writer) =>
      writer
        .updateTable('events')
        .set({ created_at: ago(31 * DAY) })
        .where('id', '<=', third)
        .execute(),
    )
    await removeOldEvents(guidance().service.guidance.database)
    const resumed = await ask(owner, `&after=${first}`)
    expect([resumed.gap, resumed.events.map(({ id }) => id)]).toEqual([true, [third, fourth]])
    const inTime = await ask(owner, `&after=${second}`)
    expect([inTime.gap, inTime.events.map(({ id }) => id)]).toEqual([false, [third, fourth]])
    const url = `${guidance().service.baseUrl}/api/events?after=${first}`
    const follower = await follow(url, { Cookie: owner.cookie })
    await expect
      .poll(() => follower.messages.slice(0, 3).map(({ event, id }) => [event, id]))
      .toEqual([
        ['gap', third - 1],
        ['rule.updated', third],
        ['rule.updated', fourth],
      ])
  })

  it('are not reported as missed for a number that was never assigned', async () => {
    const { next_after } = await ask(owner, '')
    const found = await ask(owner, `&after=${next_after + 1000}`)
    expect(found).toEqual({ events: [], next_after, gap: true })
  })
})
