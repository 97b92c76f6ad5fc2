// Benchmarks that come in: npm run bench:import -- [--rounds 7] [--benchmarks 200]
import { parseArgs } from 'node:util'
import { formatTable } from '../../src/commands/table.ts'
import { build } from './data.ts'
import { fileUpload, findCorpus, library, type Corpus, type Upload } from './import-data.ts'
import { measureGrowth } from './import-growth.ts'
import { measureLatency } from './import-latency.ts'
import { compareReaders } from './import-readers.ts'
import {
  follow,
  countLinks,
  openDatabases,
  remove,
  send,
  withService,
  type BenchDatabase,
  type Service,
  type StoredBenchmark,
} from './import-service.ts'
import { median, rounded, sum, verdict } from './numbers.ts'
import { inWorkspace, type Workspace } from './workspace.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    benchmarks: { type: 'string', default: '200' },
  },
})
const rounds = Number(values.rounds)
const count = Number(values.benchmarks)
const GOAL_MS = 400

await inWorkspace(async (workspace) => {
  const corpus = await findCorpus()
  if (corpus === null) {
    console.log('bench:import has no data: PARAPET_CORPUS names a folder with xccdf/ in it')
    return
  }
  await build(workspace)
  await compareReaders(workspace, corpus.benchmark)
  await atEach(workspace, 'catalogue', async (place) => {
    const stored = await withService(workspace, place, async (service) => {
      await measureOne(service, await fileUpload(corpus.benchmark))
      return measureLibrary(service, corpus)
    })
    await measureLatency(workspace, place, { corpus, stored })
  })
  await atEach(workspace, 'growth', (place) => measureGrowth(workspace, place, { corpus, count }))
})

/** Measures at fresh places, which are gone afterwards. */
async function atEach(
  workspace: Workspace,
  name: string,
  measure: (place: BenchDatabase) => Promise<void>,
): Promise<void> {
  const places = await openDatabases(workspace, name)
  try {
    for (const place of places) {
      console.log(`\n${place.name}`)
      await measure(place)
    }
  } finally {
    for (const { drop } of places) await drop()
  }
}

/** Milliseconds until the rows are stored, and from then until the RDF is there. */
interface Round {
  readonly rows: number
  readonly rdf: number | null
}

/** The first round is told apart: it finds a service that has not imported anything yet. */
async function measureOne(service: Service, upload: Upload): Promise<void> {
  const cold = await importOnce(service, upload)
  const warm: Round[] = []
  for (let round = 0; round < rounds; round += 1) warm.push(await importOnce(service, upload))
  const lines = [
    rowOf('until its rows are stored', cold, { warm, take: ({ rows }) => rows }),
    rowOf('from then until its RDF is there', cold, { warm, take: ({ rdf }) => rdf }),
    rowOf('both', cold, { warm, take: together, goalMs: GOAL_MS }),
  ]
  console.log(`\nRHEL 9 V2R7 over HTTP: first time in a process, and ${rounds} times more\n`)
  console.log(formatTable(['', 'first ms', 'median ms', 'max ms', 'goal'], lines))
}

async function importOnce(service: Service, upload: Upload): Promise<Round> {
  const begin = performance.now()
  const { job, answer } = await send(service, upload, 'wait=60')
  const rows = performance.now() - begin
  const stored = job?.imported[0]
  if (stored === undefined) throw new Error(`${upload.fileName} is answered with ${answer}`)
  const rdf = await countLinks(service, stored)
  await remove(service, stored)
  return { rows, rdf }
}

function together({ rows, rdf }: Round): number | null {
  return rdf === null ? null : rows + rdf
}

function rowOf(
  name: string,
  cold: Round,
  {
    warm,
    take,
    goalMs,
  }: {
    readonly warm: readonly Round[]
    readonly take: (round: Round) => number | null
    readonly goalMs?: number
  },
): readonly (string | number)[] {
  const times = warm.flatMap((round) => take(round) ?? [])
  const first = take(cold)
  if (times.length === 0 || first === null) return [name, 'not there', '', '', '']
  const time = median(times)
  const goal = goalMs === undefined ? '' : verdict(`< ${goalMs}`, time < goalMs)
  return [name, ...[first, time, Math.max(...times)].map(Math.round), goal]
}

/** Hands over one that was stored. */
async function measureLibrary(service: Service, corpus: Corpus): Promise<StoredBenchmark | null> {
  const upload = await library(corpus)
  const begin = performance.now()
  const { job, answer } = await follow(service, upload)
  const seconds = (performance.now() - begin) / 1000
  if (job === null) throw new Error(`The library is answered with ${answer}`)
  const { imported, already_imported, refused } = job
  const rules = sum(imported.map(({ rule_count }) => rule_count))
  const stored = imported.at(-1) ?? null
  const rdf = stored === null ? null : await countLinks(service, stored)
  const row = [
    corpus.files.length,
    imported.length,
    already_imported.length,
    refused.length,
    rules,
    rounded(seconds, 2),
    Math.round(rules / seconds),
    rdf === null ? 'not there' : rounded(rdf / 1000, 2),
  ]
  console.log('\nAll XML files of the corpus in one library\n')
  const header = ['files', 'imported', 'already', 'refused', 'rules', 'seconds', 'rules/s', 'RDF s']
  console.log(formatTable(header, [row]))
  console.log(`\nRefused: ${countedCodes(refused)}`)
  return stored
}

function countedCodes(refused: readonly { readonly code: string }[]): string {
  const codes = [...new Set(refused.map(({ code }) => code))].sort()
  const countOf = (code: string): number => refused.filter((one) => one.code === code).length
  return codes.map((code) => `${code} ${countOf(code)}`).join(', ')
}
