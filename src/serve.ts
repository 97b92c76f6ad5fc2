import { once } from 'node:events'
import type { App } from './app.ts'
import { shareWasmLimit } from './graph/wasm-memory.ts'
import type { GuidanceService } from './guidance/index.ts'
import { OntologyService } from './ontology/service.ts'
import { messageOf, Refusal } from './platform/errors.ts'
import { ALONE } from './platform/processes/process-position.ts'
import type { Settings } from './platform/settings/settings.ts'
import { shutdownOf, type Shutdown } from './platform/shutdown.ts'
import { onStop } from './processes/signals.ts'
import type { Closeable, ServeOptions } from './services.ts'
import { programVersions, type ProgramVersions } from './versions.ts'

/** Opens the services and listens. */
export async function serve(serving: ServeOptions): Promise<void> {
  const { settings, log, membership } = serving
  const { position } = membership ?? { position: ALONE }
  const versions = programVersions()
  if (settings.sparql.threads > 0) shareWasmLimit(settings.sparql.memoryMegabytes)
  // Derived files take long, so they are made once and shared in the data folder.
  const prepares = position.number === 1 ? {} : { prepareMs: null }
  const ontology = new OntologyService({ ...settings, ...prepares, log })
  const opening = ontology.start()
  const open: Closeable[] = [ontology]
  try {
    // Loaded while the thread of the ontology opens the release, because both take about a second.
    const { openServices } = await import('./services.ts')
    const services = await openServices({ serving, versions, place: position, ontology, opening, open })
    const { app, guidance, sparql, document } = services
    const prepared = Promise.all([guidance.prepareSearch(), sparql.prepare()])
    const shutdown = shutdownOf(app.server)
    // If other processes already serve, this one listens only when it is ready.
    if (!position.isFirst) await Promise.all([opening, prepared])
    await listen(app, settings)
    await opening
    const stopping = new AbortController()
    // Work that readiness does not need starts after the work that it needs.
    const laterWork = [() => prepared, document, () => guidance.fillGraph()]
    runInOrder(laterWork, stopping.signal).catch((error: unknown) => {
      log.error({ err: error }, 'Preparations after the start have failed')
    })
    if (position.isFirst) announceStart(app, guidance, { settings, versions, log })
    await membership?.serving()
    stopOnSignal({ app, shutdown, stopping, open, serving })
  } catch (error) {
    await closeAll(open)
    throw error
  }
}

/** Runs steps one after the other; a stop prevents further steps. */
async function runInOrder(steps: readonly (() => Promise<unknown>)[], stopping: AbortSignal): Promise<void> {
  for (const step of steps) if (!stopping.aborted) await step()
}

async function closeAll(open: readonly Closeable[]): Promise<void> {
  for (const closeable of open) await closeable.close()
}

function announceStart(
  { server }: App,
  guidance: GuidanceService,
  { settings, versions, log }: Pick<ServeOptions, 'settings' | 'log'> & { versions: ProgramVersions },
): void {
  const { baseUrl } = settings
  log.info({ ...versions, address: server.address() }, 'Serving')
  process.stdout.write(`Parapet serves ${baseUrl}/ (API: ${baseUrl}/api/docs)\n`)
  announceFirstSteps(guidance)
}

/** Writes to standard output only, because the link is a secret and the log may be stored elsewhere. */
function announceFirstSteps({ firstSteps, lostKey }: GuidanceService): void {
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
  readonly stopping: AbortController
  readonly open: readonly Closeable[]
  readonly serving: ServeOptions
}

function stopOnSignal({ app, shutdown, stopping, open, serving }: RunningApp): void {
  const { settings, log, membership } = serving
  const { begin } = onStop(log, {
    begin: () => {
      app.drain()
      stopping.abort()
      void shutdown
        .begin(settings.drainMs)
        .then(() => closeAll(open))
        .then(() => membership?.disconnect())
    },
  })
  membership?.setStopHandler(begin)
}
