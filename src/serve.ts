import { once } from 'node:events'
import type { App } from './app.ts'
import { beforeUpgrade } from './commands/backups/before-upgrade.ts'
import { coverageIn } from './coverage/coverage.ts'
import type { GuidanceService, PartOptions } from './guidance/index.ts'
import type { RequestMeter } from './http/server/traffic.ts'
import {
  describeOntology,
  ontologyFigures,
  ontologyGraphs,
  OntologyService,
} from './ontology/index.ts'
import { messageOf, Refusal } from './platform/errors.ts'
import type { Figure } from './platform/figures.ts'
import type { Log } from './platform/log.ts'
import { ALONE } from './platform/processes/place.ts'
import { readSecrets, type Settings } from './platform/settings/settings.ts'
import { shutdownOf, type Shutdown } from './platform/shutdown.ts'
import { threadFigures } from './platform/threads/thread-figures.ts'
import type { Membership } from './processes/member.ts'
import { onStop } from './processes/signals.ts'
import { schedulesOf } from './schedules.ts'
import { relatedIn } from './search/related/related.ts'
import { createSearch } from './search/search.ts'
import { SparqlService } from './sparql/service.ts'
import { programVersions, type ProgramVersions } from './versions.ts'

export interface Serving {
  readonly settings: Settings
  readonly log: Log
  /** Whether an empty database may be made where one has been lost. */
  readonly isNew: boolean
  /** Null: this process is the only one. */
  readonly membership: Membership | null
}

/** Opens the services and listens. */
export async function serve(serving: Serving): Promise<void> {
  const { settings, log, membership } = serving
  const { place } = membership ?? { place: ALONE }
  const versions = programVersions()
  // What takes long is made once, and found by the others in the data folder.
  const prepares = place.number === 1 ? {} : { prepareMs: null }
  const ontology = new OntologyService({ ...settings, ...prepares, log })
  const opening = ontology.start()
  const schedules = membership === null ? schedulesOf(settings, log) : []
  const open: Closeable[] = [...schedules, ontology]
  try {
    const { openGuidance, createApp, describeApp } = await loadServices()
    const described = describeOntology(ontology)
    const guidance = await openGuidance({
      ...guidanceOptions(serving, versions),
      place,
      ontology: { ...described, related: relatedIn(described), coverage: coverageIn(described) },
      search: (sources) => createSearch({ ...sources, ontology: described }),
    })
    open.push(guidance)
    await membership?.opened()
    const prepared = guidance.prepareSearch(opening)
    const document = describeApp(guidance, settings, versions.version)
    const sparql = openSparql(ontology, guidance, { settings, log })
    open.unshift(sparql)
    const figures = [...ontologyFigures(ontology), ...guidance.figures, ...threadFigures]
    const meter = await openMeter(figures, { ...serving, open })
    const app = createApp({ ontology, guidance, sparql, settings, document, log, meter })
    const shutdown = shutdownOf(app.server)
    // Where others serve already, nobody has to wait for this one.
    if (!place.begins) await Promise.all([opening, prepared])
    await listen(app, settings)
    await opening
    // What readiness does not wait for leaves the machine to what it does wait for.
    void prepared.then(() => guidance.fillGraph()).then(() => sparql.prepare())
    if (place.begins) greet(app, guidance, { settings, versions, log })
    await membership?.serving()
    stopOnSignal({ app, shutdown, open, serving })
  } catch (error) {
    await closeAll(open)
    throw error
  }
}

/** While the render thread opens the release: both take up to a second. */
async function loadServices() {
  return { ...(await import('./guidance/index.ts')), ...(await import('./app.ts')) }
}

interface Opening extends Serving {
  readonly open: Closeable[]
}

/** Tells the figures where the settings say. Their library is loaded where they are wanted; null: nobody wants them. */
async function openMeter(
  figures: readonly Figure[],
  { settings: { metrics: address }, log, open, membership }: Opening,
): Promise<RequestMeter | null> {
  if (address === null) return null
  if (membership !== null) {
    const { ToldMetrics } = await import('./metrics/told-metrics.ts')
    const { requests, tell } = new ToldMetrics(figures, log)
    membership.tells(tell)
    return requests
  }
  const { Metrics } = await import('./metrics/metrics.ts')
  const metrics = new Metrics(figures, { ...address, log })
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

function guidanceOptions(
  { settings, log, isNew, membership }: Serving,
  versions: ProgramVersions,
): PartOptions {
  const { dataDir, baseUrl, guidance } = settings
  const counters = membership === null ? {} : { counters: membership.counters }
  const places = { dataDir, baseUrl, log, isNew, mayWait: true }
  const secrets = readSecrets()
  const backup = { beforeUpgrade: beforeUpgrade({ settings, secrets, log }) }
  return { ...versions, ...places, ...counters, ...backup, settings: guidance, secrets }
}

function greet(
  { server }: App,
  guidance: GuidanceService,
  { settings, versions, log }: Pick<Serving, 'settings' | 'log'> & { versions: ProgramVersions },
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

interface RunningApp {
  readonly app: App
  readonly shutdown: Shutdown
  readonly open: readonly Closeable[]
  readonly serving: Serving
}

function stopOnSignal({ app, shutdown, open, serving }: RunningApp): void {
  const { settings, log, membership } = serving
  const { begin } = onStop(log, {
    begin: () => {
      app.drain()
      void shutdown
        .begin(settings.drainMs)
        .then(() => closeAll(open))
        .then(() => membership?.leave())
    },
  })
  membership?.stops(begin)
}
