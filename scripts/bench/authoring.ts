// Reads and writes of authors beside the same queries without HTTP: npm run bench:authoring
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatTable } from '../../src/commands/table.ts'
import { countRules } from '../../src/guidance/authoring/components/rule-counts.ts'
import { triageCounts } from '../../src/guidance/authoring/reviews/records/counts.ts'
import { findRules, ofComponent } from '../../src/guidance/authoring/rules/reader.ts'
import { AUTHORS, COMMENTS, populateAuthoring, RULES, type Authoring } from './authoring-data.ts'
import { build } from './data.ts'
import { fillDatabases, openFor, type FilledDatabase } from './databases.ts'
import { rounded, verdict } from './numbers.ts'
import { startBare, startPeer } from './peers.ts'
import { sample, statusOf } from './sample.ts'
import { inWorkspace, type Workspace } from './workspace.ts'

const { values } = parseArgs({ options: { requests: { type: 'string', default: '200' } } })
const requests = Number(values.requests)
const WARMING = 60

const READS = ['read', 'p50 ms', 'p95 ms', 'goal']
const BARE = ['its queries alone', 'p50 ms', 'p95 ms']
const WHOLE = ['a whole component', 'ms', 'others wait, ms']
const SAVES = ['authors at once', 'saves', 'p50 ms', 'p95 ms', 'saves/s']

await inWorkspace(bench)

async function bench(workspace: Workspace): Promise<void> {
  await build(workspace)
  console.log(`${RULES} rules with ${COMMENTS} comments; ${requests} requests of each kind.`)
  const databases = await fillDatabases(workspace.folder, populateAuthoring)
  try {
    for (const database of databases) await measure(workspace, database)
  } finally {
    for (const { drop } of databases) await drop()
  }
}

async function measure(workspace: Workspace, database: FilledDatabase<Authoring>): Promise<void> {
  const bare = await measureAlone(database)
  const ours = await startPeer(workspace, {
    name: database.name,
    goal: null,
    path: '/api/version',
    env: database.env,
    command: () => [process.execPath, 'dist/main.js'],
  })
  try {
    const rows = await reads(ours.origin, database.filled)
    rows.push(await readyBytes(workspace, ours.origin, database.filled))
    console.log(`\n${database.name}\n\n${formatTable(READS, rows)}`)
    console.log(`\n${formatTable(BARE, bare)}`)
    console.log(`\n${formatTable(SAVES, [await saves(ours.origin, database.filled)])}`)
    console.log(`\n${formatTable(WHOLE, await measureLongRequests(ours.origin, database.filled))}`)
  } finally {
    await ours.stop()
  }
}

type Row = readonly (string | number)[]

/** One client, one request after the other. Goals are p95 in ms. */
async function reads(origin: string, filled: Authoring): Promise<Row[]> {
  const { componentId: id, projectId, tokens } = filled
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
    await ask()
    // Authors do not wait for the costs of a service that has just started.
    await sample({ clients: 1, requests: WARMING, ask })
    const { p50Ms, p95Ms } = await sample({ clients: 1, requests: slow(goal), ask })
    const met = goal === null ? '' : verdict(`≤ ${goal} ms`, p95Ms <= goal)
    rows.push([path.replaceAll(/\d+/g, '{id}'), rounded(p50Ms, 1), rounded(p95Ms, 1), met])
  }
  return rows
}

/** The cost of sending the longest list once its bytes exist. */
async function readyBytes(workspace: Workspace, origin: string, { componentId, tokens }: Authoring): Promise<Row> {
  const headers = { Authorization: `Token ${tokens[0] ?? ''}` }
  const list = await fetch(`${origin}/components/${componentId}/rules`, { headers })
  const file = join(workspace.folder, 'rules.json')
  await writeFile(file, Buffer.from(await list.arrayBuffer()))
  const bare = await startBare(workspace, file, 'identity')
  try {
    const ask = (): Promise<number> => statusOf(fetch(bare.origin))
    const { p50Ms, p95Ms } = await sample({ clients: 1, requests, ask })
    return ['the bytes of all rules, ready, from bare node:http', rounded(p50Ms, 1), rounded(p95Ms, 1), '']
  } finally {
    await bare.stop()
  }
}

