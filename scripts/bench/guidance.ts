// The guidance service beside an Express hello-world: npm run bench:guidance -- [--rounds 5]
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { formatTable } from '../../src/commands/table.ts'
import { build } from './data.ts'
import { fillDatabases, type FilledDatabase } from './databases.ts'
import { EMAIL, PASSWORD, populate, PROJECTS, USERS } from './guidance-data.ts'
import { median, rounded, sum, verdict } from './numbers.ts'
import { startPeer, type Peer } from './peers.ts'
import { login, sample, signIn, statusOf } from './sample.ts'
import { inWorkspace, type Workspace } from './workspace.ts'
import { hasWrk, load, type Load } from './wrk.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
  },
})
const CREDENTIALS = { email: EMAIL, password: PASSWORD }
const THROUGHPUT = ['read', 'req/s', 'hello req/s', 'ours ÷ hello', 'failed', 'goal']
const LATENCY = ['request', 'clients', 'p50 ms', 'p95 ms', 'req/s', 'goal']

const rounds = Number(values.rounds)
const seconds = Number(values.seconds)

if (hasWrk()) await inWorkspace(bench)
else console.log('bench:guidance needs the load generator wrk: apt-get install wrk')

async function bench(workspace: Workspace): Promise<void> {
  await build(workspace)
  const databases = await fillDatabases(workspace.folder, populate)
  console.log(
    `${PROJECTS} projects, ${USERS} users. Throughput: 32 kept-alive connections, ${rounds} rounds ` +
      `of ${seconds} s, in turn with hello-world; ratios are medians over rounds.`,
  )
  const hello = await startPeer(workspace, {
    name: 'Express hello-world',
    goal: null,
    command: (port) => [process.execPath, fileURLToPath(new URL('./hello-peer.js', import.meta.url)), String(port)],
    path: '/',
  })
  try {
    for (const database of databases) await measure(workspace, database, hello)
  } finally {
    await hello.stop()
    for (const { drop } of databases) await drop()
  }
}

async function measure(workspace: Workspace, database: FilledDatabase<string>, hello: Peer): Promise<void> {
  const ours = await startPeer(workspace, {
    name: database.name,
    goal: null,
    command: () => [process.execPath, 'dist/main.js'],
    path: '/api/version',
    env: database.env,
  })
  try {
    const session = await signIn(ours.origin, CREDENTIALS)
    const token = { Authorization: `Token ${database.filled}` }
    const reads: readonly ReadBench[] = [
      { what: 'me, token', path: '/api/auth/me', headers: token, goal: 0.35 },
      { what: 'me, session', path: '/api/auth/me', headers: session, goal: null },
      { what: 'projects, token', path: '/api/projects', headers: token, goal: null },
    ]
    const rows = []
    for (const read of reads) rows.push(await compare(workspace, [ours, hello], read))
    console.log(`\n${database.name}\n\n${formatTable(THROUGHPUT, rows)}`)
    console.log(`\n${formatTable(LATENCY, await latencies(ours.origin, token))}`)
  } finally {
    await ours.stop()
  }
}

interface ReadBench {
  readonly what: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly goal: number | null
}

type Row = readonly (string | number)[]

async function compare(
  workspace: Workspace,
  [ours, hello]: readonly [ours: Peer, hello: Peer],
  { what, path, headers, goal }: ReadBench,
): Promise<Row> {
  await load(workspace, { url: ours.origin + path, seconds: 1, headers })
  const pairs: { readonly its: Load; readonly plain: Load }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const its = await load(workspace, { url: ours.origin + path, seconds, headers })
    pairs.push({ its, plain: await load(workspace, { url: hello.origin, seconds }) })
  }
  const ratio = median(pairs.map(({ its, plain }) => its.perSecond / plain.perSecond))
  return [
    what,
    Math.round(median(pairs.map(({ its }) => its.perSecond))),
    Math.round(median(pairs.map(({ plain }) => plain.perSecond))),
    ratio.toFixed(3),
    sum(pairs.map(({ its }) => its.failed)),
    goal === null ? '' : verdict(`≥ ${goal}`, ratio >= goal),
  ]
}

async function latencies(origin: string, headers: Readonly<Record<string, string>>): Promise<readonly Row[]> {
  const list = (page: string) => () => statusOf(fetch(`${origin}/api/projects?${page}`, { headers }))
  const rows: Row[] = []
  for (const [what, page] of [
    ['list, first page', ''],
    ['list, 100 rows, searched', 'q=project&per_page=100&sort=updated_at&order=desc'],
  ] as const) {
    const { p50Ms, p95Ms, perSecond } = await sample({
      clients: 4,
      requests: 1000,
      ask: list(page),
    })
    rows.push([what, 4, ...figures(p50Ms, p95Ms, perSecond), verdict('p95 ≤ 15 ms', p95Ms <= 15)])
  }
  const ask = (): Promise<number> => statusOf(login(origin, CREDENTIALS))
  const { p50Ms, p95Ms, perSecond } = await sample({ clients: 4, requests: 200, ask })
  return [...rows, ['login', 4, ...figures(p50Ms, p95Ms, perSecond), '']]
}

function figures(p50Ms: number, p95Ms: number, perSecond: number): Row {
  return [rounded(p50Ms, 2), rounded(p95Ms, 2), Math.round(perSecond)]
}
