import { createHash } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { Refusal } from '../../../platform/errors.ts'
import { readDocument, type ReadLimits, type SourceDocument } from '../read.ts'

/** The ontology as its authors edit it. */
export const ROOT_SOURCE = 'src/ontology/d3fend-protege.ttl'

/** True for a checkout of D3FEND's source repository. */
export async function isRepository(folder: string): Promise<boolean> {
  const root = await stat(join(folder, ROOT_SOURCE)).catch(() => null)
  return root?.isFile() === true
}

/** Reads files of a repository, each within the limits. A link that leads out of it is refused. */
export class RepositoryFiles {
  readonly folder: string
  readonly #limits: ReadLimits
  readonly #read = new Map<string, SourceDocument>()

  constructor(folder: string, limits: ReadLimits) {
    this.folder = folder
    this.#limits = limits
  }

  /** The documents that were read, in order. */
  get documents(): readonly SourceDocument[] {
    return [...this.#read.values()]
  }

  /** Reads a file; null if it does not exist. Refuses paths outside the repository, and files that are too large. */
  async read(path: string): Promise<SourceDocument | null> {
    const cached = this.#read.get(path)
    if (cached !== undefined) return cached
    const real = await this.pathOf(path)
    if (real === null) return null
    const { content } = await readDocument(real, this.#limits, () => undefined)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const document = { name: join(this.folder, path), content, sha256, bytes: content.length }
    this.#read.set(path, document)
    return document
  }

  /** Returns the real path of a file; null if it does not exist. */
  async pathOf(path: string): Promise<string | null> {
    const file = join(this.folder, path)
    const real = await realpath(file).catch(() => null)
    if (real === null) return null
    const within = relative(await realpath(this.folder), real)
    if (within === '..' || within.startsWith(`..${sep}`) || isAbsolute(within))
      throw new Refusal('source_not_found', `${file} leads out of the repository.`)
    const { size } = await stat(real)
    if (size > this.#limits.maxBytes) {
      const limit = `${this.#limits.maxBytes / 1024 / 1024} MiB`
      throw new Refusal('source_too_large', `${file} is larger than ${limit} (--max-mb).`)
    }
    return real
  }
}
