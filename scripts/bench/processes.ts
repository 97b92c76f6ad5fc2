// The gain and cost of more processes: npm run bench:processes -- [--rounds 5] [--seconds 4]
import { parseArgs } from 'node:util'
import { formatTable } from '../../src/commands/table.ts'
import { freePort } from '../../test/support/free-port.ts'
import { build, ingest, standardData } from './data.ts'
import { atEachDatabase, settingsFor, type BenchDatabase } from './databases.ts'
import { median, rounded, sum } from './numbers.ts'
import { processorTimes, timesBetween, untilQuiet } from './processor-time.ts'
import { sample, statusOf } from './sample.ts'
import { startSignedIn, type SignedInService } from './service.ts'
import { inWorkspace, type Workspace } from './workspace.ts'
import { hasWrk, load } from './wrk.ts'

const HOT = '/api/version.json'
const COUNTS = [1, 2]
const WRITERS = [1, 2, 4]
const WRITES = 400
const CLIENTS = 8

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '4' } },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)

if (hasWrk()) await inWorkspace(bench)
else console.log('bench:processes needs the load generator wrk: apt-get install wrk')

async function bench(workspace: Workspace): Promise<void> {
  await build(workspace)
  await benchReads(workspace)
  await atEachDatabase(workspace, 'writes', (database) => benchWrites(workspace, database))
}

/** Both services run all the time and are loaded in turn, so that other work of the machine meets both. */
async function benchReads(workspace: Workspace): Promise<void> {
  const measured = new Map<Measured, ReadThroughput[]>()
  try {
    for (const processes of COUNTS)
      measured.set(await start(workspace, { name: 'SQLite', dataDir: 'reads', url: null }, processes), [])
    for (let round = 0; round < rounds; round += 1)
      for (const [service, reads] of measured) reads.push(await read(workspace, service))
    console.log(`\nHot GET, 32 kept-alive connections, ${rounds} rounds of ${seconds} s in turn; medians\n`)
    const rows = Array.from(measured, ([{ processes }, reads]) => {
      const microseconds = reads.map((one) => one.microseconds)
      return [
        processes,
        Math.round(median(reads.map(({ perSecond }) => perSecond))),
        rounded(median(microseconds), 1),
        `${rounded(Math.min(...microseconds), 1)}–${rounded(Math.max(...microseconds), 1)}`,
        reads.map(({ largestShare }) => `${Math.round(largestShare * 100)} %`).join(' '),
      ]
    })
    console.log(formatTable(['processes', 'req/s', 'CPU µs a request', 'least–most', 'share of the busiest'], rows))
  } finally {
    for (const { stop } of measured.keys()) await stop()
  }
}

interface ReadThroughput {
  readonly perSecond: number
  readonly microseconds: number
  readonly largestShare: number
}

async function read(workspace: Workspace, { origin, pid }: Measured): Promise<ReadThroughput> {
  await load(workspace, { url: origin + HOT, seconds: 1 })
  const before = await processorTimes(pid)
  const { perSecond, failed } = await load(workspace, { url: origin + HOT, seconds })
  const times = timesBetween(before, await processorTimes(pid))
  if (failed > 0) throw new Error(`${failed} answers failed`)
  const all = sum(times)
  return { perSecond, microseconds: (all * 1000) / (perSecond * seconds), largestShare: Math.max(...times) / all }
}

/** Projects that eight people make at the same time, with each number of processes. */
async function benchWrites(workspace: Workspace, database: BenchDatabase): Promise<void> {
  const rows: (readonly (string | number)[])[] = []
  for (const processes of WRITERS) {
    const service = await start(workspace, database, processes)
    try {
      rows.push(await write(service))
    } finally {
      await service.stop()
    }
  }
  console.log(`\n${database.name}: POST /projects, ${CLIENTS} people at the same time, ${WRITES} projects\n`)
  const header = ['processes', 'writes/s', 'p50 ms', 'p95 ms', 'CPU ms a write', 'retries for the lock, each']
  console.log(formatTable(header, rows))
}

async function write({ processes, origin, pid, admin, metrics }: Measured): Promise<readonly number[]> {
  let number = 0
  const ask = (): Promise<number> => {
    number += 1
    // A connection of its own, so that processes take turns.
    const headers = { ...admin, Connection: 'close', 'Content-Type': 'application/json' }
    const body = JSON.stringify({ project: { name: `Project ${number} of ${processes}` } })
    return statusOf(fetch(`${origin}/projects`, { method: 'POST', headers, body }))
  }
  await sample({ clients: CLIENTS, requests: 80, ask })
  const [before, retriesBefore] = [await processorTimes(pid), await countRetries(metrics)]
  const { perSecond, p50Ms, p95Ms } = await sample({ clients: CLIENTS, requests: WRITES, ask })
  const all = sum(timesBetween(before, await processorTimes(pid)))
  const retries = (await countRetries(metrics)) - retriesBefore
  const latencies = [p50Ms, p95Ms].map((ms) => rounded(ms, 1))
  return [processes, Math.round(perSecond), ...latencies, rounded(all / WRITES, 2), rounded(retries / WRITES, 2)]
}

async function countRetries(metrics: string): Promise<number> {
  const text = await (await fetch(metrics)).text()
  return Number(/^parapet_database_busy_total (\d+)$/m.exec(text)?.[1])
}

interface Measured extends SignedInService {
  readonly processes: number
  readonly metrics: string
}

/** Starts a service of so many processes; resolves once the work that follows its start is done. */
async function start(workspace: Workspace, database: BenchDatabase, processes: number): Promise<Measured> {
  const { dataDir } = await ingest(workspace, await standardData(workspace), `${database.dataDir}-${processes}`)
  const port = String(await freePort())
  const service = await startSignedIn(workspace, {
    ...settingsFor({ ...database, dataDir }),
    SERVICE_PROCESSES: String(processes),
    SERVICE_METRICS_PORT: port,
  })
  await untilQuiet(service.pid, processes === 1 ? 1 : processes + 1)
  return { ...service, processes, metrics: `http://127.0.0.1:${port}/metrics` }
}
