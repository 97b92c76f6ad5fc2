import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import { startArguments } from './build.ts'

const failure = z.looseObject({ code: z.number(), stdout: z.string(), stderr: z.string() })

/** The result of a command. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `parapet` as a user does, in its own process; its standard output is a pipe. */
export function parapet(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Ended> {
  return runProgram('src/cli.ts', args, env)
}

/** Runs a program of this source in its own process. */
export async function runProgram(
  source: string,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Ended> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [...startArguments(source), ...args],
      options,
    )
    return { code: 0, stdout, stderr }
  } catch (error) {
    return failure.parse(error)
  }
}
