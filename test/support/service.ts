import { existsSync } from 'node:fs'
import { cp, mkdtemp, rm, stat } from 'node:fs/promises'
import { Agent, request, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createApp, describeApp } from '../../src/app.ts'
import { openGuidance, type GuidanceService } from '../../src/guidance/index.ts'
import { createDocumentCache, type DocumentCache } from '../../src/http/openapi/document-cache.ts'
import { Metrics } from '../../src/metrics/metrics.ts'
import {
  describeOntology,
  ingest,
  ontologyFigures,
  ontologyGraphs,
  OntologyService,
  ReleaseFolder,
} from '../../src/ontology/index.ts'
import type { Figure } from '../../src/platform/figures.ts'
import { createLog, type Log } from '../../src/platform/log.ts'
import { readSecrets, readSettings, type Settings } from '../../src/platform/settings/settings.ts'
import { threadFigures } from '../../src/platform/threads/thread-figures.ts'
import { relatedIn } from '../../src/search/related/related.ts'
import { createSearch } from '../../src/search/search.ts'
import { endpointsFor } from '../../src/services.ts'
import { SparqlService } from '../../src/sparql/index.ts'
import { checked } from './exchange.ts'
import { scratchDatabase } from './scratch-database.ts'
import { seedDatabase } from './seeded-database.ts'

/** A running service on a free port. */
export interface TestService {
  readonly ontology: OntologyService
  readonly guidance: GuidanceService
  readonly folder: ReleaseFolder
  readonly baseUrl: string
  /** URL of `/metrics`; null if the settings switch it off. */
  readonly metricsUrl: string | null
  drain(): void
  /** Sends a request and compares the exchange with the OpenAPI document. */
  get(path: string, options?: RequestOptions): Promise<RawResponse>
  close(): Promise<void>
}

export interface RequestOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export const STARTER = ['data/ontology/*.ttl']

interface IngestOptions {
  readonly version?: string
  readonly date?: string
  readonly replace?: boolean
  readonly activate?: boolean
}

/** Folders with ingested releases, by sources and options; tests copy them instead of ingesting again. */
const ingested = new Map<string, Promise<string>>()

/** Ingests sources as a release (version and date where they state none). */
export async function ingestInto(
  dataDir: string,
  sources: readonly string[],
  options: IngestOptions = {},
): Promise<void> {
  if (existsSync(join(dataDir, 'ontology'))) {
    await ingestAnew(dataDir, sources, options)
    return
  }
  const key = JSON.stringify([await Promise.all(sources.map(stampOf)), options])
  const folder = ingested.get(key) ?? ingestApart(sources, options)
  ingested.set(key, folder)
  await cp(await folder, dataDir, { recursive: true })
}

/** Distinguishes versions of a file, because tests overwrite files under the same name. */
async function stampOf(source: string): Promise<string> {
  const { mtimeMs, size } = (await stat(source).catch(() => null)) ?? { mtimeMs: 0, size: 0 }
  return `${source} ${mtimeMs} ${size}`
}

async function ingestApart(sources: readonly string[], options: IngestOptions): Promise<string> {
  const home = await mkdtemp(join(process.env['PARAPET_TEST_RUN'] ?? tmpdir(), 'ingested-'))
  await ingestAnew(home, sources, options)
  return home
}

async function ingestAnew(dataDir: string, sources: readonly string[], options: IngestOptions): Promise<void> {
  const limits = { maxBytes: 64 * 1024 * 1024, timeoutMs: 5000 }
  await ingest(new ReleaseFolder(dataDir), { sources, ...limits, ...options })
}

/** A service with the bundled ontology for all tests of a file. */
export function starterService(): () => TestService {
  return serviceWith([{ sources: STARTER }])
}

interface IngestedRelease extends IngestOptions {
  readonly sources: readonly string[]
}

