import { createHash } from 'node:crypto'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { z } from 'zod'
import { rowOf, type Row, type TableShape } from '../../guidance/backup.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { specialKindOf } from '../../platform/files/special-kind.ts'
import { backupManifest, FORMAT, type BackupManifest, type BackupPart } from './manifest.ts'
import { MANIFEST, SEAL } from './pack.ts'

const LARGEST_MANIFEST = 64 * 1024 * 1024
const ROWS_AT_ONCE = 200

/** A backup whose manifest is as it was written; its parts are checked while they are read. */
export interface Backup {
  readonly manifest: BackupManifest
  /** The bytes of a part; refuses at their end if they are not what was written. */
  readonly read: (part: BackupPart) => AsyncGenerator<Uint8Array, void>
  readonly close: () => void
}

export async function openBackup(file: string): Promise<Backup> {
  const kind = specialKindOf(file)
  if (kind !== null) throw new Refusal('source_not_found', `${file} is ${kind}, and not a file.`)
  const zip = await openPromise(file, { autoClose: false }).catch((error: unknown) => {
    if (isOfSystem(error)) throw new Refusal('source_not_found', `${messageOf(error)}.`)
    throw unusable(`${file} is not a backup, or is incomplete: ${messageOf(error)}`)
  })
  try {
    const entries = await entriesOf(zip)
    const read = (part: BackupPart) => checked(part, chunksOf(zip, entries.get(part.name), part))
    const close = (): void => {
      zip.close()
    }
    return { manifest: await readManifest(file, zip, entries), read, close }
  } catch (error) {
    zip.close()
    throw error
  }
}

/** The text of a small part. */
export async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/** The rows of a table, a few at a time; refuses one that does not fit, or another number of them. */
export async function* rowsOf(
  content: AsyncIterable<Uint8Array>,
  table: TableShape & { readonly rows: number; readonly part: BackupPart },
): AsyncGenerator<readonly Row[], void> {
  let count = 0
  let rows: Row[] = []
  for await (const line of linesOf(content)) {
    count += 1
    rows.push(readRow(line, table, `${table.part.name}, line ${count}`))
    if (rows.length < ROWS_AT_ONCE) continue
    yield rows
    rows = []
  }
  yield rows
  if (count !== table.rows) throw unusable(`${table.part.name} has ${count} rows instead of ${table.rows}`)
}

function readRow(line: string, table: TableShape, where: string): Row {
  try {
    return rowOf(line, table)
  } catch (error) {
    throw unusable(`${where}: ${messageOf(error)}`)
  }
}

/** Line feeds end lines and nothing else does: texts hold other separators. */
async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let begun: Uint8Array[] = []
  for await (const chunk of content) {
    let from = 0
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([...begun, chunk.subarray(from, at)]).toString('utf8')
      begun = []
      from = at + 1
    }
    if (from < chunk.length) begun.push(chunk.subarray(from))
  }
  if (begun.length > 0) yield Buffer.concat(begun).toString('utf8')
}

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  } catch (error) {
    throw unusable(`The list of parts is damaged: ${messageOf(error)}`)
  }
  return entries
}

async function readManifest(file: string, zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<BackupManifest> {
  const [, sha256] = /^Parapet backup.*: ([0-9a-f]{64})$/.exec(zip.comment) ?? []
  const entry = entries.get(MANIFEST)
  if (sha256 === undefined || !zip.comment.startsWith(SEAL) || entry === undefined)
    throw unusable(`${file} is a zip, but not a backup of this program`)
  if (entry.uncompressedSize > LARGEST_MANIFEST) throw unusable(`${MANIFEST} is too large`)
  const part = { name: MANIFEST, bytes: entry.uncompressedSize, sha256 }
  const text = await textOf(checked(part, chunksOf(zip, entry, part)))
  return parseManifest(JSON.parse(text))
}

function parseManifest(value: unknown): BackupManifest {
  const { format } = z.looseObject({ format: z.unknown() }).parse(value)
  if (format !== FORMAT) throw unusable(`The backup has format ${String(format)}, and this version reads ${FORMAT}`)
  const parsed = backupManifest.safeParse(value)
  if (parsed.success) return parsed.data
  throw unusable(`${MANIFEST} is not valid: ${z.prettifyError(parsed.error)}`)
}

async function* chunksOf(
  zip: ZipFile,
  entry: Entry | undefined,
  { name }: BackupPart,
): AsyncGenerator<Uint8Array, void> {
  if (entry === undefined) throw unusable(`${name} is missing from the backup`)
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) if (chunk instanceof Uint8Array) yield chunk
  } catch (error) {
    throw isOfSystem(error) ? error : unusable(`${name} is damaged: ${messageOf(error)}`)
  }
}

async function* checked(
  { name, bytes, sha256 }: BackupPart,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256')
  let found = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    found += chunk.length
    if (found > bytes) throw unusable(`${name} is damaged: it has more than ${bytes} bytes`)
    yield chunk
  }
  if (hash.digest('hex') !== sha256) throw unusable(`${name} is damaged: its digest differs`)
}

export function unusable(problem: string): Refusal {
  return new Refusal('backup_unusable', `${problem.replace(/\.$/, '')}.`)
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
