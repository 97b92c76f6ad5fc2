import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import type { App } from './app.ts'
import { coverageIn } from './coverage/coverage.ts'
import type { GuidanceService, PartOptions } from './guidance/index.ts'
import type { RequestMeter } from './http/server/traffic.ts'
import {
  describeOntology,
  ingest,
  ontologyFigures,
  ontologyGraphs,
  OntologyService,
  ReleaseFolder,
} from './ontology/index.ts'
import { messageOf, Refusal } from './platform/errors.ts'
import type { Figure } from './platform/figures.ts'
import { createLog, type Log } from './platform/log.ts'
import {
  readSecrets,
  readSettings,
  unknownSettings,
  type Settings,
} from './platform/settings/settings.ts'
import { shutdownOf, type Shutdown } from './platform/shutdown.ts'
import { describeRefusal, storageRefusal } from './platform/storage.ts'
import { threadFigures } from './platform/threads/thread-figures.ts'
import { siblingModule } from './platform/threads/thread.ts'
import { relatedIn } from './search/related/related.ts'
import { createSearch } from './search/search.ts'
import { SparqlService } from './sparql/service.ts'
import { SyncSchedule } from './sync/schedule.ts'
import { programVersions, type ProgramVersions } from './versions.ts'

const STARTER = new URL('../data/ontology/', import.meta.url)
const STARTER_LIMITS = { maxBytes: 64 * 1024 * 1024, timeoutMs: 1000 }
const HEAP_GROWTH_PERCENT = 50

try {
  await main()
} catch (error) {
  const refusal = error instanceof Refusal ? error : storageRefusal(error)
  if (refusal === null) throw error
  process.stderr.write(`${describeRefusal(refusal)}\n`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  // On a large machine, V8 lets the heap grow to several times what is in use before it looks for garbage.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  const { isNew } = readArguments()
  const settings = readSettings()
  const log = openLog(settings)
  await ingestStarter(settings, log)
  const ontology = new OntologyService({ ...settings, log })
  const opening = ontology.start()
  const open: Closeable[] = [...schedulesOf(settings, log), ontology]
  try {
    // Loaded while the render thread opens the release: both take up to a second.
    const { openGuidance } = await import('./guidance/index.ts')
    const { createApp, describeApp } = await import('./app.ts')
    const versions = programVersions()
    const options = { ...guidanceOptions(settings, versions, log), isNew, mayWait: true }
    const described = describeOntology(ontology)
    const guidance = await openGuidance({
      ...options,
      ontology: { ...described, related: relatedIn(described), coverage: coverageIn(described) },
      search: (sources) => createSearch({ ...sources, ontology: described }),
    })
    open.push(guidance)
    void guidance.prepareSearch(opening)
    const document = describeApp(guidance, settings, versions.version)
    const sparql = openSparql(ontology, guidance, { settings, log })
    open.unshift(sparql)
    const figures = [...ontologyFigures(ontology), ...guidance.figures]
    const meter = await openMeter(figures, { settings, log, open })
    const app = createApp({ ontology, guidance, sparql, settings, document, log, meter })
    const shutdown = shutdownOf(app.server)
    await listen(app, settings)
    await opening
    void guidance.fillGraph().then(() => sparql.prepare())
    greet(app, guidance, { settings, versions, log })
    stopOnSignal({ app, shutdown, open, drainMs: settings.drainMs, log })
  } catch (error) {
    await closeAll(open)
    throw error
  }
}

function openLog({ logLevel }: Settings): Log {
  const log = createLog(logLevel)
  outliveTerminal(log)
  for (const name of unknownSettings()) log.warn({ name }, 'There is no such setting')
  return log
}

function readArguments(): { readonly isNew: boolean } {
  try {
    const { values } = parseArgs({ options: { new: { type: 'boolean', default: false } } })
    return { isNew: values.new }
  } catch (error) {
    const usage =
      'Usage: npm start [-- --new]. With --new, an empty database may be made where there was one.'
    throw new Refusal('usage', `${messageOf(error)}\n${usage}`)
  }
}

/** What is done by itself, now and then. */
function schedulesOf({ sync: { everyMs }, dataDir }: Settings, log: Log): readonly SyncSchedule[] {
  if (everyMs === null) return []
  const command = siblingModule(import.meta.url, 'commands/sync')
  return [new SyncSchedule({ folder: join(dataDir, 'sync'), everyMs, command, log })]
}

interface Opening {
  readonly settings: Settings
  readonly log: Log
  readonly open: Closeable[]
}

/** Tells the figures where the settings say. Their library is loaded where they are wanted; null: nobody wants them. */
async function openMeter(
  figures: readonly Figure[],
  { settings: { metrics: address }, log, open }: Opening,
): Promise<RequestMeter | null> {
  if (address === null) return null
  const { Metrics } = await import('./metrics/metrics.ts')
  const metrics = new Metrics([...figures, ...threadFigures], { ...address, log })
  await metrics.listen()
  open.push(metrics)
  return metrics.requests
}

/** Asked of what both services have for everybody. */
function openSparql(
  ontology: OntologyService,
  { publicGraphs }: GuidanceService,
  { settings, log }: { readonly settings: Settings; readonly log: Log },
): SparqlService {
  const sources = [ontologyGraphs(ontology, settings), publicGraphs]
  return new SparqlService({ ...settings, settings: settings.sparql, sources, log })
}

/** What has to be closed before the process may end. */
interface Closeable {
  close(): Promise<void>
}

async function closeAll(open: readonly Closeable[]): Promise<void> {
  for (const one of open) await one.close()
}

function guidanceOptions(settings: Settings, versions: ProgramVersions, log: Log): PartOptions {
  const { dataDir, baseUrl } = settings
  const secrets = readSecrets()
  return { ...versions, settings: settings.guidance, secrets, dataDir, baseUrl, log }
}

function greet(
  { server }: App,
  guidance: GuidanceService,
  { settings, versions, log }: Pick<Opening, 'settings' | 'log'> & { versions: ProgramVersions },
): void {
  const { baseUrl } = settings
  log.info({ ...versions, address: server.address() }, 'Serving')
  process.stdout.write(`Parapet serves ${baseUrl}/ (API: ${baseUrl}/api/docs)\n`)
  invite(guidance)
}

/** Standard output only: the link is a secret, and the log may go elsewhere. */
function invite({ firstSteps, lostKey }: GuidanceService): void {
  if (lostKey !== null) process.stdout.write(`Warning: ${lostKey}\n`)
  if (firstSteps === null) return
  process.stdout.write(`${describeFirstSteps(firstSteps)}\n`)
}

function describeFirstSteps(steps: NonNullable<GuidanceService['firstSteps']>): string {
  if ('email' in steps) return `The first administrator is ${steps.email}.`
  if ('link' in steps) return `Become the first administrator (once, within a day): ${steps.link}`
  return 'Become the first administrator: sign in at the provider once, then "npm run admin -- grant EMAIL".'
}

async function listen({ server }: App, { host, port }: Settings): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening').catch((error: unknown) => {
    const where = `SERVICE_HOST ${host}, SERVICE_PORT ${port}`
    throw new Refusal('setting_invalid', `${where}: ${messageOf(error)}.`)
  })
}

