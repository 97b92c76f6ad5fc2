import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Refusal } from '../../../../../platform/errors.ts'
import { megabytes } from '../../../../catalogue/files/limits.ts'
import { shortenWords } from '../../../../catalogue/files/xml.ts'
import { openZip, type ZipMember } from '../../../../catalogue/files/zip.ts'
import type { ReadTask } from '../merge-file.ts'
import { tarMembers } from './tar.ts'

export interface ProfileFile {
  /** The path within the archive. */
  readonly path: string
  readonly text: string
}

/** The limit for all files of a profile together. Real profiles have 3 MB. */
const MAX_BYTES = 50_000_000
/** The limit for one file. Real files have up to 0.1 MB. */
const MAX_FILE_BYTES = 2_000_000

/** Whether a file is read: Ruby code, or the description of the profile. */
export function isProfileFile(path: string): boolean {
  return /\.rb$/i.test(path) || isDescription(path)
}

export function isDescription(path: string): boolean {
  return /(?:^|\/)inspec\.yml$/.test(path)
}

/** Reads a profile: a zip, a `.tar.gz`, or a single Ruby file, which gets an empty path. */
export async function readProfileFiles(file: string, kind: ProfileKind): Promise<readonly ProfileFile[]> {
  if (kind === 'zip') return readZip(file)
  const bytes = await readFile(file)
  if (bytes.length > MAX_BYTES) throw tooLarge()
  if (kind === 'ruby') return [{ path: '', text: decoded('', bytes) }]
  return tarMembers(await unpacked(bytes), isProfileFile).map(({ path, content }) => {
    return { path, text: decoded(path, content) }
  })
}

export type ProfileKind = Exclude<ReadTask['kind'], 'document'>

async function readZip(file: string): Promise<readonly ProfileFile[]> {
  const zip = await openZip(file, isProfileFile)
  try {
    const files: ProfileFile[] = []
    let remainingBytes = MAX_BYTES
    for (const member of zip.members) {
      const bytes = await readMember(member, remainingBytes)
      remainingBytes -= bytes.length
      files.push({ path: member.name, text: decoded(member.name, bytes) })
    }
    return files
  } finally {
    zip.close()
  }
}

async function readMember({ read }: ZipMember, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of read()) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const unpack = promisify(gunzip)

async function unpacked(bytes: Buffer): Promise<Buffer> {
  try {
    return await unpack(bytes, { maxOutputLength: MAX_BYTES })
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge()
    throw new Refusal('merge_unusable', 'The file is damaged: it cannot be unpacked as gzip.')
  }
}

function tooLarge(): Refusal {
  return new Refusal('too_large', `The files of the profile exceed the limit of ${megabytes(MAX_BYTES)}.`)
}

function decoded(path: string, bytes: Uint8Array): string {
  const name = path === '' ? 'The file' : shortenWords(path)
  if (bytes.length > MAX_FILE_BYTES)
    throw new Refusal('too_large', `${name} exceeds the limit of ${megabytes(MAX_FILE_BYTES)}.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n')
  } catch {
    throw new Refusal('bad_encoding', `${name} is not in UTF-8.`)
  }
}
