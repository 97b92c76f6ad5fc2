import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { putGraph } from '../../src/graph/engine/graph-store.ts'
import { hasVirtuoso, startVirtuoso } from '../../test/support/virtuoso.ts'
import { ROOT, runProgram } from './child.ts'
import { environment, ingest, standardData } from './data.ts'
import { untilReady } from './get.ts'
import { startService } from './service.ts'
import type { Workspace } from './workspace.ts'

/** Some endpoint that queries are sent to. */
export interface Peer {
  readonly name: string
  readonly url: string
  /** Which graphs a query is asked of that names none; default: the endpoint knows. */
  readonly dataset: readonly (readonly [name: string, iri: string])[]
  readonly stop: () => Promise<void>
}

/** A graph in a file of N-Triples. */
export interface GraphFile {
  readonly iri: string
  readonly file: string
}

/** Base address in the IRIs of the queries. */
const BASE = 'http://localhost:3000'

/** A Parapet with D3FEND and some STIGs, and another one whose engine it is. */
export async function startParapets(workspace: Workspace, stigs: readonly string[]): Promise<readonly [Peer, Peer]> {
  const { dataDir } = await ingest(workspace, await standardData(workspace), 'first')
  const env = { ...environment(dataDir), ...LIMITS }
  await runProgram([process.execPath, 'dist/commands/import.js', ...stigs], { workspace, env })
  const first = await startParapet(workspace, { name: 'embedded', env })
  const copy = join(workspace.folder, 'second')
  await runProgram(['cp', '-R', dataDir, copy], { workspace, env })
  const engine = {
    SERVICE_DATA_DIR: copy,
    SERVICE_SPARQL_URL: first.url,
    SERVICE_SPARQL_GRAPH: `${BASE}/releases/{version}`,
  }
  const second = await startParapet(workspace, { name: 'second Parapet', env: { ...env, ...engine } })
  return [first, second]
}

const LIMITS = {
  SERVICE_BASE_URL: BASE,
  SERVICE_DATABASE_URL: '',
  SERVICE_SPARQL_SECONDS: '60',
  SERVICE_SPARQL_PER_ADDRESS: '100',
  SERVICE_SPARQL_ROWS: '1000000',
  SERVICE_SPARQL_PATHS: 'true',
}

async function startParapet(
  workspace: Workspace,
  { name, env }: { readonly name: string; readonly env: Readonly<Record<string, string>> },
): Promise<Peer> {
  const { origin, stop } = await startService(workspace, env, '/readyz')
  // Its threads are made after that.
  await untilReady(`${origin}/sparql?query=${encodeURIComponent('ASK { GRAPH ?g { ?s ?p ?o } }')}`)
  return { name, url: `${origin}/sparql`, dataset: [], stop }
}

/** A Virtuoso with the same graphs; null where it is not installed. */
export async function startVirtuosoWith(graphs: readonly GraphFile[], main: string): Promise<Peer | null> {
  if (!hasVirtuoso()) return null
  const virtuoso = await startVirtuoso({ mostRows: 1_000_000, buffers: 40_000 })
  const credentials = { user: 'dba', password: 'dba' }
  const store = { url: virtuoso.store, timeoutMs: 120_000, credentials }
  for (const { iri, file } of graphs) await putGraph(store, iri, await readFile(file, 'utf8'))
  const named = graphs.map(({ iri }) => ['named-graph-uri', iri] as const)
  const dataset = [['default-graph-uri', main] as const, ...named]
  return { name: 'Virtuoso', url: virtuoso.queries, dataset, stop: () => virtuoso.stop() }
}

interface ComunicaOptions {
  readonly query: string
  readonly main: string
  readonly graphs: readonly GraphFile[]
  readonly runs: number
  readonly limitMs: number
}

/** Milliseconds of what Comunica answered in time, and rows. In a process of its own, because it cannot be stopped. */
export async function askComunica(
  { folder }: Workspace,
  { limitMs, ...options }: ComunicaOptions,
): Promise<readonly { readonly ms: number; readonly rows: number }[]> {
  const file = join(folder, 'comunica.json')
  await writeFile(file, JSON.stringify(options))
  const peer = ['--import', 'tsx', 'scripts/bench/comunica-peer.ts', file]
  const child = spawn(process.execPath, peer, { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] })
  const limit = setTimeout(() => child.kill('SIGKILL'), limitMs)
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(child, 'close')
  clearTimeout(limit)
  const lines = text.split('\n').filter((line) => line.includes(' '))
  return lines.map((line) => {
    const [ms = NaN, rows = NaN] = line.split(' ').map(Number)
    return { ms, rows }
  })
}
