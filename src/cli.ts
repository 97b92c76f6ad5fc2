import { fileURLToPath } from 'node:url'
import { closest, distance } from 'fastest-levenshtein'
import { LOADERS } from './cli/loaders.ts'
import { type Subcommand, SUBCOMMANDS } from './cli/subcommands.ts'
import { callAsSubcommand } from './commands/invocation.ts'
import { endWithoutPackage } from './commands/missing-package.ts'
import { hasCode } from './platform/errors.ts'

const HEADINGS: readonly (readonly [Subcommand['needs'], string])[] = [
  ['files', 'On files, without a service'],
  ['data', 'On the data folder (SERVICE_DATA_DIR) or on files, without a service'],
  ['service', 'For the operator of a service'],
]

/** Names that differ in more letters are not suggested. */
const MAX_DIFFERENT = 3

const NOT_POSSIBLE = 2

// A reader such as `head` may close the pipe before everything is written.
process.stdout.on('error', (error) => {
  if (hasCode(error, 'EPIPE')) process.exit()
  throw error
})
callAsSubcommand()
await main(process.argv.slice(2))

/** Runs the command that the arguments name; `help NAME` is `NAME --help`. */
async function main([name = 'help', ...args]: readonly string[]): Promise<void> {
  if (['help', '--help', '-h'].includes(name)) return showHelp(args)
  if (['version', '--version', '-V'].includes(name)) return showVersion()
  const command = SUBCOMMANDS.find((subcommand) => subcommand.name === name)
  if (command === undefined) refuseName(name)
  else await run(command, args)
}

async function showHelp([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined) process.stdout.write(`${describeCommands()}\n`)
  else await main([name, '--help', ...args])
}

async function showVersion(): Promise<void> {
  const { programVersion } = await import('./commands/backups/program-version.ts')
  process.stdout.write(`${programVersion()}\n`)
}

/** Runs a command. It reads its arguments from the process, so these are set as if its module had been started. */
async function run({ name, module }: (typeof SUBCOMMANDS)[number], args: readonly string[]): Promise<void> {
  process.argv = [process.execPath, fileURLToPath(new URL(module, import.meta.url)), ...args]
  try {
    await LOADERS[name]()
  } catch (error) {
    endWithoutPackage(error, NOT_POSSIBLE)
    throw error
  }
}

function refuseName(name: string): void {
  const kind = name.startsWith('-') ? 'option' : 'command'
  process.stderr.write(`Unknown ${kind} "${name}".${suggestName(name)} See parapet --help. [usage]\n`)
  process.exitCode = NOT_POSSIBLE
}

/** The help of the program: all commands with a line each. */
function describeCommands(): string {
  const width = Math.max(...SUBCOMMANDS.map(({ name }) => name.length))
  const groups = HEADINGS.flatMap(([needs, heading]) => {
    const subcommands = SUBCOMMANDS.filter((subcommand) => subcommand.needs === needs)
    if (subcommands.length === 0) return []
    return [`${heading}:\n${subcommands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')}`]
  })
  return ['Usage: parapet COMMAND [arguments]', ...groups, 'parapet COMMAND --help describes a command.'].join('\n\n')
}

/** A sentence that suggests the command with the most similar name; empty if none is similar. */
function suggestName(name: string): string {
  const names = SUBCOMMANDS.map((subcommand) => subcommand.name)
  const nearest = closest(name, names)
  return distance(name, nearest) <= MAX_DIFFERENT ? ` Do you mean ${nearest}?` : ''
}
