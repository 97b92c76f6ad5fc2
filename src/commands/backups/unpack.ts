import { createHash } from 'node:crypto'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { z } from 'zod'
import { rowOf, type Row, type TableShape } from '../../guidance/backup.ts'
import { messageOf, Refusal } from '../../platform/errors.ts'
import { specialKindOf } from '../../platform/files/file-kinds.ts'
import { backupManifest, FORMAT, type BackupManifest, type BackupPart } from './manifest.ts'
import { MANIFEST, SEAL } from './pack.ts'

const MAX_MANIFEST_BYTES = 64 * 1024 * 1024
const ROWS_AT_ONCE = 200

/** An open backup whose manifest has been verified; its parts are verified while they are read. */
export interface Backup {
  readonly manifest: BackupManifest
  /** The bytes of a part; refuses at the end if their digest differs. */
  readonly read: (part: BackupPart) => AsyncGenerator<Uint8Array, void>
  readonly close: () => void
}

export async function openBackup(file: string): Promise<Backup> {
  const kind = specialKindOf(file)
  if (kind !== null) throw new Refusal('source_not_found', `${file} is ${kind}, and not a file.`)
  const zip = await openPromise(file, { autoClose: false }).catch((error: unknown) => {
    if (isSystemError(error)) throw new Refusal('source_not_found', `${messageOf(error)}.`)
    throw unusableRefusal(`${file} is not a backup, or is incomplete: ${messageOf(error)}`)
  })
  try {
    const entries = await entriesOf(zip)
    const read = (part: BackupPart) => checkPieces(part, chunksOf(zip, entries.get(part.name), part))
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

/** The rows of a table, in batches; refuses invalid rows and a wrong number of rows. */
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
  if (count !== table.rows) throw unusableRefusal(`${table.part.name} has ${count} rows instead of ${table.rows}`)
}

function readRow(line: string, table: TableShape, position: string): Row {
  try {
    return rowOf(line, table)
  } catch (error) {
    throw unusableRefusal(`${position}: ${messageOf(error)}`)
  }
}

/** Only line feeds end lines, because texts may contain other separators. */
async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  let partialLine: Uint8Array[] = []
  for await (const chunk of content) {
    let from = 0
    for (let lineEnd = chunk.indexOf(10); lineEnd !== -1; lineEnd = chunk.indexOf(10, from)) {
      yield Buffer.concat([...partialLine, chunk.subarray(from, lineEnd)]).toString('utf8')
      partialLine = []
      from = lineEnd + 1
    }
    if (from < chunk.length) partialLine.push(chunk.subarray(from))
  }
  if (partialLine.length > 0) yield Buffer.concat(partialLine).toString('utf8')
}

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry)
  } catch (error) {
    throw unusableRefusal(`The list of parts is damaged: ${messageOf(error)}`)
  }
  return entries
}

async function readManifest(file: string, zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<BackupManifest> {
  const [, sha256] = /^Parapet backup.*: ([0-9a-f]{64})$/.exec(zip.comment) ?? []
  const entry = entries.get(MANIFEST)
  if (sha256 === undefined || !zip.comment.startsWith(SEAL) || entry === undefined)
    throw unusableRefusal(`${file} is a zip, but not a backup of this program`)
  if (entry.uncompressedSize > MAX_MANIFEST_BYTES) throw unusableRefusal(`${MANIFEST} is too large`)
  const part = { name: MANIFEST, bytes: entry.uncompressedSize, sha256 }
  const text = await textOf(checkPieces(part, chunksOf(zip, entry, part)))
  return parseManifest(JSON.parse(text))
}

function parseManifest(value: unknown): BackupManifest {
  const { format } = z.looseObject({ format: z.unknown() }).parse(value)
  if (format !== FORMAT)
    throw unusableRefusal(`The backup has format ${String(format)}, and this version reads ${FORMAT}`)
  const parsed = backupManifest.safeParse(value)
  if (parsed.success) return parsed.data
  throw unusableRefusal(`${MANIFEST} is not valid: ${z.prettifyError(parsed.error)}`)
}

async function* chunksOf(
  zip: ZipFile,
  entry: Entry | undefined,
  { name }: BackupPart,
): AsyncGenerator<Uint8Array, void> {
  if (entry === undefined) throw unusableRefusal(`${name} is missing from the backup`)
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) if (chunk instanceof Uint8Array) yield chunk
  } catch (error) {
    throw isSystemError(error) ? error : unusableRefusal(`${name} is damaged: ${messageOf(error)}`)
  }
}

async function* checkPieces(
  { name, bytes, sha256 }: BackupPart,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256')
  let totalBytes = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    totalBytes += chunk.length
    if (totalBytes > bytes) throw unusableRefusal(`${name} is damaged: it has more than ${bytes} bytes`)
    yield chunk
  }
  if (hash.digest('hex') !== sha256) throw unusableRefusal(`${name} is damaged: its digest differs`)
}

export function unusableRefusal(problem: string): Refusal {
  return new Refusal('backup_unusable', `${problem.replace(/\.$/, '')}.`)
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}
