import { Refusal, type RefusalCode } from '../../platform/errors.ts'
import { headText } from './encoding.ts'
import { HEAD_BYTES } from './file-type.ts'
import {
  MAX_INNER_ZIP_BYTES,
  MAX_INNER_ZIPS_BYTES,
  MAX_UNPACKED_BYTES,
  MAX_XML_BYTES,
  MAX_ZIP_DEPTH,
  megabytes,
} from './limits.ts'
import { isReadable } from './root.ts'
import { findRoot, shortened } from './xml.ts'
import { openZip, type ZipMember, type ZipSource } from './zip.ts'

/** How many members of a package there are yet to look at, as far as is known. */
export interface Outlook {
  pending: number
}

/** A member by its path, through inner zips too: `U_VPN_V2R3_STIG.zip/U_VPN_STIG/….xml`. */
export type PackageMember =
  | { readonly kind: 'xml'; readonly member: string; readonly bytes: Uint8Array }
  | {
      readonly kind: 'refused'
      readonly member: string
      readonly code: RefusalCode
      readonly detail: string
    }

/**
 * The XML documents of a zip, or of zips in a zip, that hold benchmarks, one at a time: those whose
 * root says so, and those whose name does. A member or an inner zip that cannot be read is handed
 * over as refused, and the others go on. Refuses the whole: a zip that cannot be used (`bad_zip`,
 * `too_large`) before any member, one that unpacks to too much (`too_large`) when it has, and one
 * without benchmarks (`no_benchmark_in_zip`).
 */
export async function* readPackage(
  source: ZipSource,
  outlook: Outlook,
): AsyncGenerator<PackageMember, void> {
  let isEmpty = true
  for await (const member of new PackageReader(outlook).read(source, [])) {
    isEmpty = false
    yield member
  }
  if (!isEmpty) return
  const detail = 'Nothing to import: no XCCDF benchmark found in the zip.'
  throw new Refusal('no_benchmark_in_zip', detail)
}

/** Ends the reading of the whole package, while other refusals end that of a member. */
class PackageTooLarge extends Refusal {}

class PackageReader {
  readonly #outlook: Outlook
  readonly #xml = new Budget(MAX_UNPACKED_BYTES)
  readonly #zips = new Budget(MAX_INNER_ZIPS_BYTES)

  constructor(outlook: Outlook) {
    this.#outlook = outlook
  }

  /** `path` names the zips that this one lies in. */
  async *read(source: ZipSource, path: readonly string[]): AsyncGenerator<PackageMember, void> {
    const zip = await openZip(source, (name) => /\.(?:xml|zip)$/i.test(name))
    try {
      this.#outlook.pending += zip.members.length
      for (const member of zip.members) yield* this.#member(member, [...path, member.name])
    } finally {
      zip.close()
    }
  }

  async *#member(member: ZipMember, path: readonly string[]): AsyncGenerator<PackageMember, void> {
    this.#outlook.pending -= 1
    const isZip = /\.zip$/i.test(member.name)
    try {
      if (isZip) yield* this.#innerZip(member, path)
      else yield* this.#document(member, path)
    } catch (error) {
      if (!(error instanceof Refusal) || error instanceof PackageTooLarge) throw error
      yield { kind: 'refused', member: path.join('/'), code: error.code, detail: error.message }
    }
  }

  async *#innerZip(
    member: ZipMember,
    path: readonly string[],
  ): AsyncGenerator<PackageMember, void> {
    if (path.length >= MAX_ZIP_DEPTH) {
      const detail = `The zips are nested deeper than the limit of ${MAX_ZIP_DEPTH}.`
      throw new Refusal('too_large', detail)
    }
    const bytes = await bytesOf(member, {
      limit: MAX_INNER_ZIP_BYTES,
      budget: this.#zips,
      isWanted: () => true,
    })
    if (bytes !== null) yield* this.read(bytes, path)
  }

  async *#document(
    member: ZipMember,
    path: readonly string[],
  ): AsyncGenerator<PackageMember, void> {
    const bytes = await bytesOf(member, {
      limit: MAX_XML_BYTES,
      budget: this.#xml,
      isWanted: (head) => mayHoldBenchmark(member.name, head),
    })
    if (bytes !== null) yield { kind: 'xml', member: path.join('/'), bytes }
  }
}

/** A data stream or OVAL file says with its root what it is, and no name is required to. */
function mayHoldBenchmark(name: string, head: Uint8Array): boolean {
  if (/xccdf[^/]*$/i.test(name)) return true
  const root = findRoot(headText(head))
  return root !== null && isReadable(root)
}

interface Reading {
  readonly limit: number
  readonly budget: Budget
  readonly isWanted: (head: Uint8Array) => boolean
}

/** All bytes of a member; null, and no more is unpacked, where its first ones show another thing. */
async function bytesOf(
  member: ZipMember,
  { limit, budget, isWanted }: Reading,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  let isKnown = false
  for await (const chunk of member.read()) {
    size += chunk.length
    budget.spend(chunk.length)
    if (size > limit) throw memberTooLarge(member.name, limit)
    chunks.push(chunk)
    if (isKnown || size < HEAD_BYTES) continue
    if (!isWanted(joined(chunks, size))) return null
    isKnown = true
  }
  const bytes = joined(chunks, size)
  return isKnown || isWanted(bytes) ? bytes : null
}

/** In a buffer of its own, so that a thread can hand it over without a copy. */
function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** What may still be unpacked of a whole package. */
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
  const detail = `The uncompressed size of the zip member ${shortened(name)} exceeds ${limit}.`
  return new Refusal('too_large', detail)
}
