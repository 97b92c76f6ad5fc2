import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { readState } from './state.ts'

const CHECK_INTERVAL_MS = 60_000
/** Length of the command's output that the log keeps. */
const MAX_OUTPUT = 20_000

interface ScheduleOptions {
  /** Folder with the state of earlier runs. */
  readonly folder: string
  readonly everyMs: number
  /** The command. */
  readonly command: URL
  readonly log: Log
  /** Interval of the check whether a run is due. */
  readonly checkIntervalMs?: number
}

/**
 * Runs the command that fetches new content whenever the last run, also one by another process on the same folder, is long
 * enough ago. The command is a process of its own, so that it does not block the service.
 */
export class SyncSchedule {
  readonly #options: ScheduleOptions
  readonly #timer: NodeJS.Timeout
  #running: { readonly child: ChildProcess; readonly over: Promise<void> } | null = null
  #checking: Promise<void> = Promise.resolve()

  constructor(options: ScheduleOptions) {
    this.#options = options
    this.#timer = setInterval(() => {
      this.#checking = this.#runIfDue().catch((error: unknown) => {
        options.log.error({ error: messageOf(error) }, 'It cannot be determined whether to fetch new content')
      })
    }, options.checkIntervalMs ?? CHECK_INTERVAL_MS).unref()
  }

  /** A running import is finished or rolled back. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#checking
    this.#running?.child.kill('SIGTERM')
    await this.#running?.over
  }

  async #runIfDue(): Promise<void> {
    if (this.#running !== null) return
    const { ran_at: ranAt } = await readState(this.#options.folder)
    if (ranAt === null || Date.now() - Date.parse(ranAt) >= this.#options.everyMs) this.#run()
  }

  #run(): void {
    const { command, log } = this.#options
    const child = fork(fileURLToPath(command), [], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => {
        output = `${output}${text.toString()}`.slice(-MAX_OUTPUT)
      })
    const ended = new Promise<void>((resolve) => {
      const end = (): void => {
        this.#running = null
        resolve()
      }
      child.on('error', (error) => {
        log.error({ error: error.message }, 'New content cannot be fetched')
        end()
      })
      child.on('close', (status, signal) => {
        const facts = { status, signal, output: output.trim() }
        if (status === 0) log.info(facts, 'New content has been fetched')
        else log.warn(facts, 'Some new content could not be fetched')
        end()
      })
    })
    this.#running = { child, over: ended }
  }
}
