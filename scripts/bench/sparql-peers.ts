import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { putGraph } from '../../src/graph/engine/graph-store.ts'
import { hasVirtuoso, startVirtuoso } from '../../test/support/virtuoso.ts'
import { runProgram } from './child.ts'
import { environment, ingest, standardData } from './data.ts'
import { untilReady } from './get.ts'
import { startService } from './service.ts'
import type { Workspace } from './workspace.ts'

/** An engine that answers queries. */
export interface Peer {
  readonly name: string
  /** The text of the answer. Rejects if there is none within `limitMs`. */
  readonly ask: (query: string, mediaType: string) => Promise<string>
  readonly stop: () => Promise<void>
}

/** A peer over HTTP (SPARQL 1.1 Protocol). */
interface EndpointPeer extends Peer {
  readonly url: string
}

/** The default graphs of a query; if empty, the endpoint has its own. */
type DatasetParameters = readonly (readonly [name: string, iri: string])[]

/** A peer that exceeds this time gets no more queries. */
const LIMIT_MS = 20_000

/** A graph in a file of N-Triples. */
export interface GraphFile {
  readonly iri: string
  readonly file: string
}

/** Base address in the IRIs of the queries. */
const BASE = 'http://localhost:3000'

/** A Parapet with D3FEND and some STIGs, and another one that uses it as its engine. */
export async function startParapets(
  workspace: Workspace,
  stigs: readonly string[],
): Promise<readonly [EndpointPeer, EndpointPeer]> {
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
): Promise<EndpointPeer> {
  const { origin, stop } = await startService(workspace, env, '/readyz')
  // It starts its threads afterwards.
  await untilReady(`${origin}/sparql?query=${encodeURIComponent('ASK { GRAPH ?g { ?s ?p ?o } }')}`)
  return endpointPeer({ name, url: `${origin}/sparql`, dataset: [], stop })
}

function endpointPeer({
  name,
  url,
  dataset,
  stop,
}: {
  readonly name: string
  readonly url: string
  readonly dataset: DatasetParameters
  readonly stop: () => Promise<void>
}): EndpointPeer {
  const ask = async (query: string, accept: string): Promise<string> => {
    const body = new URLSearchParams({ query })
    for (const [parameter, iri] of dataset) body.append(parameter, iri)
    const signal = AbortSignal.timeout(LIMIT_MS)
    const answer = await fetch(url, { method: 'POST', headers: { accept }, body, signal })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${answer.status} ${text.replaceAll(/\s+/g, ' ').slice(0, 50)}`)
    return text
  }
  return { name, url, ask, stop }
}

/** A Virtuoso with the same graphs; null if it is not installed. */
export async function startVirtuosoWith(graphs: readonly GraphFile[], main: string): Promise<Peer | null> {
  if (!hasVirtuoso()) return null
  const virtuoso = await startVirtuoso({ mostRows: 1_000_000, buffers: 40_000 })
  const store = { url: virtuoso.store, timeoutMs: 120_000, credentials: { user: 'dba', password: 'dba' } }
  for (const { iri, file } of graphs) await putGraph(store, iri, await readFile(file, 'utf8'))
  const named = graphs.map(({ iri }) => ['named-graph-uri', iri] as const)
  const dataset = [['default-graph-uri', main] as const, ...named]
  return endpointPeer({ name: 'Virtuoso', url: virtuoso.queries, dataset, stop: () => virtuoso.stop() })
}
