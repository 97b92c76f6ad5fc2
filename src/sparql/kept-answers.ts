import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Shelf } from './graphs/library.ts'
import type { QueryQuestion } from './threads/protocol.ts'

const BYTES = 8 * 1024 * 1024
/** Larger ones are asked for seldom, and would push all others out. */
const LARGEST_BYTES = 1024 * 1024

/** Answers that are given again while the graphs that were asked state the same. */
export class KeptAnswers {
  readonly #bodies = new LRUCache<string, Uint8Array>({
    ...{ maxSize: BYTES, maxEntrySize: LARGEST_BYTES, sizeCalculation: (body) => body.length + 1 },
  })

  get(key: string): Uint8Array | undefined {
    return this.#bodies.get(key)
  }

  keep(key: string, body: Uint8Array): void {
    this.#bodies.set(key, body)
  }
}

/** The same for the same question of graphs that state the same. */
export function keyOfAnswer({ text, format, dataset }: QueryQuestion, shelf: Shelf): string {
  const keys = new Map(shelf.held.map(({ iri, key }) => [iri, key]))
  const stated = (iri: string): readonly (string | undefined)[] => [
    ...[iri, keys.get(iri) ?? shelf.pinned.get(iri)?.key],
  ]
  const asked = [text, format, dataset.defaults.map(stated), dataset.named.map(stated)]
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64')
}
