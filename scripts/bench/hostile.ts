// Measures other requests during hostile queries and uploads: npm run bench:hostile -- [--seconds 20]
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { formatTable } from '../../src/commands/table.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { build, ingest, standardData } from './data.ts'
import { settingsFor } from './databases.ts'
import { get } from './get.ts'
import { fileUpload, findCorpus, largeBenchmark } from './import-data.ts'
import { percentile, rounded, verdict } from './numbers.ts'
import { memoryOf, withService, type SignedInService } from './service.ts'
import { importFile } from './uploads.ts'
import { inWorkspace } from './workspace.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } })
const SECONDS = Number(values.seconds)
const EVERY_MS = 5
const ATTACKERS = 6
const GOALS = { p99Ms: 100, moreMb: 400 } as const
/** Paths that other people request: answers from memory, and from the database. */
const OTHERS = ['/api/matrix.json', '/api/stigs/latest']

const JOIN = '?a ?b ?c . ?d ?e ?f . ?g ?h ?i'
const GROWING = ['a', 'b', 'c', 'd', 'e'].reduce(
  (text, letter, index) => `REPLACE(${text}, "${letter}", "${'bcdef'.charAt(index).repeat(40)}")`,
  '"aaaaaaaaaa"',
)
const QUERIES = [
  `SELECT (COUNT(*) AS ?n) { ${JOIN} }`,
  `SELECT * { ${JOIN} } ORDER BY ?c ?f ?i`,
  `SELECT DISTINCT ?a ?d ?g { ${JOIN} }`,
  'SELECT * { ?a ?b ?c . ?d ?e ?f } LIMIT 1000000',
  'SELECT * { ?a (<x:a>|!<x:b>|^!<x:b>)* ?b }',
  `SELECT * { ?s ?p ?o FILTER(REGEX(STR(?o), "${'(a|aa)*'.repeat(50)}b{1000}c")) }`,
  `SELECT (${GROWING} AS ?x) {}`,
  'SELECT (GROUP_CONCAT(CONCAT(STR(?c), STR(?f))) AS ?x) { ?a ?b ?c . ?d ?e ?f }',
  'DESCRIBE ?s { ?s ?p ?o }',
  'CONSTRUCT { ?a ?e ?i } { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }',
  `SELECT * { ${'{'.repeat(5000)}${'}'.repeat(5000)} }`,
  `SELECT * { ?s ?p ?o FILTER(${'1+'.repeat(3000)}1 > 0) }`,
  `SELECT * { ?s ${'<a:b>/'.repeat(2000)}<a:b> ?o }`,
  `SELECT * { ?s ?p ?o FILTER(${'!'.repeat(20_000)}true) }`,
  `SELECT * { ?s ?p "${'x'.repeat(10_000_000)}" }`,
  'SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }',
  'SELECT'.repeat(1000),
]

await inWorkspace(async (workspace) => {
  await build(workspace)
  const { dataDir } = await ingest(workspace, await standardData(workspace), 'data')
  const settings = settingsFor({ name: 'SQLite', dataDir, url: null })
  const corpus = await findCorpus()
  await withService(workspace, settings, async (service) => {
    for (const path of [...OTHERS, `/sparql?query=${encodeURIComponent('ASK {}')}`]) await get(service.origin + path)
    const rows = [await measureBeside(service, 'nothing', () => sleep(3000, []))]
    rows.push(await measureBeside(service, 'queries', () => queries(service.origin)))
    const { bomb = null } = corpus ?? {}
    if (bomb !== null) rows.push(await measureBeside(service, 'a zip of 300 MB in 0.3', () => upload(service, bomb)))
    if (corpus !== null) {
      const large = await largeBenchmark(corpus)
      const send = async (): Promise<string[]> => [(await importFile(service, large)).answer]
      rows.push(await measureBeside(service, 'an XML file of 50 MB', send))
    }
    const header = ['meanwhile', 'seconds', 'requests', 'failed', 'p50 ms', 'p99 ms', 'max ms', 'more MB', 'goals']
    console.log(`\nGET ${OTHERS.join(' and ')}; memory above idle\n\n${formatTable([...header, 'answers'], rows)}`)
  })
})

/** Sends from many addresses, because each address is limited. Returns the answers. */
async function queries(origin: string): Promise<readonly string[]> {
  const end = performance.now() + SECONDS * 1000
  const answers: string[] = []
  const attack = async (_none: unknown, attacker: number): Promise<void> => {
    for (let index = attacker; performance.now() < end; index += 1)
      answers.push(await ask(`${origin}/sparql`, QUERIES[index % QUERIES.length] ?? '', `127.0.${1 + (index % 200)}.1`))
  }
  await Promise.all(Array.from({ length: ATTACKERS }, attack))
  return answers
}

function ask(url: string, query: string, localAddress: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = { 'Content-Type': 'application/sparql-query' }
    const sent = request(url, { method: 'POST', agent: false, localAddress, headers }, (response) => {
      response.resume()
      response.once('close', () => {
        resolve(`${response.statusCode}${response.complete ? '' : ' cut off'}`)
      })
    })
    sent.once('error', (error) => {
      resolve(messageOf(error))
    })
    sent.end(query)
  })
}

async function upload(service: SignedInService, file: string): Promise<readonly string[]> {
  const bomb = await fileUpload(file)
  const answers: string[] = []
  for (let time = 0; time < 20; time += 1) answers.push((await importFile(service, bomb)).answer)
  return answers
}

/** Measures other people's requests during the work, as a row of the table. */
async function measureBeside(
  { origin, pid }: SignedInService,
  name: string,
  work: () => Promise<readonly string[]>,
): Promise<readonly (string | number)[]> {
  const { now: idle } = await memoryOf(pid)
  const times: number[] = []
  let [failed, ended] = [0, false]
  const begin = performance.now()
  const working = work().finally(() => (ended = true))
  while (!ended)
    for (const path of OTHERS) {
      const { status, ms } = await get(origin + path)
      times.push(ms)
      if (status !== 200) failed += 1
      await sleep(EVERY_MS)
    }
  const answers = await working
  const growth = (await memoryOf(pid)).peak - idle
  const latencies = [0.5, 0.99, 1].map((share) => rounded(percentile(times, share), 1))
  const fast = verdict(`p99 < ${GOALS.p99Ms} ms`, percentile(times, 0.99) < GOALS.p99Ms)
  const small = verdict(`< ${GOALS.moreMb} MB`, growth < GOALS.moreMb)
  const seconds = rounded((performance.now() - begin) / 1000, 1)
  return [name, seconds, times.length, failed, ...latencies, Math.round(growth), `${fast}, ${small}`, counted(answers)]
}

function counted(answers: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  return Array.from(counts, ([answer, count]) => `${answer} × ${count}`).join(', ')
}
