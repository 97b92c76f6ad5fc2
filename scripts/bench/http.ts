// Compares hot answers under load with other servers: npm run bench:http -- [--rounds 5] [--seconds 3]
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { formatTable } from '../../src/commands/table.ts'
import { runProgram } from './child.ts'
import { build, environment, ingest, publishCommand, publishedFiles, standardData } from './data.ts'
import { get } from './get.ts'
import { median, rounded, sum, verdict } from './numbers.ts'
import { startBare, startExpress, startNginx, startOurs, type Peer } from './peers.ts'
import { processorTimes, timesBetween } from './processor-time.ts'
import { inWorkspace, type Workspace } from './workspace.ts'
import { hasWrk, load, type Load } from './wrk.ts'

const TECHNIQUE_BYTES = 140_000
/** The load generator uses the same processors, so the table also has the CPU time of a request. */
const HEADER = ['server', 'body bytes', 'req/s', 'CPU µs', 'p99 ms', 'failed', 'ours ÷ it', 'goal']

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)

if (hasWrk()) await inWorkspace(bench)
else console.log('bench:http needs the load generator wrk: apt-get install wrk')

async function bench(workspace: Workspace): Promise<void> {
  await build(workspace)
  const data = await ingest(workspace, await standardData(workspace), 'data')
  const site = join(workspace.folder, 'site')
  await runProgram(publishCommand(site, '--no-describe', '--compress'), { workspace, env: environment(data.dataDir) })
  console.log(
    `Hot GET, ${data.name}: gzip accepted, 32 kept-alive connections, ${rounds} rounds of ` +
      `${seconds} s, servers in turn. Ratios are medians over rounds.`,
  )
  const servers: Peer[] = []
  try {
    const ours = await startOurs(workspace, data.dataDir)
    servers.push(ours)
    const nginx = await startNginx(workspace, site)
    if (nginx.length === 0) console.log('nginx is not installed (apt-get install nginx): left out')
    servers.push(...nginx, await startExpress(workspace, site))
    for (const path of ['/api/matrix.json', await technique(site), '/api/version.json']) {
      const bare = await startBare(workspace, join(site, `${path}.gz`), await get(ours.origin + path))
      try {
        await compare(workspace, path, [...servers, bare])
      } finally {
        await bare.stop()
      }
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

async function technique(site: string): Promise<string> {
  const files = (await publishedFiles(site)).filter(({ path }) => path.startsWith('/api/technique/d3f:'))
  const distance = (bytes: number): number => Math.abs(bytes - TECHNIQUE_BYTES)
  const [nearest] = files.sort((a, b) => distance(a.bytes) - distance(b.bytes))
  if (nearest === undefined) throw new Error('No technique is published')
  return nearest.path
}

interface LoadWithCpu extends Load {
  /** CPU time of the server and its children, for one request. */
  readonly cpuMs: number
}

async function compare(workspace: Workspace, path: string, servers: readonly Peer[]): Promise<void> {
  const bodies = await Promise.all(servers.map(({ origin }) => get(origin + path)))
  const identity = bodies.map(({ body, headers }) => (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body))
  if (!identity.every((body) => identity[0]?.equals(body) === true)) {
    throw new Error(`The servers disagree about ${path}`)
  }
  for (const { origin } of servers) await load(workspace, { url: origin + path, seconds: 1 })
  const results = servers.map((): LoadWithCpu[] => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { origin, pid }] of servers.entries()) {
      const before = await processorTimes(pid)
      const loaded = await load(workspace, { url: origin + path, seconds })
      const cpuMs = sum(timesBetween(before, await processorTimes(pid)))
      results[index]?.push({ ...loaded, cpuMs: cpuMs / (loaded.perSecond * seconds) })
    }
  }
  const rows = servers.map((server, index) =>
    toRow(server, bodies[index]?.body.length ?? 0, [results[index] ?? [], results[0] ?? []]),
  )
  console.log(`\n${path} (${identity[0]?.length ?? 0} bytes unpacked)\n`)
  console.log(formatTable(HEADER, rows))
}

function toRow(
  { name, goal }: Peer,
  bytes: number,
  [its, ours]: readonly [its: readonly LoadWithCpu[], ours: readonly LoadWithCpu[]],
): readonly (string | number)[] {
  const ratio = median(its.map(({ perSecond }, round) => (ours[round]?.perSecond ?? Number.NaN) / perSecond))
  return [
    name,
    bytes,
    Math.round(median(its.map(({ perSecond }) => perSecond))),
    rounded(median(its.map(({ cpuMs }) => cpuMs)) * 1000, 1),
    rounded(median(its.map(({ p99Ms }) => p99Ms)), 2),
    sum(its.map(({ failed }) => failed)),
    ratio.toFixed(3),
    goal === null ? '' : verdict(`≥ ${goal}`, ratio >= goal),
  ]
}
