import cluster from 'node:cluster'
import { parseArgs } from 'node:util'
import { refuseHalfRestored } from './commands/backups/stage.ts'
import { misuseStatus, usageAsCalled } from './commands/invocation.ts'
import { endWithoutPackage } from './commands/missing-package.ts'
import { requireComunica } from './graph/engine/comunica.ts'
import { ingestStarter } from './ontology/ingest/starter.ts'
import { messageOf, Refusal } from './platform/errors.ts'
import { makeDataFolder } from './platform/files/make-folder.ts'
import { createLog, type Log } from './platform/log.ts'
import { readSettings, unknownSettings, type Settings } from './platform/settings/settings.ts'
import { describeRefusal, storageRefusal } from './platform/storage.ts'
import { growHeapSlowly } from './platform/v8/flags.ts'
import { keepTicksFast } from './platform/v8/ticks.ts'

const USAGE = 'Usage: npm start -- [--new]. With --new, an empty database is created even if there was one before.'

/** Signals that the service ignores. */
const IGNORED_SIGNALS = ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const

try {
  await main()
} catch (error) {
  endWithoutPackage(error, 1)
  const refusal = error instanceof Refusal ? error : storageRefusal(error)
  if (refusal === null) throw error
  process.stderr.write(`${describeRefusal(refusal)}\n`)
  process.exitCode ??= 1
  // The channel to the leading process would keep this one alive.
  cluster.worker?.disconnect()
}

async function main(): Promise<void> {
  keepTicksFast()
  growHeapSlowly()
  const { isNew, needsHelp } = readArguments()
  if (needsHelp) {
    process.stdout.write(`${usageAsCalled(USAGE)}\n`)
    return
  }
  const settings = readSettings()
  if (cluster.isWorker) return serveAsMember(settings, isNew)
  const log = createLog(settings.logLevel)
  ignoreSignals(log)
  if (settings.engine !== null) requireComunica()
  makeDataFolder(settings.dataDir)
  refuseHalfRestored(settings.dataDir)
  for (const name of unknownSettings()) log.warn({ name }, 'Unknown setting')
  await ingestStarter(settings.dataDir, log)
  if (settings.processes > 1) {
    const { lead } = await import('./lead.ts')
    await lead(settings, log)
  } else {
    const { serve } = await import('./serve.ts')
    await serve({ settings, log, isNew, membership: null })
  }
}

/** Serves as one of several processes. The leading process has already done and logged what concerns all. */
async function serveAsMember(settings: Settings, isNew: boolean): Promise<void> {
  const { joinMembers } = await import('./processes/member.ts')
  const membership = await joinMembers()
  const { number, isFirst } = membership.position
  const log = createLog(settings.logLevel).child({ process: number })
  for (const signal of IGNORED_SIGNALS) process.on(signal, () => undefined)
  const { serve } = await import('./serve.ts')
  await serve({ settings, log, isNew: isNew && isFirst, membership })
}

function readArguments(): { readonly isNew: boolean; readonly needsHelp: boolean } {
  const flag = { type: 'boolean', default: false } as const
  try {
    const { values } = parseArgs({ options: { new: flag, help: flag } })
    return { isNew: values.new, needsHelp: values.help }
  } catch (error) {
    process.exitCode = misuseStatus()
    throw new Refusal('usage', `${messageOf(error)}\n${usageAsCalled(USAGE)}`)
  }
}

/** Without handlers, these signals would end the process or open Node's debugger (SIGUSR1). */
function ignoreSignals(log: Log): void {
  for (const signal of IGNORED_SIGNALS)
    process.on(signal, () => {
      log.info({ signal }, 'The signal changes nothing: settings are read at the start')
    })
}
