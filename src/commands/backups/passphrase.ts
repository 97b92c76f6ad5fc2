import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { specialKindOf } from '../../platform/files/file-kinds.ts'

/** The first line of a file, or of standard input if its name is `-`; null without a name. */
export async function readPassphrase(file: string | undefined): Promise<string | null> {
  if (file === undefined) return null
  const kind = file === '-' ? null : specialKindOf(file)
  if (kind !== null)
    throw new Refusal(
      'usage',
      `--passphrase-file ${file}: this is ${kind}, and not a file. For standard input, write -.`,
    )
  const content = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch((error: unknown) => {
    throw new Refusal('usage', `--passphrase-file: ${messageOf(error)}.`)
  })
  const [line = ''] = content.split(/\r?\n/, 1)
  if (line === '') throw new Refusal('usage', `--passphrase-file ${file}: its first line is empty.`)
  return line
}
