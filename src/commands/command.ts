import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { Operator } from '../guidance/operator.ts'
import { messageOf, Refusal } from '../platform/errors.ts'
import { createLog } from '../platform/log.ts'
import { readSecrets, readSettings } from '../platform/settings/settings.ts'
import { describeRefusal, storageRefusal } from '../platform/storage.ts'
import { misuseStatus, usageAsCalled } from './invocation.ts'
import { endWithoutPackage } from './missing-package.ts'

const NO_OPERANDS: Operands = { least: 0, most: 0, missing: '' }

type CommandOptions = NonNullable<ParseArgsConfig['options']>

/** Words beside the options. */
interface Operands {
  readonly least: number
  readonly most: number
  /** The message for missing operands. */
  readonly missing: string
}

interface Command<Options extends CommandOptions> {
  readonly usage: string
  readonly options: Options
  /** Default: none. */
  readonly operands?: Operands
  /** The exit status of refusals; default: 1. */
  readonly refusedStatus?: number
}

/** The values that the operator gave for the options. */
export type OptionValues<Options extends CommandOptions> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>['values']

/** A refusal for wrong arguments; the usage is printed with it. */
export class UsageRefusal extends Refusal {
  constructor(detail: string) {
    super('usage', detail)
  }
}

/**
 * Runs a command: its result, or with --help its usage, goes to standard output, a refusal to standard error in one
 * sentence with its code, a bug with its stack. Exit status 0, that of refusals, or 70 (bug). A command that returns
 * null has written its result itself.
 */
export async function runCommand<const Options extends CommandOptions>(
  command: Command<Options>,
  act: (values: OptionValues<Options>, operands: readonly string[]) => Promise<string | null>,
): Promise<void> {
  try {
    const invocation = readArguments(command)
    const text = invocation === null ? usageAsCalled(command.usage) : await act(invocation.values, invocation.operands)
    if (text !== null) process.stdout.write(`${text}\n`)
  } catch (error) {
    endWithoutPackage(error, command.refusedStatus ?? 1)
    const refusal = error instanceof Refusal ? error : storageRefusal(error)
    if (refusal !== null) {
      reportRefusal(refusal, command)
    } else {
      process.stderr.write(`${error instanceof Error ? error.stack : messageOf(error)}\n`)
      process.exitCode = 70
    }
  }
}

function reportRefusal(refusal: Refusal, { usage, refusedStatus = 1 }: Command<CommandOptions>): void {
  const isMisuse = refusal instanceof UsageRefusal
  const shown = isMisuse ? new Refusal('usage', `${refusal.message}\n\n${usageAsCalled(usage)}`) : refusal
  process.stderr.write(`${describeRefusal(shown)}\n`)
  process.exitCode = isMisuse ? misuseStatus() : refusedStatus
}

/** Null: the help was requested. */
function readArguments<const Options extends CommandOptions>({
  options,
  operands: { least, most, missing } = NO_OPERANDS,
}: Command<Options>): { values: OptionValues<Options>; operands: readonly string[] } | null {
  if (process.argv.slice(2).includes('--help')) return null
  const { values, positionals } = parseOptions({ options, allowPositionals: true })
  const count = positionals.length
  if (count > most) throw new UsageRefusal(`Too many arguments: ${positionals.slice(most).join(' ')}`)
  if (count < least) throw new UsageRefusal(missing)
  return { values, operands: positionals }
}

function parseOptions<const Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs<Config>(config)
  } catch (error) {
    throw new UsageRefusal(messageOf(error))
  }
}

/** Loads guidance only when the arguments have been checked, because that takes a second. */
export async function asOperator<T>(work: (operator: Operator) => Promise<T>): Promise<T> {
  const settings = readSettings()
  const { withOperator } = await import('../guidance/operator.ts')
  const log = createLog(settings.logLevel)
  const secrets = readSecrets()
  const { beforeUpgrade } = await import('./backups/before-upgrade.ts')
  const backup = { beforeUpgrade: beforeUpgrade({ settings, secrets, log }) }
  return withOperator({ ...settings, ...backup, settings: settings.guidance, secrets, log }, work)
}

/** The value of an option that has one of a few. */
export function oneOf<T extends string>(option: string, name: string, names: readonly T[]): T {
  const knownName = names.find((candidate) => candidate === name)
  if (knownName === undefined) throw new UsageRefusal(`${option} ${name}: must be one of ${names.join(', ')}.`)
  return knownName
}

export function positiveInteger(option: string, value: string): number {
  const number = positiveNumber(option, value)
  if (Number.isInteger(number)) return number
  throw new UsageRefusal(`--${option} ${value}: must be a whole number.`)
}

export function positiveNumber(option: string, value: string): number {
  const number = Number(value)
  if (Number.isFinite(number) && number > 0) return number
  throw new UsageRefusal(`--${option} ${value}: must be a number above zero.`)
}
