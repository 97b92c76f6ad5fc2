// @module-tag database

import { beforeAll, describe, expect, it } from 'vitest'
import { makeComponent } from '../../../support/authoring.ts'
import { guidanceService, signedIn } from '../../../support/guidance.ts'
import { placeComment } from '../../../support/samples/reviews.ts'
import { countStatements } from '../../../support/statements.ts'

const COMMENTS_OF_A_RULE = 3
/** Rules are read in portions of so many, so that others do not wait: only the number of portions adds statements. */
const RULES_READ_AT_ONCE = 250

const service = guidanceService()

interface MadeIds {
  readonly projectId: number
  readonly componentId: number
}

const owner = signedIn(service, 'Owner')
let small: MadeIds
let large: MadeIds

beforeAll(async () => {
  small = await fill(2)
  large = await fill(RULES_READ_AT_ONCE)
}, 60_000)

async function fill(rules: number): Promise<MadeIds> {
  const projectId = await service().project(owner)
  const made = await makeComponent(service(), owner, { projectId, rules })
  for (const rule_id of made.rules)
    for (let index = 0; index < COMMENTS_OF_A_RULE; index += 1)
      await placeComment(service(), owner, { component_id: made.id, rule_id, comment: `Comment ${index}` })
  return { projectId, componentId: made.id }
}

async function statements(path: string): Promise<number> {
  const read = async (): Promise<void> => {
    expect([path, (await owner.call('GET', path)).status]).toEqual([path, 200])
  }
  // The first call fills caches of the process; its statements are not counted.
  await read()
  return countStatements(read)
}

describe('The number of statements is independent of the size of the component', () => {
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
