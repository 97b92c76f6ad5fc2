// Measures ten queries of researchers, and DESCRIBE of every subject: npm run bench:sparql -- [--runs 15]
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { formatTable } from '../../src/commands/table.ts'
import { messageOf } from '../../src/platform/errors.ts'
import { ROOT } from './child.ts'
import { build } from './data.ts'
import { median, percentile, rounded, sum } from './numbers.ts'
import { startParapets, startVirtuosoWith, type GraphFile, type Peer } from './sparql-peers.ts'
import { inWorkspace, type Workspace } from './workspace.ts'

const { values } = parseArgs({ options: { runs: { type: 'string', default: '15' } } })
const RUNS = Number(values.runs)
/** Long queries are repeated less often. */
const LONGEST_MS = 5000
const JSON_RESULTS = 'application/sparql-results+json'
const N_TRIPLES = 'application/n-triples'
const CORPUS = resolve(ROOT, process.env['PARAPET_CORPUS'] ?? '../shared/corpus')
const STIGS = ['U_RHEL_9_STIG_V2R7', 'U_RHEL_8_STIG_V1R2'].map((name) => join(CORPUS, `xccdf/${name}_Manual-xccdf.xml`))
/** The examples of the documentation. */
const QUERIES = Array.from(
  readFileSync(join(ROOT, 'docs/sparql.md'), 'utf8').matchAll(/\*\*([^*]+)\*\*[^`]*```sparql\n([\s\S]*?)```/g),
  ([, words = '', query = '']) => ({ words, query }),
)
const bindings = z.object({
  results: z.object({ bindings: z.array(z.record(z.string(), z.object({ value: z.string() }))) }),
})

interface QueryMeasurement {
  readonly times: number[]
  rows: number | string
  /** Whether the peer failed to answer. */
  isOver: boolean
}

await inWorkspace(async (workspace) => {
  if (!STIGS.every((file) => existsSync(file))) {
    console.log('bench:sparql has no data: PARAPET_CORPUS names a folder with xccdf/ and ontology/')
    return
  }
  await build(workspace)
  const parapets = await startParapets(workspace, STIGS)
  const peers: Peer[] = [...parapets]
  try {
    const [embedded] = parapets
    const main = await mainGraph(embedded)
    const virtuoso = await startVirtuosoWith(await readGraphs(workspace, embedded), main)
    if (virtuoso !== null) peers.push(virtuoso)
    await measureQueries(peers)
    await measureSubjects(peers)
  } finally {
    for (const { stop } of peers.reverse()) await stop()
  }
})

async function measureQueries(peers: readonly Peer[]): Promise<void> {
  for (const { words, query } of QUERIES) {
    const rows: (string | number)[][] = []
    const measured = await inTurns(peers, query)
    for (const [name, measurement] of measured) rows.push([name, ...figures(measurement.times), measurement.rows])
    const table = formatTable(['by', 'p50 ms', 'p95 ms', 'times', 'rows'], rows)
    console.log(`\n${words}\n\n${table}`)
  }
}

/** Measures all peers in turn, so that other work of the machine affects all of them equally. */
async function inTurns(peers: readonly Peer[], query: string): Promise<ReadonlyMap<string, QueryMeasurement>> {
  const measurements = new Map<string, QueryMeasurement>()
  for (const { name } of peers) measurements.set(name, { times: [], rows: '', isOver: false })
  for (let run = 0; run <= RUNS; run += 1) {
    for (const peer of peers) {
      const measured = measurements.get(peer.name)
      if (measured === undefined || measured.isOver || sum(measured.times) > LONGEST_MS) continue
      // Each query has a new text, so that no peer answers from a cache.
      const { ms, rows } = await ask(peer, `${query}\n# ${run}`)
      measured.rows = rows
      measured.isOver = typeof rows === 'string'
      // The first query is not counted: each peer reads and plans then.
      if (run > 0 && !measured.isOver) measured.times.push(ms)
    }
  }
  return measurements
}

async function ask(peer: Peer, query: string): Promise<{ readonly ms: number; readonly rows: number | string }> {
  const isGraph = /^\s*(?:CONSTRUCT|DESCRIBE)\b/m.test(query)
  const begun = performance.now()
  try {
    const text = await peer.ask(query, isGraph ? N_TRIPLES : JSON_RESULTS)
    const ms = performance.now() - begun
    if (isGraph) return { ms, rows: text.split('\n').filter((line) => /^[<_]/.test(line)).length }
    return { ms, rows: bindings.parse(JSON.parse(text)).results.bindings.length }
  } catch (error) {
    return { ms: performance.now() - begun, rows: messageOf(error) }
  }
}

async function measureSubjects(peers: readonly Peer[]): Promise<void> {
  const [first] = peers
  const query = 'SELECT DISTINCT ?s { ?s ?p ?o FILTER(ISIRI(?s)) }'
  const subjects = first === undefined ? [] : (await rowsOf(first, query)).map(({ s }) => s?.value)
  const times = new Map<string, number[]>(peers.map(({ name }) => [name, []]))
  for (const subject of subjects)
    for (const peer of peers) times.get(peer.name)?.push((await ask(peer, `DESCRIBE <${subject}>`)).ms)
  const rows = [...times].map(([name, subjectTimes]) => [name, ...figures(subjectTimes)])
  console.log(`\nDESCRIBE of every subject\n\n${formatTable(['by', 'p50 ms', 'p95 ms', 'times'], rows)}`)
}

function figures(times: readonly number[]): readonly (string | number)[] {
  return [rounded(median(times), 1), rounded(percentile(times, 0.95), 1), times.length]
}

async function rowsOf(peer: Peer, query: string): Promise<z.output<typeof bindings>['results']['bindings']> {
  return bindings.parse(JSON.parse(await peer.ask(query, JSON_RESULTS))).results.bindings
}

async function mainGraph(peer: Peer): Promise<string> {
  const releases = 'SELECT DISTINCT ?g { GRAPH ?g { ?s a <http://www.w3.org/2002/07/owl#Ontology> } }'
  const [row] = await rowsOf(peer, releases)
  return row?.['g']?.value ?? ''
}

/** The files with all graphs. */
async function readGraphs({ folder }: Workspace, peer: Peer): Promise<readonly GraphFile[]> {
  const rows = await rowsOf(peer, 'SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }')
  const files: GraphFile[] = []
  for (const [index, { g }] of rows.entries()) {
    const query = `CONSTRUCT { ?s ?p ?o } WHERE { GRAPH <${g?.value}> { ?s ?p ?o } }`
    const file = join(folder, `graph-${index}.nt`)
    await writeFile(file, await peer.ask(query, N_TRIPLES))
    files.push({ iri: g?.value ?? '', file })
  }
  return files
}
