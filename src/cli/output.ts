import { writeFile } from 'node:fs/promises'
import { oneOf, UsageRefusal } from '../commands/command.ts'
import { messageOf, Refusal } from '../platform/errors.ts'
import { replaceFile } from '../platform/files/replace-file.ts'

/** Options of every command that prints a text. */
export const OUTPUT_OPTIONS = {
  json: { type: 'boolean', default: false },
  format: { type: 'string' },
  out: { type: 'string' },
} as const

interface OutputValues {
  readonly json?: boolean
  readonly format?: string | undefined
  readonly out?: string | undefined
}

/**
 * The format of the output: `--format` or `--json`, else a table on a terminal, and JSON in a file or a pipe. Refuses, as
 * misuse, formats that the command does not have.
 */
export function formatOf<const Format extends string>(
  { json = false, format, out }: OutputValues,
  formats: readonly Format[],
): Format | 'table' | 'json' {
  const names: readonly (Format | 'table' | 'json')[] = ['table', 'json', ...formats]
  if (format === undefined) return json || out !== undefined || !process.stdout.isTTY ? 'json' : 'table'
  const knownFormat = oneOf('--format', format, names)
  if (json && knownFormat !== 'json') throw new UsageRefusal(`--json and --format ${format}: give one of them.`)
  return knownFormat
}

/** Indented JSON. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** Writes the output to the file of `--out`, replacing an existing file; without `--out`, returns it for standard output. */
export async function deliver(text: string, { out }: OutputValues): Promise<string | null> {
  if (out === undefined) return text
  await writeOut(out, (draft) => writeFile(draft, `${text}\n`))
  return null
}

/** Writes the file of `--out`: whole, or not at all. */
export async function writeOut(out: string, write: (draft: string) => Promise<void>): Promise<void> {
  await replaceFile(out, write).catch((error: unknown) => {
    throw error instanceof Refusal ? error : new Refusal('folder_unusable', `--out ${out}: ${messageOf(error)}.`)
  })
}
