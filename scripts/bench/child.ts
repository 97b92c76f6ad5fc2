import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Workspace } from './workspace.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const LIMIT_MS = 900_000
const KILL_AFTER_MS = 5000

interface Options {
  readonly workspace: Workspace
  readonly env?: Readonly<Record<string, string>>
}

/** A process that runs until it is stopped. */
export interface RunningProcess {
  readonly stop: () => Promise<void>
}

/** A process whose memory and CPU time can be measured. */
export interface ServerProcess extends RunningProcess {
  readonly pid: number
}

/** The program's file, or null if it is not installed. Servers may be outside a user's PATH. */
export function findProgram(name: string): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null
}

/** Runs a command to its end and returns what it wrote. Rejects when it fails or takes too long. */
export async function runProgram(command: readonly string[], options: Options): Promise<string> {
  const child = start(command, options)
  const output: Buffer[] = []
  const errors: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk))
  const limit = setTimeout(() => {
    kill(child, 'SIGKILL')
  }, LIMIT_MS)
  await once(child, 'close').finally(() => {
    clearTimeout(limit)
  })
  options.workspace.stopped.throwIfAborted()
  const text = Buffer.concat(output).toString()
  if (child.exitCode === 0) return text
  throw new Error(`${command.join(' ')} failed:\n${text}${Buffer.concat(errors).toString()}`)
}

/** Starts a server in its own process, whose errors appear on the terminal. */
export function serve(command: readonly string[], options: Options): ServerProcess {
  const child = start(command, options)
  const closed = once(child, 'close')
  child.stdout?.resume()
  child.stderr?.pipe(process.stderr, { end: false })
  return {
    pid: child.pid ?? Number.NaN,
    stop: async () => {
      kill(child, 'SIGTERM')
      const limit = setTimeout(() => {
        kill(child, 'SIGKILL')
      }, KILL_AFTER_MS)
      await closed
      clearTimeout(limit)
    },
  }
}

/** The process has its own group, so that its children end with it. */
function start([file = '', ...args]: readonly string[], { workspace, env }: Options): ChildProcess {
  workspace.stopped.throwIfAborted()
  const child = spawn(file, args, {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const end = (): void => {
    kill(child, 'SIGKILL')
  }
  workspace.stopped.addEventListener('abort', end)
  child.once('close', () => {
    workspace.stopped.removeEventListener('abort', end)
  })
  return child
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  process.kill(-child.pid, signal)
}
