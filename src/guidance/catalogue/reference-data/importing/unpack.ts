import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { hasCode, Refusal } from '../../../../platform/errors.ts'
import { HEAD_BYTES } from '../../files/file-type.ts'
import { MAX_STIX_BYTES, MAX_XML_BYTES, megabytes } from '../../files/limits.ts'
import { readHead } from '../../files/read-head.ts'
import { shortenWords } from '../../files/xml.ts'
import { openZip, type ZipMember } from '../../files/zip.ts'
import { formOf, type ReferenceForm } from './form.ts'

/** An unpacked document with reference data. */
export interface ReferenceDocument {
  readonly form: ReferenceForm
  /** The name of the document, within a zip too. */
  readonly fileName: string
  readonly bytes: Uint8Array
  /** SHA-256 (hex) of the bytes. */
  readonly digest: string
}

export interface FileFacts {
  /** The publisher's name of the file; by default its name on disk. */
  readonly name?: string | undefined
  /**
   * Refuses members of a zip that cannot be unpacked. Otherwise they are skipped, and reported when benchmarks are
   * read.
   */
  readonly isExpected?: boolean
}

/** Limit of members of a zip: publishers pack a list with a few other files. */
const MAX_MEMBERS = 20

/**
 * Finds the reference data in a file by its content: a plain document, gzip, or a zip without other documents. Null for
 * any other file. Refuses `too_large`, `bad_zip` and `source_damaged` (gzip).
 */
export async function findReferenceData(
  file: string,
  { name = basename(file), isExpected = false }: FileFacts = {},
): Promise<ReferenceDocument | null> {
  const stats = await fileAt(file)
  if (stats === null) return null
  const { head } = await readHead(file)
  if (isGzip(head)) return ofGzip(file, { size: stats.size, name })
  if (isZip(head)) return ofZip(file, isExpected)
  const form = formOf(head)
  if (form === null) return null
  requireSize(stats.size, form, name)
  return documentOf(form, name, await readFile(file))
}

/**
 * Whether a file must be unpacked or read to find reference data. False for most benchmarks, and for a missing file.
 */
export async function mayHoldReferenceData(file: string): Promise<boolean> {
  if ((await fileAt(file)) === null) return false
  const { head } = await readHead(file)
  return isGzip(head) || isZip(head) || formOf(head) !== null
}

async function fileAt(path: string): Promise<Stats | null> {
  const stats = await stat(path).catch(() => null)
  return stats?.isFile() === true ? stats : null
}

function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b
}

function isZip(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 4)).toString('latin1') === 'PK\x03\x04'
}

const unpack = promisify(gunzip)

interface NamedFile {
  readonly size: number
  readonly name: string
}

async function ofGzip(file: string, { size, name }: NamedFile): Promise<ReferenceDocument | null> {
  requireSize(size, 'attack', name)
  const bytes = await unpack(await readFile(file), { maxOutputLength: MAX_STIX_BYTES }).catch((error: unknown) => {
    throw hasCode(error, 'ERR_BUFFER_TOO_LARGE') ? tooLarge(name, MAX_STIX_BYTES) : damagedRefusal(name)
  })
  const form = formOf(bytes.subarray(0, HEAD_BYTES))
  if (form === null) return null
  requireSize(bytes.length, form, name)
  return documentOf(form, name.replace(/\.gz$/i, ''), bytes)
}

function damagedRefusal(name: string): Refusal {
  return new Refusal('source_damaged', `${shortenWords(name)} is damaged: it cannot be unpacked as gzip.`)
}

async function ofZip(file: string, isExpected: boolean): Promise<ReferenceDocument | null> {
  const zip = await openZip(file, (name) => /\.(?:xml|json|csv|zip)$/i.test(name))
  try {
    const isOther = zip.members.some(({ name }) => /\.zip$|xccdf[^/]*$/i.test(name))
    if (isOther || zip.members.length > MAX_MEMBERS) return null
    for (const member of zip.members) {
      const document = await ofMember(member, isExpected)
      if (document !== null) return document
    }
    return null
  } finally {
    zip.close()
  }
}

async function ofMember(member: ZipMember, isExpected: boolean): Promise<ReferenceDocument | null> {
  const head = await headOfMember(member).catch((error: unknown) => {
    if (isExpected || !(error instanceof Refusal)) throw error
    return null
  })
  const form = head === null ? null : formOf(head)
  return form === null ? null : documentOfMember(member, form)
}

async function headOfMember({ read }: ZipMember): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of read()) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= HEAD_BYTES) break
  }
  return Buffer.concat(chunks)
}

async function documentOfMember({ name, read }: ZipMember, form: ReferenceForm): Promise<ReferenceDocument> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of read()) {
    chunks.push(chunk)
    size += chunk.length
    requireSize(size, form, name)
  }
  return documentOf(form, basename(name), Buffer.concat(chunks))
}

function documentOf(form: ReferenceForm, fileName: string, bytes: Uint8Array): ReferenceDocument {
  return { form, fileName, bytes, digest: createHash('sha256').update(bytes).digest('hex') }
}

function requireSize(size: number, form: ReferenceForm, name: string): void {
  const limit = form === 'attack' ? MAX_STIX_BYTES : MAX_XML_BYTES
  if (size > limit) throw tooLarge(name, limit)
}

function tooLarge(name: string, limit: number): Refusal {
  return new Refusal('too_large', `${shortenWords(name)} is larger than the limit of ${megabytes(limit)}.`)
}
