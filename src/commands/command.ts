import type { Operator } from '../guidance/operator.ts'
import { messageOf, Refusal } from '../platform/errors.ts'
import { createLog } from '../platform/log.ts'
import { readSecrets, readSettings } from '../platform/settings/settings.ts'
import { describeRefusal, storageRefusal } from '../platform/storage.ts'

/**
 * Runs a command: its result goes to standard output, a refusal to standard error in one sentence
 * with its code, a bug with its stack. Exit status 0, 1 (refused) or 70 (bug).
 */
export async function runCommand(
  command: (args: readonly string[]) => Promise<string>,
): Promise<void> {
  try {
    process.stdout.write(`${await command(process.argv.slice(2))}\n`)
  } catch (error) {
    const refusal = error instanceof Refusal ? error : storageRefusal(error)
    if (refusal !== null) {
      process.stderr.write(`${describeRefusal(refusal)}\n`)
      process.exitCode = 1
    } else {
      process.stderr.write(`${error instanceof Error ? error.stack : messageOf(error)}\n`)
      process.exitCode = 70
    }
  }
}

/** Loads guidance, which takes a second, when what was asked for makes sense. */
export async function asOperator<T>(work: (operator: Operator) => Promise<T>): Promise<T> {
  const settings = readSettings()
  const { withOperator } = await import('../guidance/operator.ts')
  const log = createLog(settings.logLevel)
  const secrets = readSecrets()
  return withOperator({ ...settings, settings: settings.guidance, secrets, log }, work)
}

/** Turns what `parseArgs` throws into a refusal that ends with the usage. */
export function parsed<T>(parse: () => T, usage: string): T {
  try {
    return parse()
  } catch (error) {
    throw new Refusal('usage', `${messageOf(error)}\n\n${usage}`)
  }
}

export function positiveInteger(option: string, value: string): number {
  const number = positiveNumber(option, value)
  if (Number.isInteger(number)) return number
  throw new Refusal('usage', `--${option} ${value}: must be a whole number.`)
}

export function positiveNumber(option: string, value: string): number {
  const number = Number(value)
  if (Number.isFinite(number) && number > 0) return number
  throw new Refusal('usage', `--${option} ${value}: must be a number above zero.`)
}
