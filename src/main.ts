import cluster from 'node:cluster'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { refuseHalfRestored } from './commands/backups/stage.ts'
import { ReleaseFolder } from './ontology/release/folder.ts'
import { messageOf, Refusal } from './platform/errors.ts'
import { createLog, type Log } from './platform/log.ts'
import { readSettings, unknownSettings, type Settings } from './platform/settings/settings.ts'
import { describeRefusal, storageRefusal } from './platform/storage.ts'
import { keepTicksFast } from './platform/ticks.ts'

const STARTER = new URL('../data/ontology/', import.meta.url)
const STARTER_LIMITS = { maxBytes: 64 * 1024 * 1024, timeoutMs: 1000 }
const HEAP_GROWTH_PERCENT = 25
/** Signals that mean nothing to the service. */
const IGNORED = ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const

try {
  await main()
} catch (error) {
  const refusal = error instanceof Refusal ? error : storageRefusal(error)
  if (refusal === null) throw error
  process.stderr.write(`${describeRefusal(refusal)}\n`)
  process.exitCode = 1
  // What connects it to the process that leads would keep it.
  cluster.worker?.disconnect()
}

async function main(): Promise<void> {
  keepTicksFast()
  // On a large machine, V8 lets the heap grow to several times what is in use before it looks for garbage.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  const { isNew } = readArguments()
  const settings = readSettings()
  if (cluster.isWorker) return serveAsMember(settings, isNew)
  const log = createLog(settings.logLevel)
  outliveSignals(log)
  refuseHalfRestored(settings.dataDir)
  for (const name of unknownSettings()) log.warn({ name }, 'There is no such setting')
  await ingestStarter(settings, log)
  if (settings.processes > 1) {
    const { lead } = await import('./lead.ts')
    await lead(settings, log)
  } else {
    const { serve } = await import('./serve.ts')
    await serve({ settings, log, isNew, membership: null })
  }
}

/** One of several; what concerns all of them has been said by the process that leads. */
async function serveAsMember(settings: Settings, isNew: boolean): Promise<void> {
  const { joinMembers } = await import('./processes/member.ts')
  const membership = await joinMembers()
  const { number, begins } = membership.place
  const log = createLog(settings.logLevel).child({ process: number })
  for (const signal of IGNORED) process.on(signal, () => undefined)
  const { serve } = await import('./serve.ts')
  await serve({ settings, log, isNew: isNew && begins, membership })
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

/** Without any release, ingests the bundled ontology, so that a newcomer sees a matrix. */
async function ingestStarter({ dataDir }: Settings, log: Log): Promise<void> {
  const folder = new ReleaseFolder(dataDir)
  if ((await folder.active()) !== null) return
  const names = readdirSync(STARTER).filter((name) => name.endsWith('.ttl'))
  const sources = names.sort().map((name) => fileURLToPath(new URL(name, STARTER)))
  const { ingest } = await import('./ontology/index.ts')
  const silent = { step: () => undefined, bytes: () => undefined }
  const { manifest } = await ingest(folder, { sources, ...STARTER_LIMITS }, silent)
  log.info({ version: manifest.version }, 'There was no release: the bundled ontology is ingested')
}

/** Without handlers, they would end the process, as when its terminal closes, or open Node's debugger (SIGUSR1). */
function outliveSignals(log: Log): void {
  for (const signal of IGNORED)
    process.on(signal, () => {
      log.info({ signal }, 'The signal changes nothing: settings are read at the start')
    })
}
