import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { startArguments } from './build.ts'

const PROGRAM = startArguments('test/support/guidance-program.ts')

const address = z.object({ port: z.int() })

/** The service in its own process, which a test may kill at any moment. */
export interface ServiceProcess {
  /** Resolves when it has loaded and waits. */
  loaded(): Promise<void>
  /** Lets it open the database; resolves when it is about to. */
  open(): Promise<void>
  /** The port, once it listens; an error when it ends without listening. */
  listening(): Promise<number>
  /** `kill -9`; resolves when it is dead. */
  kill(): Promise<void>
}

/** Loads the program and makes it wait, so that starting it takes no longer than opening. */
export function prepareService(env: Readonly<Record<string, string>>): ServiceProcess {
  const child = spawn(
    process.execPath,
    PROGRAM,
    // The variables of a test run must not configure the service.
    { env: { PATH: process.env['PATH'], SERVICE_LOG_LEVEL: 'error', SERVICE_PORT: '0', ...env }, stdio: 'pipe' },
  )
  const exited = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  child.stdin.on('error', () => undefined)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<string> => {
    const step = await lines.next()
    if (step.done === true) throw new Error(`The service has ended: ${said}`)
    return step.value
  }
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  return {
    loaded: async () => {
      await next()
    },
    open: async () => {
      child.stdin.write('open\n')
      await next()
    },
    listening: async () => {
      const line = await next()
      return address.parse(JSON.parse(line)).port
    },
    kill,
  }
}
