// @module-tag database

import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { storePlan } from '../../../../src/guidance/interchange/merges/storing/store.ts'
import { makeComponent } from '../../../support/authoring.ts'
import { environmentOf, freshDatabase, type FreshDatabase } from '../../../support/fresh-database.ts'
import { PASSWORD, startGuidance } from '../../../support/guidance.ts'
import { runs } from '../../../support/runs.ts'
import { prepareService, type ServiceProcess } from '../../../support/service-process.ts'

const RULES = 60
const KILLS = Math.min(runs(2), 20)
const EMAIL = 'ann@example.org'
const NOTES = { rules: RULES, unmatched: [], missing: [], renumbered: [], warnings: [] }

/** A component with a plan that changes the title of each rule; the path of the plan. */
async function planned({ dataDir, url }: FreshDatabase): Promise<string> {
  const under = await startGuidance(dataDir, environmentOf({ dataDir, url }))
  try {
    const owner = await under.person('Ann', { email: EMAIL })
    const projectId = await under.project(await under.signIn(EMAIL))
    const made = await makeComponent(under, owner, { projectId, rules: RULES })
    const { database } = under.service.guidance
    const rules = await database.read.selectFrom('rules').select(['id', 'title']).execute()
    const id = await storePlan(database, {
      columns: {
        component_id: made.id,
        user_id: owner.id,
        file_name: 'rules.csv',
        format: 'spreadsheet',
        base_source: 'file',
        base_until: null,
        unchanged: 0,
        notes: JSON.stringify(NOTES),
      },
      rules: rules.map(({ id: ruleId, title }) => ({
        ruleId,
        plan: {
          unchanged: 0,
          fields: [{ field: 'title', base: title, ours: title, theirs: 'Theirs.', merged: null, outcome: 'theirs' }],
        },
      })),
    })
    return `/components/${made.id}/merges/${id}`
  } finally {
    await under.service.close()
  }
}

async function start({ dataDir, url }: FreshDatabase): Promise<{ service: ServiceProcess; base: string }> {
  const service = prepareService(environmentOf({ dataDir, url }))
  await service.loaded()
  await service.open()
  return { service, base: `http://127.0.0.1:${await service.listening()}` }
}

/** Headers of a session. */
async function signIn(base: string): Promise<Readonly<Record<string, string>>> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ email: EMAIL, password: PASSWORD })
  const answer = await fetch(`${base}/api/auth/login`, { method: 'POST', headers, body })
  expect(answer.status).toBe(200)
  const cookie = answer.headers.getSetCookie().map((header) => header.split(';')[0])
  return { Cookie: cookie.join('; '), 'X-CSRF-Token': answer.headers.get('X-CSRF-Token') ?? '' }
}

const COUNTED = `select (select count(*) from rules where title = 'Theirs.') as rules,
  (select count(*) from merges where state = 'applied') as applied,
  (select count(*) from audits where comment = 'Merged from rules.csv') as entries`

it('A merge is applied as a whole or not at all when the service is killed', async () => {
  const fresh = await freshDatabase()
  const path = await planned(fresh)
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { service, base } = await start(fresh)
    const headers = await signIn(base)
    const applying = fetch(`${base}${path}/apply`, { method: 'POST', headers }).catch(() => null)
    await sleep(randomInt(10, 120))
    await service.kill()
    await applying
    const [found] = await fresh.run(COUNTED)
    const isApplied = Number(found?.['applied']) === 1
    const count = isApplied ? RULES : 0
    expect([Number(found?.['rules']), Number(found?.['entries'])]).toEqual([count, count])
    if (isApplied) break
  }
  const { service, base } = await start(fresh)
  const answer = await fetch(`${base}${path}/apply`, { method: 'POST', headers: await signIn(base) })
  expect(answer.status).toBe(200)
  await service.kill()
  const [found] = await fresh.run(COUNTED)
  expect([Number(found?.['rules']), Number(found?.['entries'])]).toEqual([RULES, RULES])
}, 120_000)
