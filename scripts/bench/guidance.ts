// Compares the guidance service with an Express hello-world: npm run bench:guidance -- [--rounds 5] [--seconds 2]
import { parseArgs } from 'node:util'
import { formatTable } from '../../src/commands/table.ts'
import { build } from './data.ts'
import { atEachDatabase, fill, settingsFor, type BenchDatabase } from './databases.ts'
import { EMAIL, PASSWORD, populate, PROJECTS, USERS } from './guidance-data.ts'
import { median, rounded, sum, verdict } from './numbers.ts'
import { startPeer, type Peer } from './peers.ts'
import { login, sample, signIn, statusOf } from './sample.ts'
import { startService } from './service.ts'
import { inWorkspace, type Workspace } from './workspace.ts'
import { hasWrk, load, type Load } from './wrk.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '2' } },
})
const CREDENTIALS = { email: EMAIL, password: PASSWORD }
const THROUGHPUT = ['read', 'req/s', 'hello req/s', 'ours ÷ hello', 'failed', 'goal']
const LATENCY = ['request of four clients', 'p50 ms', 'p95 ms', 'req/s', 'goal']
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)

type Row = readonly (string | number)[]
type Headers = Readonly<Record<string, string>>

if (hasWrk()) await inWorkspace(bench)
else console.log('bench:guidance needs the load generator wrk: apt-get install wrk')

async function bench(workspace: Workspace): Promise<void> {
  await build(workspace)
  console.log(
    `${PROJECTS} projects, ${USERS} users. Throughput: 32 kept-alive connections, ${rounds} rounds ` +
      `of ${seconds} s, in turn with hello-world; ratios are medians over rounds.`,
  )
  const hello = await startPeer(workspace, { name: 'Express hello-world', script: 'hello-peer.js', path: '/' })
  try {
    await atEachDatabase(workspace, 'guidance', (database) => measure(workspace, database, hello))
  } finally {
    await hello.stop()
  }
}

async function measure(workspace: Workspace, database: BenchDatabase, hello: Peer): Promise<void> {
  const raw = await fill(database, populate)
  const { origin, stop } = await startService(workspace, settingsFor(database))
  try {
    const session = await signIn(origin, CREDENTIALS)
    const token = { Authorization: `Token ${raw}` }
    const rows: Row[] = []
    for (const [label, path, headers, goal] of [
      ['me, token', '/api/auth/me', token, 0.35],
      ['me, session', '/api/auth/me', session, null],
      ['projects, token', '/api/projects', token, null],
    ] as const)
      rows.push([label, ...(await compare(workspace, hello, { url: origin + path, headers, goal }))])
    console.log(`\n${database.name}\n\n${formatTable(THROUGHPUT, rows)}`)
    console.log(`\n${formatTable(LATENCY, await latencies(origin, token))}`)
  } finally {
    await stop()
  }
}

interface ReadBench {
  readonly url: string
  readonly headers: Headers
  readonly goal: number | null
}

async function compare(workspace: Workspace, hello: Peer, { url, headers, goal }: ReadBench): Promise<Row> {
  await load(workspace, { url, seconds: 1, headers })
  const pairs: { readonly its: Load; readonly plain: Load }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const its = await load(workspace, { url, seconds, headers })
    pairs.push({ its, plain: await load(workspace, { url: hello.origin, seconds }) })
  }
  const ratio = median(pairs.map(({ its, plain }) => its.perSecond / plain.perSecond))
  return [
    Math.round(median(pairs.map(({ its }) => its.perSecond))),
    Math.round(median(pairs.map(({ plain }) => plain.perSecond))),
    ratio.toFixed(3),
    sum(pairs.map(({ its }) => its.failed)),
    goal === null ? '' : verdict(`≥ ${goal}`, ratio >= goal),
  ]
}

async function latencies(origin: string, headers: Headers): Promise<readonly Row[]> {
  const list = (query: string) => () => statusOf(fetch(`${origin}/api/projects?${query}`, { headers }))
  const rows: Row[] = []
  for (const [label, requests, ask, goal] of [
    ['list, first page', 1000, list(''), 15],
    ['list, 100 rows, searched', 1000, list('q=project&per_page=100&sort=updated_at&order=desc'), 15],
    ['login', 200, () => statusOf(login(origin, CREDENTIALS)), null],
  ] as const) {
    const { p50Ms, p95Ms, perSecond } = await sample({ clients: 4, requests, ask })
    const goalVerdict = goal === null ? '' : verdict(`p95 ≤ ${goal} ms`, p95Ms <= goal)
    rows.push([label, rounded(p50Ms, 2), rounded(p95Ms, 2), Math.round(perSecond), goalVerdict])
  }
  return rows
}
