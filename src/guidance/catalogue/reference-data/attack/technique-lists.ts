import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { Pace } from '../../../../platform/concurrency/turns.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { ReferenceSource } from '../reader.ts'
import { techniqueRow, type TechniqueRow } from './schemas.ts'

/** Documents that are read at once: one has up to 400 kB. */
const PORTION = 10

/** Versions whose lists are kept, each of some 200 kB. */
const KEPT = 8

const typed = z.looseObject({ type: z.string() })

/** The techniques of versions, by id. They are kept: a version never changes, and has to be read whole. */
export class TechniqueLists {
  readonly #reader: Reader
  readonly #lists = new LRUCache<string, readonly TechniqueRow[]>({ max: KEPT })

  constructor(reader: Reader) {
    this.#reader = reader
  }

  async of(source: ReferenceSource): Promise<readonly TechniqueRow[]> {
    const key = `${source.id} ${source.digest}`
    const known = this.#lists.get(key)
    if (known !== undefined) return known
    const rows = await this.#read(source)
    this.#lists.set(key, rows)
    return rows
  }

  /** Others are answered meanwhile. */
  async #read({ id, itemCount }: ReferenceSource): Promise<readonly TechniqueRow[]> {
    const techniques: TechniqueRow[] = []
    const pace = new Pace()
    for (let from = 0; from < itemCount; from += PORTION) {
      const rows = await this.#reader
        .selectFrom('reference_items')
        .select('document')
        .where('source_id', '=', id)
        .where('position', '>=', from)
        .where('position', '<', from + PORTION)
        .orderBy('position')
        .execute()
      for (const row of rows) {
        const document = typed.parse(JSON.parse(row.document))
        if (document.type === 'technique') techniques.push(techniqueRow.parse(document))
        await pace.rest()
      }
    }
    return techniques
  }
}
