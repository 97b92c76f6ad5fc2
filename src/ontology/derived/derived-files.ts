import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { writeDurably } from '../../platform/files/durable.ts'
import { programDigest } from './program-digest.ts'

const pack = promisify(gzip)
const unpack = promisify(gunzip)

/** A few hundred comparisons, or hashes of some dozens of releases. */
const MAX_BYTES = 64 * 1024 * 1024
/** Drafts that are older than this were abandoned. */
const ABANDONED_MS = 10 * 60_000

/** The name of a file: equal names have equal content. */
export interface DerivedName {
  readonly kind: 'changes' | 'hashes'
  /** Everything that determines the content, except the program. */
  readonly inputs: readonly string[]
}

/**
 * Caches files that take long to derive from releases, in the folder `ontology/derived`. The cache is bounded: the least
 * recently used file is removed first, and a missing or damaged one is derived again. The name of a file covers all its
 * inputs, the program included, so no file is ever out of date.
 */
export class DerivedFiles {
  readonly #folder: string
  readonly #maxBytes: number

  constructor(root: string, maxBytes = MAX_BYTES) {
    this.#folder = join(root, 'derived')
    this.#maxBytes = maxBytes
  }

  /** Null if the file is missing or damaged. */
  async read(name: DerivedName): Promise<string | null> {
    const file = join(this.#folder, await fileNameOf(name))
    try {
      // gzip has a checksum of the text.
      const text = (await unpack(await readFile(file))).toString()
      const now = new Date()
      await utimes(file, now, now).catch(() => null)
      return text
    } catch {
      return null
    }
  }

  /** Fails if the folder cannot be written. */
  async write(name: DerivedName, text: string): Promise<void> {
    const packed = await pack(text)
    if (packed.length > this.#maxBytes) return
    await writeDurably(this.#folder, await fileNameOf(name), packed)
    await this.#prune()
  }

  async #prune(): Promise<void> {
    const files = await this.#files()
    let bytes = 0
    for (const { file, size, mtimeMs } of [...files].sort((a, b) => b.mtimeMs - a.mtimeMs)) {
      const isDraft = file.endsWith('.tmp')
      if (!isDraft) bytes += size
      const isAbandoned = isDraft && Date.now() - mtimeMs > ABANDONED_MS
      if (isAbandoned || bytes > this.#maxBytes) await rm(file, { force: true })
    }
  }

  async #files(): Promise<readonly { readonly file: string; readonly size: number; readonly mtimeMs: number }[]> {
    const names = await readdir(this.#folder)
    const listings = await Promise.all(
      names.map(async (name) => {
        const file = join(this.#folder, name)
        // Another process may have removed it meanwhile.
        const facts = await stat(file).catch(() => null)
        return facts === null ? [] : [{ file, size: facts.size, mtimeMs: facts.mtimeMs }]
      }),
    )
    return listings.flat()
  }
}

async function fileNameOf({ kind, inputs }: DerivedName): Promise<string> {
  const key = JSON.stringify([await programDigest(), ...inputs])
  return `${kind}-${createHash('sha256').update(key).digest('hex').slice(0, 40)}.json.gz`
}
