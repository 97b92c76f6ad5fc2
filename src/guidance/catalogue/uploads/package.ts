import { Refusal, type RefusalCode } from '../../../platform/errors.ts'
import { headText } from '../files/encoding.ts'
import { fileType, HEAD_BYTES } from '../files/file-type.ts'
import {
  MAX_INNER_ZIP_BYTES,
  MAX_INNER_ZIPS_BYTES,
  MAX_UNPACKED_BYTES,
  MAX_XML_BYTES,
  MAX_ZIP_DEPTH,
  megabytes,
} from '../files/limits.ts'
import { findRoot, shortenWords } from '../files/xml.ts'
import { openZip, type ZipMember, type ZipSource } from '../files/zip.ts'
import { isReadable, otherRoot } from '../xccdf/root.ts'

/** The number of members in a package and its inner zips that are still to be read. */
export interface PendingCount {
  pending: number
}

/** Members with these names are always reported, or opened if they are zips. */
const CANDIDATE = /\.(?:xml|zip|ckl|cklb|arf)$/i

/** A member with its path, through inner zips: `U_VPN_V2R3_STIG.zip/U_VPN_STIG/….xml`. */
export type PackageMember =
  | { readonly kind: 'xml'; readonly member: string; readonly bytes: Uint8Array }
  | {
      /** Skipped: neither the name nor the root of the member promises a benchmark. */
      readonly kind: 'refused' | 'skipped'
      readonly member: string
      readonly code: RefusalCode
      readonly detail: string
    }

/**
 * Yields the XML documents with benchmarks in a zip and its inner zips, one at a time, recognised by root or name.
 * Unreadable members and inner zips are yielded as refused, results and checklists as skipped. Refuses the whole zip if
 * it cannot be used (`bad_zip`, `too_large`), as soon as its unpacked data exceeds the limit (`too_large`), or if it
 * has no benchmarks (`no_benchmark_in_zip`).
 */
export async function* readPackage(source: ZipSource, pendingCount: PendingCount): AsyncGenerator<PackageMember, void> {
  const skipped: string[] = []
  let isEmpty = true
  pendingCount.pending = await new PackageReader(pendingCount).count(source, [])
  for await (const member of new PackageReader(pendingCount).read(source, [])) {
    if (member.kind === 'skipped') skipped.push(`${member.member}: ${member.detail}`)
    else isEmpty = false
    yield member
  }
  if (isEmpty) throw refuseEmpty(skipped)
}

const MAX_NAMED = 3

function refuseEmpty(skipped: readonly string[]): Refusal {
  const remainder = skipped.length > MAX_NAMED ? [`And ${skipped.length - MAX_NAMED} more.`] : []
  const sentences = ['Nothing to import: no XCCDF benchmark found in the zip.']
  const detail = [...sentences, ...skipped.slice(0, MAX_NAMED), ...remainder].join(' ')
  return new Refusal('no_benchmark_in_zip', detail)
}

/** Refuses the whole package; other refusals concern one member. */
class PackageTooLarge extends Refusal {}

class PackageReader {
  readonly #pendingCount: PendingCount
  readonly #xml = new Budget(MAX_UNPACKED_BYTES)
  readonly #zips = new Budget(MAX_INNER_ZIPS_BYTES)

  constructor(pendingCount: PendingCount) {
    this.#pendingCount = pendingCount
  }

  /** Yields the members of a zip. `path` has the names of the outer zips. */
  async *read(source: ZipSource, path: readonly string[]): AsyncGenerator<PackageMember, void> {
    const zip = await openZip(source, (name) => CANDIDATE.test(name))
    try {
      for (const member of zip.members) yield* this.#member(member, [...path, member.name])
    } finally {
      zip.close()
    }
  }

  /** Counts the members that `read` will yield. */
  async count(source: ZipSource, path: readonly string[]): Promise<number> {
    const zip = await openZip(source, (name) => CANDIDATE.test(name))
    try {
      let members = 0
      for (const member of zip.members)
        members += isZip(member) ? await this.#countInner(member, [...path, member.name]) : 1
      return members
    } finally {
      zip.close()
    }
  }