function slow(goal: number | null): number {
  return goal === null || goal > 100 ? Math.min(requests, 20) : requests
}

/** The queries that those are made of, in this process. */
async function measureAlone({ env, filled }: FilledDatabase<Authoring>): Promise<readonly Row[]> {
  const guidance = await openFor(env)
  const { database } = guidance
  const { componentId } = filled
  const rows: Row[] = []
  for (const [what, query] of [
    ['rules counted', () => countRules(database.read, { componentId })],
    ['comments counted', () => triageCounts(database.read, { componentId })],
    ['all rules with their parts', () => findRules(database.read, ofComponent(componentId))],
  ] as const) {
    const ask = async (): Promise<number> => {
      await query()
      return 200
    }
    await ask()
    const { p50Ms, p95Ms } = await sample({ clients: 1, requests: Math.min(requests, 50), ask })
    rows.push([what, rounded(p50Ms, 1), rounded(p95Ms, 1)])
  }
  await guidance.close()
  return rows
}

/** Everybody saves a rule of their own, five times, as fast as they are answered. */
async function saves(origin: string, { tokens, ruleIds }: Authoring): Promise<Row> {
  let next = 0
  const ask = (): Promise<number> => {
    const author = next % AUTHORS
    next += 1
    const rule = { title: `The system must end session ${next}.`, fixtext: `Set it to ${next}.` }
    return statusOf(
      fetch(`${origin}/rules/${ruleIds[author] ?? 0}`, {
        method: 'PUT',
        headers: {
          Authorization: `Token ${tokens[author] ?? ''}`,
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ rule }),
      }),
    )
  }
  const total = AUTHORS * 5
  const { p50Ms, p95Ms, perSecond } = await sample({ clients: AUTHORS, requests: total, ask })
  return [AUTHORS, total, rounded(p50Ms, 1), rounded(p95Ms, 1), Math.round(perSecond)]
}

/** Measures requests that read or write many rules, and the longest wait of a small request meanwhile. */
async function measureLongRequests(origin: string, filled: Authoring): Promise<readonly Row[]> {
  const { componentId: id, projectId, srgId } = filled
  const made = { name: 'Made', prefix: 'MADE-00', title: 'Made' }
  const copied = { duplicate: true, id, name: 'Copied', prefix: 'COPY-00' }
  const fromSrg = { ...made, security_requirements_guide_id: srgId }
  const rows: Row[] = []
  for (const [what, path, body] of [
    ['rules listed', `/components/${id}/rules`, null],
    ['made from an SRG', `/projects/${projectId}/components`, { component: fromSrg }],
    ['duplicated', `/projects/${projectId}/components`, { component: copied }],
    ['a text replaced', `/components/${id}/replace`, { find: 'Sessions', replace: 'Every session' }],
  ] as const) {
    const { ms, waited } = await measureBeside(origin, filled, { path, body })
    rows.push([what, rounded(ms, 0), rounded(waited, 0)])
  }
  return rows
}

interface LongRequest {
  readonly path: string
  /** Null: it is read. */
  readonly body: unknown
}

/** Asks for something small again and again while one request is answered. */
async function measureBeside(
  origin: string,
  { tokens }: Authoring,
  { path, body }: LongRequest,
): Promise<{ readonly ms: number; readonly waited: number }> {
  const headers = { Authorization: `Token ${tokens[0] ?? ''}`, 'Content-Type': 'application/json' }
  const request = body === null ? {} : { method: 'POST', body: JSON.stringify(body) }
  const ended = new AbortController()
  const begin = performance.now()
  const whole = statusOf(fetch(origin + path, { headers, ...request })).finally(() => {
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
  return { ms: performance.now() - begin, waited }
}
