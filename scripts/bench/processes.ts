// Measures the gain and cost of more processes; also on PARAPET_TEST_POSTGRES:
// npm run bench:processes -- [--rounds 5] [--seconds 4]
import { parseArgs } from 'node:util'
import { formatTable } from '../../src/commands/table.ts'
import { freePort } from '../../test/support/free-port.ts'
import { serve, type RunningProcess } from './child.ts'
import { build, environment } from './data.ts'
import { untilReady } from './get.ts'
import { EMAIL, PASSWORD } from './guidance-data.ts'
import { openDatabase, openDatabases, type BenchDatabase } from './import-service.ts'
import { median, rounded, sum } from './numbers.ts'
import { processorTimes, timesBetween, untilQuiet } from './processor-time.ts'
import { sample, signIn, statusOf } from './sample.ts'
import { inWorkspace, type Workspace } from './workspace.ts'
import { hasWrk, load } from './wrk.ts'

const HOT = '/api/version.json'
const COUNTS = [1, 2]
const WRITERS = [1, 2, 4]
const WRITES = 400
const CLIENTS = 8

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
  },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)

interface Service extends RunningProcess {
  readonly processes: number
  readonly origin: string
  readonly pid: number
  readonly metricsUrl: string
}

if (hasWrk()) await inWorkspace(bench)
else console.log('bench:processes needs the load generator wrk: apt-get install wrk')

async function bench(workspace: Workspace): Promise<void> {
  await build(workspace)
  await benchReads(workspace)
  await benchWrites(workspace)
}

/** Both services run all the time and are loaded in turn, so that whatever else the machine does meets both. */
async function benchReads(workspace: Workspace): Promise<void> {
  const services: Service[] = []
  try {
    for (const processes of COUNTS) {
      const place = await openDatabase(workspace, { name: 'SQLite', folder: `reads-${processes}` })
      services.push(await start(workspace, place, processes))
    }
    const measured = new Map<Service, ReadThroughput[]>(services.map((service) => [service, []]))
    for (let round = 0; round < rounds; round += 1)
      for (const [service, reads] of measured) reads.push(await read(workspace, service))
    console.log(`\nHot GET, 32 kept-alive connections, ${rounds} rounds of ${seconds} s in turn; medians\n`)
    const rows = Array.from(measured, ([{ processes }, reads]) => [
      processes,
      Math.round(median(reads.map(({ perSecond }) => perSecond))),
      rounded(median(reads.map(({ microseconds }) => microseconds)), 1),
      `${rounded(Math.min(...reads.map(({ microseconds }) => microseconds)), 1)}–${rounded(Math.max(...reads.map(({ microseconds }) => microseconds)), 1)}`,
      rounded(median(reads.map(({ cores }) => cores)), 2),
      reads.map(({ largestShare }) => `${Math.round(largestShare * 100)} %`).join(' '),
    ])
    const header = ['processes', 'req/s', 'CPU µs a request', 'least–most', 'cores']
    console.log(formatTable([...header, 'share of the busiest'], rows))
  } finally {
    for (const service of services) await service.stop()
  }
}

interface ReadThroughput {
  readonly perSecond: number
  readonly microseconds: number
  readonly cores: number
  readonly largestShare: number
}

async function read(workspace: Workspace, { origin, pid }: Service): Promise<ReadThroughput> {
  await load(workspace, { url: origin + HOT, seconds: 1 })
  const before = await processorTimes(pid)
  const { perSecond, failed } = await load(workspace, { url: origin + HOT, seconds })
  const times = timesBetween(before, await processorTimes(pid))
  if (failed > 0) throw new Error(`${failed} answers failed`)
  const all = sum(times)
  return {
    perSecond,
    microseconds: (all * 1000) / (perSecond * seconds),
    cores: all / (seconds * 1000),
    largestShare: Math.max(...times) / all,
  }
}

/** Projects that eight people make at the same time, in a database of each service. */
async function benchWrites(workspace: Workspace): Promise<void> {
  const rows = []
  for (const processes of WRITERS)
    for (const place of await openDatabases(workspace, `writes-${processes}`)) {
      const service = await start(workspace, place, processes)
      try {
        rows.push([place.name, ...(await write(service))])
      } finally {
        await service.stop()
        await place.drop()
      }
    }
  console.log(`\nPOST /projects, ${CLIENTS} people at the same time, ${WRITES} projects\n`)
  const header = ['database', 'processes', 'writes/s', 'p50 ms', 'p95 ms', 'CPU ms a write']
  console.log(formatTable([...header, 'asked again for the lock, each'], rows))
}

async function write({ processes, origin, pid, metricsUrl }: Service): Promise<(string | number)[]> {
  const session = await signIn(origin, { email: EMAIL, password: PASSWORD })
  const me = await fetch(`${origin}/api/auth/me`, { headers: session })
  const token = me.headers.get('X-CSRF-Token') ?? ''
  await me.arrayBuffer()
  let number = 0
  const ask = (): Promise<number> => {
    number += 1
    return statusOf(
      fetch(`${origin}/projects`, {
        method: 'POST',
        // A connection of its own, so that processes take turns.
        headers: {
          ...session,
          'X-CSRF-Token': token,
          Connection: 'close',
          'Content-Type': 'application/json',
        },
        body: JSON.stringify({ project: { name: `Project ${number}` } }),
      }),
    )
  }
  await sample({ clients: CLIENTS, requests: 80, ask })
  const [before, waitsBefore] = [await processorTimes(pid), await measureWait(metricsUrl)]
  const { perSecond, p50Ms, p95Ms } = await sample({ clients: CLIENTS, requests: WRITES, ask })
  const all = sum(timesBetween(before, await processorTimes(pid)))
  const again = (await measureWait(metricsUrl)) - waitsBefore
  return [
    processes,
    Math.round(perSecond),
    rounded(p50Ms, 1),
    rounded(p95Ms, 1),
    rounded(all / WRITES, 2),
    rounded(again / WRITES, 2),
  ]
}

async function measureWait(metricsUrl: string): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text()
  return Number(/^parapet_database_busy_total (\d+)$/m.exec(metrics)?.[1])
}

async function start(workspace: Workspace, place: BenchDatabase, processes: number): Promise<Service> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const env = {
    ...environment('', port),
    ...place.env,
    SERVICE_PROCESSES: String(processes),
    SERVICE_METRICS_PORT: String(metricsPort),
    SERVICE_DRAIN_SECONDS: '0',
  }
  const { pid, stop } = serve([process.execPath, 'dist/main.js'], { workspace, env })
  const origin = `http://127.0.0.1:${port}`
  const service = {
    processes,
    origin,
    pid,
    stop,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
  }
  await untilReady(`${origin}/readyz`)
  await untilQuiet(pid, processes === 1 ? 1 : processes + 1)
  return service
}