  async #countInner(member: ZipMember, path: readonly string[]): Promise<number> {
    try {
      const bytes = await this.#unpack(member, path)
      return await this.count(bytes, path)
    } catch (error) {
      // `read` will refuse it.
      if (error instanceof Refusal) return 1
      throw error
    }
  }

  async *#member(member: ZipMember, path: readonly string[]): AsyncGenerator<PackageMember, void> {
    try {
      if (isZip(member)) {
        yield* this.read(await this.#unpack(member, path), path)
        return
      }
      this.#pendingCount.pending -= 1
      yield await this.#document(member, path)
    } catch (error) {
      if (!(error instanceof Refusal) || error instanceof PackageTooLarge) throw error
      if (isZip(member)) this.#pendingCount.pending -= 1
      yield { kind: 'refused', member: path.join('/'), code: error.code, detail: error.message }
    }
  }

  async #unpack(member: ZipMember, path: readonly string[]): Promise<Uint8Array> {
    if (path.length >= MAX_ZIP_DEPTH) {
      const detail = `The zips are nested deeper than the limit of ${MAX_ZIP_DEPTH}.`
      throw new Refusal('too_large', detail)
    }
    const unpacked = await bytesOf(member, {
      limit: MAX_INNER_ZIP_BYTES,
      budget: this.#zips,
      reasonToSkip: () => null,
    })
    return unpacked.bytes
  }

  async #document(zipped: ZipMember, path: readonly string[]): Promise<PackageMember> {
    const member = path.join('/')
    const unpacked = await bytesOf(zipped, {
      limit: MAX_XML_BYTES,
      budget: this.#xml,
      reasonToSkip: (head) => (mayHoldBenchmark(zipped.name, head) ? null : reasonToSkip(head)),
    })
    if (unpacked.reason !== null) return { kind: 'skipped', member, ...unpacked.reason }
    return { kind: 'xml', member, bytes: unpacked.bytes }
  }
}

function isZip({ name }: ZipMember): boolean {
  return /\.zip$/i.test(name)
}

/** Whether a member may hold a benchmark, by name or root: data streams and OVAL files may have any name. */
function mayHoldBenchmark(name: string, head: Uint8Array): boolean {
  if (/xccdf[^/]*$/i.test(name)) return true
  const root = findRoot(headText(head))
  return root !== null && isReadable(root)
}

interface SkipReason {
  readonly code: RefusalCode
  readonly detail: string
}

/** Why a document is skipped. */
function reasonToSkip(head: Uint8Array): SkipReason {
  try {
    if (fileType(head) === 'zip') return { code: 'unsupported_file_type', detail: 'The file is a zip, not XML.' }
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, detail: error.message }
    throw error
  }
  const text = headText(head)
  const root = findRoot(text)
  if (root !== null) return { code: 'not_a_benchmark', detail: `${otherRoot(root)}.` }
  if (/<!DOCTYPE/i.test(text))
    return {
      code: 'dtd_not_allowed',
      detail: 'The file has a document type declaration (DOCTYPE).',
    }
  return { code: 'xml_not_well_formed', detail: 'The file is not well-formed XML.' }
}

interface UnpackLimits {
  readonly limit: number
  readonly budget: Budget
  readonly reasonToSkip: (head: Uint8Array) => SkipReason | null
}

interface UnpackedMember {
  readonly bytes: Uint8Array
  /** The reason why the rest was not unpacked; null if it was. */
  readonly reason: SkipReason | null
}

/** Unpacks a member, or only its first bytes if they show that it can be skipped. */
async function bytesOf(
  member: ZipMember,
  { limit, budget, reasonToSkip: reasonOf }: UnpackLimits,
): Promise<UnpackedMember> {
  const chunks: Uint8Array[] = []
  let size = 0
  let isKnown = false
  for await (const chunk of member.read()) {
    size += chunk.length
    budget.spend(chunk.length)
    if (size > limit) throw memberTooLarge(member.name, limit)
    chunks.push(chunk)
    if (isKnown || size < HEAD_BYTES) continue
    const head = joinChunks(chunks, size)
    const reason = reasonOf(head)
    if (reason !== null) return { bytes: head, reason }
    isKnown = true
  }
  const bytes = joinChunks(chunks, size)
  return { bytes, reason: isKnown ? null : reasonOf(bytes) }
}

/** Copies the chunks into one buffer, which a thread can transfer without a copy. */
function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

/** Counts how much of a package may still be unpacked. */
class Budget {
  readonly #limit: number
  #spent = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  spend(bytes: number): void {
    this.#spent += bytes
    if (this.#spent <= this.#limit) return
    const limit = `the limit of ${megabytes(this.#limit)}`
    const detail = `The uncompressed size of all members of the zip exceeds ${limit}.`
    throw new PackageTooLarge('too_large', detail)
  }
}

function memberTooLarge(name: string, bytes: number): Refusal {
  const limit = `the limit of ${megabytes(bytes)}`
  const detail = `The uncompressed size of the zip member ${shortenWords(name)} exceeds ${limit}.`
  return new Refusal('too_large', detail)
}
