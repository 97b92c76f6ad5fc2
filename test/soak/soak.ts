import { execSync } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { check, type Finding } from './check.ts'
import { Ledger } from './ledger.ts'
import { load } from './load.ts'
import { SoakRecord } from './record.ts'
import { SoakedService } from './service.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

export interface SoakOptions {
  readonly program: string
  /** For the data, the ledger and the log. */
  readonly folder: string
  readonly port: number
  readonly seconds: number
  readonly processes: number
  /** Null: SQLite. */
  readonly databaseUrl: string | null
  /** The command that restarts the server of the database; null: it is left alone. */
  readonly restartDatabase: string | null
}

export interface Soak {
  readonly record: SoakRecord
  readonly acknowledged: number
  readonly findings: readonly Finding[]
  /** Checks that could not be run here, and why. */
  readonly notTried: readonly string[]
}

const RESIDENT_MS = 500
const FULL_MS = 3000

/** Loads a service and ends it in many ways, then looks for everything that it has acknowledged. */
export async function soak(options: SoakOptions): Promise<Soak> {
  const { folder, port, seconds } = options
  const dataDir = join(folder, 'data')
  await mkdir(dataDir, { recursive: true })
  const disk = mountSmallDisk(dataDir)
  const service = new SoakedService({ ...options, dataDir, logFile: join(folder, 'log') })
  const ledger = new Ledger(join(folder, 'ledger'))
  const record = new SoakRecord()
  const over = new AbortController()
  const measured = setInterval(() => {
    record.resident(service.resident())
  }, RESIDENT_MS)
  try {
    await service.start()
    const loaded = load({ port, ledger, record, signal: over.signal })
    await trouble({ ...options, service, record, disk }, Date.now() + seconds * 1000)
    over.abort()
    await loaded
    record.happened('the load ends; stopped and started again')
    await service.stop()
    await service.start()
    const entries = ledger.entries()
    const findings = await check(port, entries)
    return { record, acknowledged: entries.length, findings, notTried: notTried(options, disk) }
  } finally {
    over.abort()
    clearInterval(measured)
    await service.abandon()
    disk?.unmount()
  }
}

interface Troubled extends SoakOptions {
  readonly service: SoakedService
  readonly record: SoakRecord
  readonly disk: SmallDisk | null
}

/** One kind of trouble after the other, a few times in all, with quiet between them. */
async function trouble(troubled: Troubled, end: number): Promise<void> {
  const kinds = kindsOf(troubled)
  const quietMs = Math.min(60_000, (troubled.seconds * 1000) / (2 * kinds.length + 1))
  for (let turn = 0; Date.now() + quietMs < end; turn += 1) {
    await sleep(quietMs)
    const kind = kinds[turn % kinds.length]
    if (kind === undefined || Date.now() >= end) break
    troubled.record.happened(kind.what)
    await kind.make()
  }
  await sleep(Math.max(0, end - Date.now()))
}

interface Kind {
  readonly what: string
  readonly make: () => Promise<void>
}

function kindsOf({ service, record, disk, restartDatabase }: Troubled): readonly Kind[] {
  const full = async (small: SmallDisk): Promise<void> => {
    await small.fill()
    await sleep(FULL_MS)
    await small.empty()
    record.happened('there is space again')
    await service.isReady()
  }
  return [
    { what: 'kill -9', make: () => service.kill() },
    ...(disk === null ? [] : [{ what: 'the disk is full', make: () => full(disk) }]),
    ...(restartDatabase === null
      ? []
      : [
          {
            what: 'the database is restarted',
            make: async () => {
              execSync(restartDatabase, { stdio: 'ignore' })
              await service.isReady()
            },
          },
        ]),
  ]
}

function notTried(options: SoakOptions, disk: SmallDisk | null): readonly string[] {
  return [
    ...(disk === null ? ['a full disk: nothing may be mounted here'] : []),
    ...(options.databaseUrl !== null && options.restartDatabase === null
      ? ['a restart of the database: --restart-database names no command']
      : []),
  ]
}
