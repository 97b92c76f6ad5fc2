// Imports of one benchmark and of 20,000 rules: npm run bench:import -- [--rounds 7] [--benchmarks 130]
import { parseArgs } from 'node:util'
import { formatTable } from '../../src/commands/table.ts'
import { build, ingest, standardData } from './data.ts'
import { atEachDatabase, settingsFor, type BenchDatabase } from './databases.ts'
import { fileUpload, findCorpus, manyBenchmarks, type Corpus, type Upload } from './import-data.ts'
import { median, rounded, sum, verdict } from './numbers.ts'
import { memoryOf, withService, type SignedInService } from './service.ts'
import { importFile, remove, timeOfLinks } from './uploads.ts'
import { inWorkspace, type Workspace } from './workspace.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, benchmarks: { type: 'string', default: '130' } },
})
const rounds = Number(values.rounds)
const GOALS = { oneMs: 400, manySeconds: 20 } as const

await inWorkspace(async (workspace) => {
  const corpus = await findCorpus()
  if (corpus === null) {
    console.log('bench:import has no data: PARAPET_CORPUS names a folder with xccdf/ in it')
    return
  }
  await build(workspace)
  await atEachDatabase(workspace, 'import', (database) => measure(workspace, database, corpus))
})

async function measure(workspace: Workspace, database: BenchDatabase, corpus: Corpus): Promise<void> {
  console.log(`\n${database.name}`)
  await ingest(workspace, await standardData(workspace), database.dataDir)
  await withService(workspace, settingsFor(database), async (service) => {
    await measureOne(service, await fileUpload(corpus.benchmark))
    const bytes = await manyBenchmarks(corpus, Number(values.benchmarks))
    await measureMany(service, { fileName: 'many.zip', bytes })
  })
}

/** The first round has its own row, because the service has not imported anything before. */
async function measureOne(service: SignedInService, upload: Upload): Promise<void> {
  const first = await importOnce(service, upload)
  const others: ImportTimes[] = []
  for (let round = 0; round < rounds; round += 1) others.push(await importOnce(service, upload))
  const row = (name: string, timeOf: (times: ImportTimes) => number): (string | number)[] => {
    const times = others.map(timeOf)
    return [name, ...[timeOf(first), median(times), Math.max(...times)].map(Math.round)]
  }
  const medianTotal = median(others.map(({ rows, rdf }) => rows + rdf))
  console.log(`\nRHEL 9 V2R7 over HTTP: first time in a process, and ${rounds} times more\n`)
  console.log(
    formatTable(
      ['', 'first ms', 'median ms', 'max ms', 'goal'],
      [
        [...row('until its rows are stored', ({ rows }) => rows), ''],
        [...row('from then until its RDF is there', ({ rdf }) => rdf), ''],
        [...row('both', ({ rows, rdf }) => rows + rdf), verdict(`< ${GOALS.oneMs}`, medianTotal < GOALS.oneMs)],
      ],
    ),
  )
}

/** Milliseconds until the rows are stored, and from then until the RDF is available. */
interface ImportTimes {
  readonly rows: number
  readonly rdf: number
}

async function importOnce(service: SignedInService, upload: Upload): Promise<ImportTimes> {
  const begin = performance.now()
  const { job, answer } = await importFile(service, upload)
  const rows = performance.now() - begin
  const stored = job?.imported[0]
  if (stored === undefined) throw new Error(`${upload.fileName} is answered with ${answer}`)
  const rdf = await timeOfLinks(service, stored)
  await remove(service, stored)
  return { rows, rdf }
}

async function measureMany(service: SignedInService, upload: Upload): Promise<void> {
  const begin = performance.now()
  const { job, answer } = await importFile(service, upload)
  const seconds = (performance.now() - begin) / 1000
  const imported = job?.imported ?? []
  const last = imported.at(-1)
  if (last === undefined) throw new Error(`${upload.fileName} is answered with ${answer}`)
  const rules = sum(imported.map(({ rule_count }) => rule_count))
  const rdf = await timeOfLinks(service, last)
  const { peak } = await memoryOf(service.pid)
  const goal = verdict(`< ${GOALS.manySeconds} s`, seconds < GOALS.manySeconds)
  console.log('\nMany benchmarks in one zip\n')
  console.log(
    formatTable(
      ['benchmarks', 'rules', 'seconds', 'RDF s', 'peak MB', 'goal'],
      [[imported.length, rules, rounded(seconds, 1), rounded(rdf / 1000, 2), Math.round(peak), goal]],
    ),
  )
}
