import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Reader } from '../../../database/transaction.ts'
import { eachDocument, type ReferenceSource } from '../reader.ts'
import { techniqueRow, type TechniqueRow } from './schemas.ts'

/** Limit of cached lists, each of some 200 kB. */
const MAX_CACHED_LISTS = 8

const typedDocument = z.looseObject({ type: z.string() })

/** Caches the techniques of versions, by id: a version never changes, and must be read whole. */
export class TechniqueLists {
  readonly #reader: Reader
  readonly #lists = new LRUCache<string, readonly TechniqueRow[]>({ max: MAX_CACHED_LISTS })

  constructor(reader: Reader) {
    this.#reader = reader
  }

  async of(source: ReferenceSource): Promise<readonly TechniqueRow[]> {
    const key = `${source.id} ${source.digest}`
    const cached = this.#lists.get(key)
    if (cached !== undefined) return cached
    const rows = await this.#read(source)
    this.#lists.set(key, rows)
    return rows
  }

  async #read(source: ReferenceSource): Promise<readonly TechniqueRow[]> {
    const techniques: TechniqueRow[] = []
    for await (const item of eachDocument(this.#reader, source)) {
      const document = typedDocument.parse(item)
      if (document.type === 'technique') techniques.push(techniqueRow.parse(document))
    }
    return techniques
  }
}
