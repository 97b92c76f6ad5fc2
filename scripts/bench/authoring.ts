// Reads and writes of authors: npm run bench:authoring -- [--requests 200]
import { parseArgs } from 'node:util'
import { formatTable } from '../../src/commands/table.ts'
import { AUTHORS, COMMENTS, populateAuthoring, RULES, type Authoring } from './authoring-data.ts'
import { build } from './data.ts'
import { atEachDatabase, fill, settingsFor, type BenchDatabase } from './databases.ts'
import { rounded, verdict } from './numbers.ts'
import { sample, statusOf } from './sample.ts'
import { startService } from './service.ts'
import { inWorkspace, type Workspace } from './workspace.ts'

const { values } = parseArgs({ options: { requests: { type: 'string', default: '200' } } })
const requests = Number(values.requests)
const WARMING = 60

const READS = ['read', 'p50 ms', 'p95 ms', 'goal']
const WHOLE = ['a whole component', 'ms', 'others wait, ms']
const SAVES = ['authors at once', 'saves', 'p50 ms', 'p95 ms', 'saves/s']

type Row = readonly (string | number)[]

await inWorkspace(async (workspace) => {
  await build(workspace)
  console.log(`${RULES} rules with ${COMMENTS} comments; ${requests} requests of each kind.`)
  await atEachDatabase(workspace, 'authoring', (database) => measure(workspace, database))
})

async function measure(workspace: Workspace, database: BenchDatabase): Promise<void> {
  const filled = await fill(database, populateAuthoring)
  const { origin, stop } = await startService(workspace, settingsFor(database))
  try {
    console.log(`\n${database.name}\n\n${formatTable(READS, await reads(origin, filled))}`)
    console.log(`\n${formatTable(SAVES, [await saves(origin, filled)])}`)
    console.log(`\n${formatTable(WHOLE, await measureLongRequests(origin, filled))}`)
  } finally {
    await stop()
  }
}

/** One client, one request after the other. Goals are p95 in ms. */
async function reads(origin: string, { componentId: id, projectId, tokens }: Authoring): Promise<readonly Row[]> {
  const headers = { Authorization: `Token ${tokens[0] ?? ''}`, Accept: '*/*' }
  const rows: Row[] = []
  // Answered when the service has read the ontology, which it does beside its first answers.
  await statusOf(fetch(`${origin}/api/search/suggest?q=password`))
  for (const [path, goal] of [
    [`/api/components/${id}/summary`, 20],
    [`/api/components/${id}/stats`, 20],
    [`/api/components/${id}/workflow_state`, 20],
    [`/api/components/${id}/triage_summary`, 20],
    [`/api/projects/${projectId}/stats`, 20],
    [`/api/projects/${projectId}/triage_summary`, 20],
    [`/components/${id}/comments?triage_status=all`, 100],
    [`/components/${id}/rules_picker`, 100],
    [`/components/${id}/rules`, 100],
    [`/api/components/${id}/readiness.json`, null],
    [`/components/${id}/export/xccdf?mode=working_copy`, 1000],
  ] as const) {
    const ask = (): Promise<number> => statusOf(fetch(origin + path, { headers }))
    // Authors do not wait for the costs of a service that has just started.
    await sample({ clients: 1, requests: WARMING, ask })
    const isSlow = goal === null || goal > 100
    const { p50Ms, p95Ms } = await sample({ clients: 1, requests: isSlow ? Math.min(requests, 20) : requests, ask })
    const met = goal === null ? '' : verdict(`≤ ${goal} ms`, p95Ms <= goal)
    rows.push([path.replaceAll(/\d+/g, '{id}'), rounded(p50Ms, 1), rounded(p95Ms, 1), met])
  }
  return rows
}

/** Each author saves a rule of their own, five times, as fast as they are answered. */
async function saves(origin: string, { tokens, ruleIds }: Authoring): Promise<Row> {
  let next = 0
  const ask = (): Promise<number> => {
    const author = next % AUTHORS
    next += 1
    const rule = { title: `The system must end session ${next}.`, fixtext: `Set it to ${next}.` }
    const headers = { Authorization: `Token ${tokens[author] ?? ''}`, 'Content-Type': 'application/json' }
    const put = { method: 'PUT', headers, body: JSON.stringify({ rule }) }
    return statusOf(fetch(`${origin}/rules/${ruleIds[author] ?? 0}`, put))
  }
  const total = AUTHORS * 5
  const { p50Ms, p95Ms, perSecond } = await sample({ clients: AUTHORS, requests: total, ask })
  return [AUTHORS, total, rounded(p50Ms, 1), rounded(p95Ms, 1), Math.round(perSecond)]
}

/** Measures requests that read or write many rules, and the longest wait of a small request meanwhile. */
async function measureLongRequests(
  origin: string,
  { componentId: id, projectId, srgId, tokens }: Authoring,
): Promise<readonly Row[]> {
  const headers = { Authorization: `Token ${tokens[0] ?? ''}`, 'Content-Type': 'application/json' }
  const fromSrg = { name: 'Made', prefix: 'MADE-00', title: 'Made', security_requirements_guide_id: srgId }
  const copied = { duplicate: true, id, name: 'Copied', prefix: 'COPY-00' }
  const rows: Row[] = []
  for (const [what, path, body] of [
    ['rules listed', `/components/${id}/rules`, null],
    ['made from an SRG', `/projects/${projectId}/components`, { component: fromSrg }],
    ['duplicated', `/projects/${projectId}/components`, { component: copied }],
    ['a text replaced', `/components/${id}/replace`, { find: 'Sessions', replace: 'Every session' }],
  ] as const) {
    const request = body === null ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) }
    const ended = new AbortController()
    const begin = performance.now()
    const whole = statusOf(fetch(origin + path, request)).finally(() => {
      ended.abort()
    })
    let waited = 0
    while (!ended.signal.aborted) {
      const start = performance.now()
      await statusOf(fetch(`${origin}/api/version`))
      waited = Math.max(waited, performance.now() - start)
    }
    const status = await whole
    if (status !== 200) throw new Error(`${path} was answered with ${status}`)
    rows.push([what, rounded(performance.now() - begin, 0), rounded(waited, 0)])
  }
  return rows
}
