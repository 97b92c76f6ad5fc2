// @module-tag database

import { describe, expect, it } from 'vitest'
import { readForAll, type StreamRequest } from '../../../../src/guidance/activity/events/read-for-all.ts'
import { readEvents, type EventFilter } from '../../../../src/guidance/activity/events/reader.ts'
import type { Caller } from '../../../../src/http/caller.ts'
import { componentMember, makeComponent } from '../../../support/authoring.ts'
import { setRows } from '../../../support/guidance-records.ts'
import { guidanceService, type Person } from '../../../support/guidance.ts'
import { happen, ruleUpdated } from './follower.ts'

const guidance = guidanceService()
const EVERYTHING: EventFilter = { projectId: null, componentId: null, kinds: [], presences: false }

function callerOf({ id, name, email }: Person, admin = false): Caller {
  return { id, name, email, admin, provider: null, via: { kind: 'session', id: 1 } }
}

describe('A shared reader of events', () => {
  it('gives each stream the same events as a separate reader', async () => {
    const { database } = guidance().service.guidance
    const [ada, viewer, guest, stranger, root] = [
      await guidance().person('Ada'),
      await guidance().person('Viewer'),
      await guidance().person('Guest'),
      await guidance().person('Stranger'),
      await guidance().person('Root', { admin: true }),
    ]
    const session = await guidance().signIn(ada.email)
    const projectId = await guidance().project(session, { name: 'One', visibility: 'hidden' })
    const otherId = await guidance().project(session, { name: 'Two', visibility: 'hidden' })
    const ownComponent = await makeComponent(guidance(), ada, { projectId })
    const released = await makeComponent(guidance(), ada, { projectId })
    const other = await makeComponent(guidance(), ada, { projectId: otherId })
    await guidance().member(projectId, viewer, 'viewer')
    await componentMember(guidance(), ownComponent.id, { person: guest, role: 'viewer' })
    await setRows(guidance(), 'components', { released: 1 }, { id: released.id })
    for (let rule = 1; rule <= 3; rule += 1)
      await happen(
        database,
        ruleUpdated(projectId, ownComponent.id, rule),
        ruleUpdated(projectId, released.id, rule),
        ruleUpdated(otherId, other.id, rule),
      )
    const callers = [...[ada, viewer, guest, stranger].map((person) => callerOf(person)), callerOf(root, true)]
    const interests: readonly EventFilter[] = [
      EVERYTHING,
      ...[ownComponent, released, other].map(({ id }) => ({ ...EVERYTHING, componentId: id })),
      ...[projectId, otherId].map((id) => ({ ...EVERYTHING, projectId: id })),
      { ...EVERYTHING, componentId: ownComponent.id, kinds: ['rule.updated'] },
      { ...EVERYTHING, componentId: ownComponent.id, kinds: ['rule.locked'] },
    ]
    const readings: readonly StreamRequest[] = interests.flatMap((filter) =>
      callers.map((caller) => ({ caller, filter, range: { after: 0, upTo: 10_000, limit: 200 } })),
    )
    const alone = []
    for (const reading of readings) alone.push(await readEvents(database.read, reading, reading.range))
    expect(await readForAll(database.read, readings)).toEqual(alone)
    expect(new Set(alone.map(({ events }) => events.length)).size).toBeGreaterThan(3)
  })
})
