import { closest, distance } from 'fastest-levenshtein'
import { SUBCOMMANDS, type Subcommand } from './subcommands.ts'

const HEADINGS: readonly (readonly [Subcommand['needs'], string])[] = [
  ['files', 'On files, without a service'],
  ['data', 'On the data folder (SERVICE_DATA_DIR) or on files, without a service'],
  ['service', 'For the operator of a service'],
]

/** Names that differ in more letters are not suggested. */
const MAX_DIFFERENT = 3

/** The help of the program: all commands with a line each. */
export function describeCommands(): string {
  const width = Math.max(...SUBCOMMANDS.map(({ name }) => name.length))
  const groups = HEADINGS.flatMap(([needs, heading]) => {
    const own = SUBCOMMANDS.filter((one) => one.needs === needs)
    if (own.length === 0) return []
    return [`${heading}:\n${own.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')}`]
  })
  return ['Usage: parapet COMMAND [arguments]', ...groups, 'parapet COMMAND --help describes a command.'].join('\n\n')
}

/** A sentence that suggests the command with the most similar name; empty if none is similar. */
export function suggestName(name: string): string {
  const names = SUBCOMMANDS.map((one) => one.name)
  const nearest = closest(name, names)
  return distance(name, nearest) <= MAX_DIFFERENT ? ` Do you mean ${nearest}?` : ''
}
