import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './client.ts'

export const EMAIL = 'soak@example.org'
export const PASSWORD = 'Correct-Horse-42-!Staple'
/** A service that others leave little of the machine may need minutes. */
const START_MS = 600_000

interface SoakedOptions {
  /** The main module of a built program. */
  readonly program: string
  readonly dataDir: string
  readonly logFile: string
  readonly port: number
  readonly processes: number
  /** Null: SQLite. */
  readonly databaseUrl: string | null
}

/** The service under load, which is killed and started again. */
export class SoakedService {
  readonly port: number
  readonly #options: SoakedOptions
  #child: ChildProcess | null = null

  constructor(options: SoakedOptions) {
    this.#options = options
    this.port = options.port
  }

  /** Resolves when it is ready. */
  async start(): Promise<void> {
    const { program, dataDir, logFile, port, processes, databaseUrl } = this.#options
    const child = spawn(process.execPath, [program], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        SERVICE_DATA_DIR: dataDir,
        SERVICE_PORT: String(port),
        SERVICE_PROCESSES: String(processes),
        SERVICE_DRAIN_SECONDS: '0',
        SERVICE_ADMIN_EMAIL: EMAIL,
        SERVICE_ADMIN_PASSWORD: PASSWORD,
        SERVICE_RATE_LIMIT_ENABLED: 'false',
        SERVICE_LOG_LEVEL: 'warn',
        ...(databaseUrl !== null && { SERVICE_DATABASE_URL: databaseUrl }),
      },
    })
    child.stderr.pipe(createWriteStream(logFile, { flags: 'a' }))
    this.#child = child
    await this.isReady()
  }

  async isReady(): Promise<void> {
    const end = Date.now() + START_MS
    while (Date.now() < end) {
      if (this.#child?.exitCode !== null) break
      if ((await send(this.port, '/readyz')).status === 200) return
      await sleep(100)
    }
    throw new Error(`The service is not ready: ${readFileSync(this.#options.logFile, 'utf8')}`)
  }

  /** `kill -9`, of one of several processes where there are several. */
  async kill(): Promise<void> {
    const [, victim] = this.#pids()
    if (victim !== undefined) {
      process.kill(victim, 'SIGKILL')
      return
    }
    await this.#end('SIGKILL')
    await this.start()
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM')
  }

  async abandon(): Promise<void> {
    await this.#end('SIGKILL')
  }

  /** Resident memory of all its processes, in MiB. */
  resident(): number {
    const sizes = this.#pids().map((pid) => {
      const match = /VmRSS:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))
      return Number(match?.[1] ?? 0) / 1024
    })
    return sizes.reduce((sum, size) => sum + size, 0)
  }

  /** The path of a file in the data folder of the service. */
  file(name: string): string {
    return join(this.#options.dataDir, name)
  }

  #pids(): readonly number[] {
    const pid = this.#child?.pid
    if (pid === undefined) return []
    const children = textOf(`/proc/${pid}/task/${pid}/children`).trim()
    return [pid, ...(children === '' ? [] : children.split(' ').map(Number))]
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const over = once(child, 'exit')
    child.kill(signal)
    await over
  }
}

/** Empty where there is none: the process may have ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
