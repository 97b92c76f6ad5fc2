// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { makeComponent } from '../../../support/authoring.ts'
import { alter } from '../../../support/guidance-records.ts'
import { guidanceService, type Person, type SessionClient } from '../../../support/guidance.ts'
import { countStatements } from '../../../support/statements.ts'

const COMMENTS_OF_A_RULE = 3
/** Rules are read in portions of so many, so that others do not wait: only the number of portions adds statements. */
const RULES_READ_AT_ONCE = 250

const service = guidanceService()

interface MadeIds {
  readonly projectId: number
  readonly componentId: number
}

let session: SessionClient
let small: MadeIds
let large: MadeIds

beforeAll(async () => {
  const owner = await service().person('Owner')
  session = await service().signIn(owner.email)
  small = await fill(owner, 2)
  large = await fill(owner, RULES_READ_AT_ONCE)
}, 60_000)

async function fill(owner: Person, rules: number): Promise<MadeIds> {
  const projectId = await service().project(session)
  const made = await makeComponent(service(), owner, { projectId, rules })
  await alter(service(), async (writer) => {
    for (const rule_id of made.rules)
      await writer
        .insertInto('reviews')
        .values(
          Array.from({ length: COMMENTS_OF_A_RULE }, (_none, index) => ({
            component_id: made.id,
            rule_id,
            user_id: owner.id,
            author_name: owner.name,
            action: 'comment' as const,
            comment: `Comment ${index}`,
            section: null,
            created_at: '2026-01-02T03:04:05.000Z',
            updated_at: '2026-01-02T03:04:05.000Z',
            triage_status: 'pending' as const,
          })),
        )
        .execute()
  })
  return { projectId, componentId: made.id }
}

async function statements(path: string): Promise<number> {
  const read = async (): Promise<void> => {
    expect([path, (await session.call('GET', path)).status]).toEqual([path, 200])
  }
  // The first call fills caches of the process; its statements are not counted.
  await read()
  return countStatements(read)
}

describe('D The number of statements is independent of the size of the component', () => {
  it.each<[string, (made: MadeIds) => string]>([
    ['summary', ({ componentId }) => `/api/components/${componentId}/summary`],
    ['stats', ({ componentId }) => `/api/components/${componentId}/stats`],
    ['workflow state', ({ componentId }) => `/api/components/${componentId}/workflow_state`],
    ['triage summary', ({ componentId }) => `/api/components/${componentId}/triage_summary`],
    ['stats of the project', ({ projectId }) => `/api/projects/${projectId}/stats`],
    ['triage summary of the project', ({ projectId }) => `/api/projects/${projectId}/triage_summary`],
    ['readiness', ({ componentId }) => `/api/components/${componentId}/readiness.json`],
    ['component', ({ componentId }) => `/components/${componentId}`],
    ['rules', ({ componentId }) => `/components/${componentId}/rules`],
    ['rules picker', ({ componentId }) => `/components/${componentId}/rules_picker`],
    ['comments', ({ componentId }) => `/components/${componentId}/comments?triage_status=all`],
    ['XCCDF', ({ componentId }) => `/components/${componentId}/export/xccdf?mode=working_copy`],
    ['CSV', ({ componentId }) => `/components/${componentId}/export/csv?mode=working_copy`],
  ])('%s', async (_what, path) => {
    const few = await statements(path(small))
    expect(few).toBeGreaterThan(0)
    expect(await statements(path(large))).toBe(few)
  })
})