/** Without any release, ingests the bundled ontology, so that a newcomer sees a matrix. */
async function ingestStarter({ dataDir }: Settings, log: Log): Promise<void> {
  const folder = new ReleaseFolder(dataDir)
  if ((await folder.active()) !== null) return
  const names = readdirSync(STARTER).filter((name) => name.endsWith('.ttl'))
  const sources = names.sort().map((name) => fileURLToPath(new URL(name, STARTER)))
  const silent = { step: () => undefined, bytes: () => undefined }
  const { manifest } = await ingest(folder, { sources, ...STARTER_LIMITS }, silent)
  log.info({ version: manifest.version }, 'There was no release: the bundled ontology is ingested')
}

interface RunningApp {
  readonly app: App
  readonly shutdown: Shutdown
  readonly open: readonly Closeable[]
  readonly drainMs: number
  readonly log: Log
}

/** Without a handler, SIGHUP would end the process when its terminal closes. */
function outliveTerminal(log: Log): void {
  process.on('SIGHUP', () => {
    log.info('SIGHUP changes nothing: settings are read at the start')
  })
}

/** The first signal lets everybody finish; a second one ends the process at once. */
function stopOnSignal({ app, shutdown, open, drainMs, log }: RunningApp): void {
  let stopping = false
  const stop = (signal: NodeJS.Signals): void => {
    log.info({ signal, drainMs }, stopping ? 'Stopping at once' : 'Stopping')
    if (stopping) process.exit(1)
    stopping = true
    app.drain()
    void shutdown.begin(drainMs).then(() => closeAll(open))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
