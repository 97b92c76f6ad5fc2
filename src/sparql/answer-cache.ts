import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { PublishedGraphs } from './graphs/library.ts'
import type { QueryRequest } from './threads/protocol.ts'

const CACHE_BYTES = 8 * 1024 * 1024
/** Answers larger than this are not cached: they are rare, and one would evict many small ones. */
const MAX_ANSWER_BYTES = 1024 * 1024
/** An answer that took this long is cached the first time; a quicker one only at the second request. */
const SLOW_QUERY_MS = 100
const REMEMBERED_QUERIES = 2048

/**
 * Caches answers to SPARQL queries.
 *
 * An entry is valid as long as its graphs do not change, because their keys are part of its own key. Most queries are
 * asked only once, so a quick answer is cached on its second request.
 */
export class AnswerCache {
  readonly #seenOnce = new LRUCache<string, true>({ max: REMEMBERED_QUERIES })
  readonly #answers = new LRUCache<string, Uint8Array>({
    maxSize: CACHE_BYTES,
    maxEntrySize: MAX_ANSWER_BYTES,
    sizeCalculation: (body) => body.length + 1,
  })

  get(key: string): Uint8Array | undefined {
    return this.#answers.get(key)
  }

  set(key: string, body: Uint8Array, durationMs: number): void {
    const isRepeated = this.#seenOnce.delete(key)
    if (isRepeated || durationMs >= SLOW_QUERY_MS) this.#answers.set(key, body)
    else this.#seenOnce.set(key, true)
  }
}

/** Cache key: the query text, the result format, and the key of every graph in its dataset. */
export function cacheKey({ text, format, dataset }: QueryRequest, published: PublishedGraphs): string {
  const graphKeys = new Map(published.held.map(({ iri, key }) => [iri, key]))
  const withKey = (iri: string) => [iri, graphKeys.get(iri) ?? published.pinned.get(iri)?.key]
  const parts = [text, format, dataset.defaults.map(withKey), dataset.named.map(withKey)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}