/** A service with releases for all tests of a file; the last one is active. */
export function serviceWith(
  releases: readonly IngestedRelease[],
  env: Readonly<Record<string, string>> = {},
  log?: Log,
): () => TestService {
  let dataDir = ''
  let running: TestService | null = null
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
    for (const { sources, ...options } of releases) await ingestInto(dataDir, sources, options)
    running = await startService(dataDir, env, log)
  })
  afterAll(async () => {
    await running?.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return () => {
    if (running === null) throw new Error('The service has not been started')
    return running
  }
}

/** The first answer may take longer on a busy machine. */
const SEARCH_PATIENCE_MS = 60_000

/** Only the test sets variables of the environment; those of the process are ignored. */
export async function startService(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  log: Log = createLog('silent'),
): Promise<TestService> {
  const scratch = await scratchDatabase('migrated')
  if (scratch === null) await seedDatabase(dataDir)
  const environment = {
    SERVICE_DATA_DIR: dataDir,
    SERVICE_PORT: '0',
    ...(scratch !== null && { SERVICE_DATABASE_URL: scratch.url }),
    ...env,
  }
  const settings = readSettings(environment)
  // Preparing answers in the background takes time, and has its own tests.
  const ontology = new OntologyService({ ...settings, log, prepareMs: null })
  const described = describeOntology(ontology)
  const guidance = await openGuidance({
    ontology: { ...described, related: relatedIn(described) },
    search: (sources) => createSearch({ ...sources, ontology: described }, SEARCH_PATIENCE_MS),
    endpoints: endpointsFor(described),
    ...settings,
    settings: settings.guidance,
    secrets: readSecrets(environment),
    version: '0.0.0',
    frameworkVersion: '0.0.0',
    log,
  })
  const document = describedWith(env, () => describeApp(guidance, settings, '0.0.0'))
  const sources = [ontologyGraphs(ontology, settings), guidance.publicGraphs]
  const sparql = new SparqlService({ ...settings, settings: settings.sparql, sources, log })
  const metrics = await openMetrics([...ontologyFigures(ontology), ...guidance.figures], settings)
  const app = createApp({ ontology, guidance, sparql, settings, document, log, meter: metrics?.requests ?? null })
  await new Promise<void>((resolve) => app.server.listen(0, '127.0.0.1', resolve))
  await ontology.start()
  const { port } = addressOf(app.server.address())
  return {
    ontology,
    guidance,
    folder: new ReleaseFolder(dataDir),
    baseUrl: `http://127.0.0.1:${port}`,
    metricsUrl: metrics && `http://127.0.0.1:${addressOf(metrics.address).port}/metrics`,
    drain: () => {
      app.drain()
    },
    get: checked((path, options) => getRaw(port, path, options)),
    close: async () => {
      app.server.closeAllConnections()
      await new Promise((resolve) => app.server.close(resolve))
      await metrics?.close()
      await app.close()
      await sparql.close()
      await ontology.close()
      await guidance.close()
      await scratch?.drop()
    },
  }
}

async function openMetrics(figures: readonly Figure[], { metrics: address }: Settings): Promise<Metrics | null> {
  if (address === null) return null
  const metrics = new Metrics([...figures, ...threadFigures], { ...address, log: createLog('silent') })
  await metrics.listen()
  return metrics
}

const documents = new Map<string, DocumentCache>()

/** Caches the OpenAPI document, because services with the same settings publish the same one. */
function describedWith(
  env: Readonly<Record<string, string>>,
  describe: Parameters<typeof createDocumentCache>[0],
): DocumentCache {
  const key = JSON.stringify(env)
  const document = documents.get(key) ?? createDocumentCache(describe)
  documents.set(key, document)
  return document
}

const agent = new Agent({ keepAlive: true })

/** Sends the path unchanged, and returns the body unchanged. */
function getRaw(port: number, path: string, { body, headers, ...options }: RequestOptions = {}): Promise<RawResponse> {
  // Node sends the body of a DELETE without its length.
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const sent = { host: '127.0.0.1', port, path, agent, ...options, headers: { ...length, ...headers } }
  return new Promise((resolve, reject) => {
    const outgoing = request(sent, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { statusCode = 0, headers } = response
        resolve({ status: statusCode, headers, body: Buffer.concat(chunks) })
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

function addressOf(address: string | AddressInfo | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port')
  return address
}

export function jsonOf({ body }: RawResponse): unknown {
  return JSON.parse(body.toString('utf8'))
}
