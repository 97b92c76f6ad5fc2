import { crc32 } from 'node:zlib'
import { type Entry, fromBufferPromise, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl'
import { messageOf, Refusal } from '../../../platform/errors.ts'
import { groupDigits, MAX_ENTRIES, MAX_RATIO, RATIO_COUNTS_FROM } from './limits.ts'
import { shortenWords } from './xml.ts'

/** A zip: the path of a file, or its bytes. */
export type ZipSource = string | Uint8Array

export interface ZipMember {
  /** The path within the zip, with `/`. */
  readonly name: string
  /** The bytes in chunks. Refuses (`bad_zip`) a member that is damaged or cannot be unpacked. */
  readonly read: () => AsyncGenerator<Uint8Array, void>
}

export interface Zip {
  /** Files, without folders and without the resource forks of macOS. */
  readonly members: readonly ZipMember[]
  readonly close: () => void
}

const OPTIONS = { autoClose: false, decodeStrings: false }

/**
 * Opens a zip and checks its whole directory before any member is read; returns the members that `isWanted` accepts.
 * Refuses a damaged zip, an unsafe path or a link (`bad_zip`), and too many members or a zip bomb among the accepted
 * ones (`too_large`).
 */
export async function openZip(source: ZipSource, isWanted: (name: string) => boolean): Promise<Zip> {
  const zip = await damageAsRefusal(() =>
    typeof source === 'string'
      ? openPromise(source, OPTIONS)
      : fromBufferPromise(Buffer.from(source.buffer, source.byteOffset, source.length), OPTIONS),
  )
  const close = (): void => {
    zip.close()
  }
  try {
    return { members: await readDirectory(zip, isWanted), close }
  } catch (error) {
    close()
    throw error
  }
}

async function readDirectory(zip: ZipFile, isWanted: (name: string) => boolean): Promise<readonly ZipMember[]> {
  const members: ZipMember[] = []
  for (const entry of await readEntries(zip)) {
    const name = safeName(entry)
    if (!isFile(name) || !isWanted(name)) continue
    if (isBomb(entry)) throw bomb(name)
    members.push({ name, read: () => readEntry(zip, entry, shortenWords(name)) })
  }
  return members
}

async function readEntries(zip: ZipFile): Promise<readonly Entry[]> {
  if (zip.entryCount > MAX_ENTRIES) {
    const limit = `the limit of ${groupDigits(MAX_ENTRIES)}`
    throw new Refusal('too_large', `The number of members in the zip exceeds ${limit}.`)
  }
  return damageAsRefusal(async () => {
    const entries: Entry[] = []
    for await (const entry of zip.eachEntry()) entries.push(entry)
    return entries
  })
}

/** Resource forks (`__MACOSX/…/._file.xml`) have the names of files, but other content. */
function isFile(name: string): boolean {
  return !name.endsWith('/') && !/(?:^|\/)(?:__MACOSX\/|\._)/.test(name)
}

/**
 * Refuses unsafe paths. Nothing is unpacked to disk, but such a path shows that the zip was made to do harm.
 * Backslashes separate folders only on some systems.
 */
function safeName(entry: Entry): string {
  const { generalPurposeBitFlag: flags, fileNameRaw, extraFields } = entry
  const name = getFileNameLowLevel(flags, fileNameRaw, extraFields, true)
  const isUnsafe = /^(?:[/\\]|[a-z]:)|\\|\0/i.test(name) || name.split('/').includes('..')
  if (isUnsafe) throw badZip(`The zip has a member with the unsafe path ${shortenWords(name)}`)
  if (isLink(entry)) throw badZip(`The zip member ${shortenWords(name)} is a symbolic link`)
  return name
}

/** The upper half of the attributes is the Unix file mode (`S_IFLNK`). */
function isLink({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & 0o170000) === 0o120000
}

/** Uses the sizes in the directory; reading stops if a member exceeds them. */
function isBomb({ compressedSize, uncompressedSize }: Entry): boolean {
  return uncompressedSize > RATIO_COUNTS_FROM && uncompressedSize > MAX_RATIO * compressedSize
}

async function* readEntry(zip: ZipFile, entry: Entry, name: string): AsyncGenerator<Uint8Array, void> {
  if (entry.isEncrypted()) throw badZip(`The zip member ${name} is encrypted`)
  if (!entry.canDecodeFileData()) {
    const method = `method ${entry.compressionMethod}`
    throw badZip(`The zip member ${name} is compressed in an unsupported way (${method})`)
  }
  let checksum = 0
  const stream = await damageAsRefusal(() => zip.openReadStreamPromise(entry))
  try {
    for await (const chunk of stream) {
      if (!(chunk instanceof Uint8Array)) continue
      checksum = crc32(chunk, checksum)
      yield chunk
    }
  } catch (error) {
    throw isSystemError(error) ? error : badZip(`The zip member ${name} is damaged: ${messageOf(error)}`)
  }
  if (checksum !== entry.crc32) {
    throw badZip(`The zip member ${name} is damaged: its checksum is wrong`)
  }
}

/** Turns errors of the library into refusals: the zip is at fault. */
async function damageAsRefusal<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    if (isSystemError(error)) throw error
    throw badZip(`The zip is damaged: ${inWords(messageOf(error))}`)
  }
}

function inWords(message: string): string {
  return message.startsWith('End of central directory record signature not found')
    ? 'its end is missing. It was cut off, or is no zip'
    : shortenWords(message)
}

/** Whether the operating system reported the error, such as a file that cannot be opened. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

function bomb(name: string): Refusal {
  const limit = `the limit of ${MAX_RATIO} times its compressed size`
  const detail = `The uncompressed size of the zip member ${shortenWords(name)} exceeds ${limit}.`
  return new Refusal('too_large', detail)
}

function badZip(detail: string): Refusal {
  // Some messages of the library are sentences, some are not.
  return new Refusal('bad_zip', `${detail.replace(/\.$/, '')}.`)
}
