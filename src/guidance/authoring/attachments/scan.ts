import { spawn } from 'node:child_process'
import { WorkQueue } from '../../../platform/concurrency/work-queue.ts'
import { messageOf, Refusal } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import type { Parts } from '../../parts/parts.ts'

const DEADLINE_MS = 60_000

/** The log gets at most this many bytes of the scanner's output. */
const MAX_OUTPUT = 2000

/** The exit status with which scanners such as clamscan and clamdscan report malware. */
const EXIT_OF_MALWARE = 1

const QUEUE = new WorkQueue({ tasks: 20, refusal: 'Too many files wait to be scanned. Try again in a minute.' })

/** The settings of a scan: the program with its arguments, to which the path of the file is added. */
export interface Scanner {
  readonly command: readonly string[]
  readonly log: Log
  readonly deadlineMs?: number
}

/** The scanner in the settings; null without one. */
export function scannerOf({ settings, log }: Pick<Parts, 'settings' | 'log'>): Scanner | null {
  const { attachmentScan: command } = settings
  return command === null ? null : { command, log }
}

/** Lets the program of the operator scan a file, one at a time. Refuses malware, and files that could not be scanned. */
export async function requireClean(path: string, name: string, scanner: Scanner | null): Promise<void> {
  if (scanner === null) return
  const { command, log } = scanner
  const { status, output } = await QUEUE.run(() => run([...command, path], scanner.deadlineMs ?? DEADLINE_MS))
  if (status === 0) return
  if (status === EXIT_OF_MALWARE) {
    log.warn({ name, output }, 'an attachment contains malware and was refused')
    throw new Refusal('attachment_infected', `The scanner has found malware in ${name}. It has not been stored.`)
  }
  log.error({ name, status, output }, 'an attachment could not be scanned and was refused')
  throw new Refusal('scan_unavailable', `${name} could not be scanned for malware, so it has not been stored.`)
}

interface ScanResult {
  /** Null if the scanner could not be started, or was stopped. */
  readonly status: number | null
  readonly output: string
}

/** Runs the scanner without a shell, and without the settings of the service in its environment. */
function run([program = '', ...args]: readonly string[], deadlineMs: number): Promise<ScanResult> {
  return new Promise((resolve) => {
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' }
    const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = `${output}${text}`.slice(0, MAX_OUTPUT)
      })
    const timer = setTimeout(() => {
      endGroup(child.pid)
      child.stdout.destroy()
      child.stderr.destroy()
    }, deadlineMs)
    child.once('error', (error) => {
      clearTimeout(timer)
      resolve({ status: null, output: messageOf(error) })
    })
    child.once('close', (status) => {
      clearTimeout(timer)
      resolve({ status, output })
    })
  })
}

/** Stops the whole process group: programs that the scanner has started would keep its output open. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}
