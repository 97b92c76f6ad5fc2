import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import { formatTable } from '../../src/commands/table.ts'
import { fileUpload, largeBenchmark, type Corpus, type Upload } from './import-data.ts'
import {
  follow,
  forgetPeak,
  countLinks,
  memoryOf,
  withService,
  type Memory,
  type BenchDatabase,
  type Service,
  type StoredBenchmark,
} from './import-service.ts'
import { rounded, verdict } from './numbers.ts'
import type { Workspace } from './workspace.ts'

const EVERY_MS = 2
const SETTLE_MS = 1000
const IDLE_MS = 3000
/** One is refused before there is anything to measure. */
const BOMBS = 20
const GOALS = { p99Ms: 100, moreMb: 400 } as const
const HEADER = [
  'meanwhile',
  'seconds',
  'answer',
  'requests',
  'failed',
  'p50 ms',
  'p99 ms',
  'max ms',
  'more MB',
  'goal',
  'goal',
]

type Row = readonly (string | number)[]

const reported = z.object({ times: z.array(z.number()), failed: z.int() })

/** Measures the effect of large and hostile uploads on other requests. `stored` was imported before. */
export async function measureLatency(
  workspace: Workspace,
  place: BenchDatabase,
  { corpus, stored }: { readonly corpus: Corpus; readonly stored: StoredBenchmark | null },
): Promise<void> {
  const rows: Row[] = []
  const each = (work: (observed: Observation) => Promise<void>): Promise<void> =>
    withService(workspace, place, async (service) => {
      await work({ service, idle: await settle(service, stored), rows })
    })
  const { bomb } = corpus
  if (bomb !== null) {
    await each(async (observed) => {
      await observe(observed, 'nothing', () => sleep(IDLE_MS, ''))
      const upload = await fileUpload(bomb)
      await observe(observed, `zip of 300 MB in 0.3, ${BOMBS} times`, () => answerTo(observed, upload))
    })
  }
  await each(async (observed) => {
    await observeLarge(observed, await largeBenchmark(corpus))
  })
  console.log(`\nGET /api/stigs/latest over one connection, one every ${EVERY_MS} ms; memory above idle\n`)
  console.log(formatTable(HEADER, rows))
  if (bomb === null) console.log('There is no zip bomb in the corpus.')
}

interface Observation {
  readonly service: Service
  readonly idle: Memory | null
  readonly rows: Row[]
}

/** Idle is a service that holds the RDF of what is stored. */
async function settle(service: Service, stored: StoredBenchmark | null): Promise<Memory | null> {
  if (stored !== null) await countLinks(service, stored)
  await sleep(SETTLE_MS)
  return memoryOf(service)
}

async function observeLarge(observed: Observation, upload: Upload): Promise<void> {
  const found: StoredBenchmark[] = []
  const megabytes = Math.round(upload.bytes.length / 1e6)
  await observe(observed, `XML of ${megabytes} MB`, async () => {
    const { job, answer } = await follow(observed.service, upload)
    found.push(...(job?.imported ?? []))
    return answer
  })
  const [large] = found
  if (large === undefined) return
  await observe(observed, `RDF of its ${large.rule_count} rules`, async () => {
    return (await countLinks(observed.service, large)) === null ? 'not there' : 'there'
  })
}

async function answerTo({ service }: Observation, upload: Upload): Promise<string> {
  const answers = new Set<string>()
  for (let time = 0; time < BOMBS; time += 1) answers.add((await follow(service, upload)).answer)
  return [...answers].join(', ')
}

/** Asks all the time while the work goes on. */
async function observe({ service, idle, rows }: Observation, name: string, work: () => Promise<string>): Promise<void> {
  const url = new URL('./import-ping.js', import.meta.url)
  const asked = { url: `${service.origin}/api/stigs/latest`, everyMs: EVERY_MS }
  await forgetPeak(service)
  const worker = new Worker(url, { workerData: asked })
  try {
    await once(worker, 'message')
    const begin = performance.now()
    const answer = await work()
    const seconds = (performance.now() - begin) / 1000
    worker.postMessage('stop')
    const messages: readonly unknown[] = await once(worker, 'message')
    const pings = reported.parse(messages[0])
    const memory = await memoryOf(service)
    const more = memory === null || idle === null ? null : memory.peak - idle.now
    rows.push([name, rounded(seconds, 1), answer, ...figures(pings), ...goals(pings, more)])
  } finally {
    await worker.terminate()
  }
}

type Pings = z.infer<typeof reported>

function figures({ times, failed }: Pings): Row {
  const latencies = [at(times, 0.5), at(times, 0.99), at(times, 1)]
  return [times.length, failed, ...latencies.map((ms) => rounded(ms, 1))]
}

function goals({ times }: Pings, more: number | null): Row {
  const { p99Ms, moreMb } = GOALS
  const fast = verdict(`p99 < ${p99Ms}`, at(times, 0.99) < p99Ms)
  if (more === null) return ['unknown', fast, '']
  return [Math.round(more), fast, verdict(`< ${moreMb} MB`, more < moreMb)]
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
