// Measures the memory of the service and its parts:
// npm run bench:memory -- [--benchmarks 50] [--minutes 1] [--pause 20] [--rest 150]
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { formatTable } from '../../src/commands/table.ts'
import { freePort } from '../../test/support/free-port.ts'
import { build, ingest, standardData } from './data.ts'
import { EMAIL, PASSWORD } from './guidance-data.ts'
import { findCorpus, manyBenchmarks } from './import-data.ts'
import { follow, withService, type BenchDatabase } from './import-service.ts'
import { mixedLoad } from './memory-load.ts'
import { residentCurve, memoryOfProcess, type ProcessMemory } from './memory-parts.ts'
import { rounded, sum, verdict } from './numbers.ts'
import { untilQuiet } from './processor-time.ts'
import { inWorkspace, type Workspace } from './workspace.ts'

const READY_SECONDS = 10
const CURVE_SECONDS = 15
/** By benchmarks, in MB. */
const GOALS = new Map([
  [50, 300],
  [130, 450],
])

const { values } = parseArgs({
  options: {
    benchmarks: { type: 'string', default: '50' },
    minutes: { type: 'string', default: '1' },
    /** Milliseconds that everybody waits before the next request. */
    pause: { type: 'string', default: '20' },
    /** Seconds without any request after the load. */
    rest: { type: 'string', default: '150' },
    /** A data folder that an earlier run has filled and left. */
    data: { type: 'string' },
    /** Without what the unit for systemd tells the allocator and V8. */
    plain: { type: 'boolean', default: false },
  },
})
const benchmarks = Number(values.benchmarks)
const minutes = Number(values.minutes)
const rest = Number(values.rest)

await inWorkspace(bench)

async function bench(workspace: Workspace): Promise<void> {
  await build(workspace)
  const place = await filled(workspace)
  const metricsPort = await freePort()
  const measured = { ...place, env: { ...place.env, SERVICE_METRICS_PORT: String(metricsPort) } }
  await withService(workspace, measured, async (service) => {
    const at = (): Promise<ProcessMemory> => memoryOfProcess(service.pid, `http://127.0.0.1:${metricsPort}/metrics`)
    await untilQuiet(service.pid)
    await sleep(READY_SECONDS * 1000)
    report(`${READY_SECONDS} s after what follows a start was done`, await at())
    const curve = residentCurve(service.pid, CURVE_SECONDS)
    const load = { seconds: minutes * 60, pauseMs: Number(values.pause) }
    const asked = await mixedLoad(service, load)
    console.log(`\n${asked.requests} requests in ${minutes} minutes, ${asked.failed} failed`)
    const loaded = await at()
    console.log(`Resident every ${CURVE_SECONDS} s, in MB: ${(await curve()).join(' ')}`)
    report('at the end of the load', loaded)
    await sleep(rest * 1000)
    report(`after ${rest} s of rest`, await at())
    const goal = GOALS.get(benchmarks)
    if (goal !== undefined)
      console.log(`\nResident at the end of the load: ${verdict(`< ${goal} MB`, loaded.resident < goal)}`)
  })
}

/** A place with the ontology and as many benchmarks, which were imported in an earlier process. */
async function filled(workspace: Workspace): Promise<BenchDatabase> {
  const data = values.data ?? (await ingest(workspace, await standardData(workspace), 'data')).dataDir
  const env = {
    ...(values.plain ? {} : await unitSettings()),
    SERVICE_DATA_DIR: data,
    SERVICE_ADMIN_EMAIL: EMAIL,
    SERVICE_ADMIN_PASSWORD: PASSWORD,
    SERVICE_DATABASE_URL: '',
    SERVICE_RATE_LIMIT_ENABLED: 'false',
    SERVICE_DRAIN_SECONDS: '0',
  }
  const place = { name: 'SQLite', env, drop: () => Promise.resolve() }
  const corpus = values.data === undefined ? await findCorpus() : null
  if (corpus === null) return place
  const bytes = await manyBenchmarks(corpus, benchmarks)
  await withService(workspace, place, async (service) => {
    const { answer, job } = await follow(service, { fileName: 'many.zip', bytes })
    const stored = job?.imported ?? []
    const rules = sum(stored.map(({ rule_count }) => rule_count))
    console.log(`Import ${answer}: ${stored.length} benchmarks, ${rules} rules`)
  })
  return place
}

/** The settings for malloc and Node that the systemd unit and the image have. */
async function unitSettings(): Promise<Readonly<Record<string, string>>> {
  const unit = await readFile(new URL('../../docs/operate/parapet.service', import.meta.url), 'utf8')
  const set = [...unit.matchAll(/^Environment=((?:LD_PRELOAD|MALLOC|NODE_OPTIONS)\w*)=(.*)$/gm)]
  return Object.fromEntries(set.map(([, name = '', value = '']) => [name, value]))
}

function report(moment: string, { resident, peak, files, parts }: ProcessMemory): void {
  const known = sum(parts.map(({ heap, external }) => heap + external))
  console.log(`\nMemory ${moment}, in MB: ${Math.round(resident)} resident, peak ${Math.round(peak)}\n`)
  const rows = [
    ...parts.map(({ name, heap, external }) => [name, heap, external, heap + external] as const),
    ['programs (files)', '', '', files] as const,
    ['not accounted for', '', '', resident - files - known] as const,
  ]
  console.log(
    formatTable(
      ['part', 'heap', 'WebAssembly, bytes', 'both'],
      rows.map((row) => row.map((cell) => (typeof cell === 'number' ? rounded(cell, 1) : cell))),
    ),
  )
}
