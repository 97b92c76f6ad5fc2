import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type { App } from './app.ts'
import { openGuidance, type GuidanceService } from './guidance/index.ts'
import {
  describeControls,
  describeDocuments,
  ingest,
  OntologyService,
  ReleaseFolder,
} from './ontology/index.ts'
import { messageOf, Refusal } from './platform/errors.ts'
import { createLog, type Log } from './platform/log.ts'
import { readSecrets, readSettings, unknownSettings, type Settings } from './platform/settings.ts'
import { relatedIn } from './search/related.ts'
import { createSearch } from './search/search.ts'

const STARTER = new URL('../data/ontology/', import.meta.url)
const STARTER_LIMITS = { maxBytes: 64 * 1024 * 1024, timeoutMs: 1000 }
/** Answers under way get this long to finish before their connections are cut. */
const SHUTDOWN_MS = 10_000
const HEAP_GROWTH_PERCENT = 50

try {
  await main()
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stderr.write(`${error.message} [${error.code}]\n`)
  process.exitCode = 1
}

async function main(): Promise<void> {
  // On a large machine, V8 lets the heap grow to several times what is in use before it looks for garbage.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  const settings = readSettings()
  const log = createLog(settings.logLevel)
  for (const name of unknownSettings()) log.warn({ name }, 'There is no such setting')
  await ingestStarter(settings, log)
  const ontology = new OntologyService({ ...settings, log })
  const opening = ontology.start()
  const open: Open[] = [ontology]
  try {
    const version = versionOf(new URL('../package.json', import.meta.url))
    const options = guidanceOptions(settings, version, log)
    const documents = describeDocuments(ontology)
    const guidance = await openGuidance({
      ...options,
      ontology: {
        ...describeControls(ontology),
        related: relatedIn(documents),
      },
      search: (sources) => createSearch({ ...sources, ontology: documents }),
    })
    open.push(guidance)
    // Loaded while the render thread opens the release: both take a few hundred milliseconds.
    const { createApp } = await import('./app.ts')
    const app = createApp({ ontology, guidance, settings, version, log })
    await listen(app, settings)
    await opening
    void guidance.fillGraph()
    void guidance.prepareSearch()
    greet(app, settings, log)
    invite(guidance)
    stopOnSignal(app, open, log)
  } catch (error) {
    await closeAll(open)
    throw error
  }
}

/** What has to be closed before the process may end. */
interface Open {
  close(): Promise<void>
}

async function closeAll(open: readonly Open[]): Promise<void> {
  for (const one of open) await one.close()
}

function guidanceOptions(
  settings: Settings,
  version: string,
  log: Log,
): Omit<Parameters<typeof openGuidance>[0], 'ontology' | 'search'> {
  const { dataDir, baseUrl } = settings
  const express = createRequire(import.meta.url).resolve('express/package.json')
  const frameworkVersion = versionOf(pathToFileURL(express))
  const secrets = readSecrets()
  return { settings: settings.guidance, secrets, dataDir, baseUrl, version, frameworkVersion, log }
}

function greet({ server }: App, { baseUrl }: Settings, log: Log): void {
  log.info({ address: server.address() }, 'Serving')
  process.stdout.write(`Parapet serves ${baseUrl}/ (API: ${baseUrl}/api/docs)\n`)
}

/** Standard output only: the link is a secret, and the log may go elsewhere. */
function invite({ firstSteps }: GuidanceService): void {
  if (firstSteps === null) return
  const how =
    'link' in firstSteps
      ? `Become the first administrator (once, within a day): ${firstSteps.link}`
      : `The first administrator is ${firstSteps.email}.`
  process.stdout.write(`${how}\n`)
}

async function listen({ server }: App, { host, port }: Settings): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening').catch((error: unknown) => {
    const where = `SERVICE_HOST ${host}, SERVICE_PORT ${port}`
    throw new Refusal('setting_invalid', `${where}: ${messageOf(error)}.`)
  })
}

/** A newcomer sees a living matrix: without any release, the bundled ontology becomes one. */
async function ingestStarter({ dataDir }: Settings, log: Log): Promise<void> {
  const folder = new ReleaseFolder(dataDir)
  if ((await folder.active()) !== null) return
  const names = readdirSync(STARTER).filter((name) => name.endsWith('.ttl'))
  const sources = names.sort().map((name) => fileURLToPath(new URL(name, STARTER)))
  const silent = { step: () => undefined, bytes: () => undefined }
  const { manifest } = await ingest(folder, { sources, ...STARTER_LIMITS }, silent)
  log.info({ version: manifest.version }, 'There was no release: the bundled ontology is ingested')
}

function versionOf(manifestFile: URL): string {
  const manifest: unknown = JSON.parse(readFileSync(manifestFile, 'utf8'))
  if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return '0.0.0'
  return String(manifest.version)
}

function stopOnSignal(app: App, open: readonly Open[], log: Log): void {
  const stop = (signal: NodeJS.Signals): void => {
    log.info({ signal }, 'Stopping')
    app.drain()
    const cut = setTimeout(() => {
      app.server.closeAllConnections()
    }, SHUTDOWN_MS)
    app.server.close(() => {
      clearTimeout(cut)
      void closeAll(open)
    })
    app.server.closeIdleConnections()
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}
