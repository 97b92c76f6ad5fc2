import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Shelf } from './graphs/library.ts'
import type { QueryQuestion } from './threads/protocol.ts'

const BYTES = 8 * 1024 * 1024
/** Larger ones are asked for seldom, and would push all others out. */
const LARGEST_BYTES = 1024 * 1024
/** What took as long is kept at once. */
const COSTLY_MS = 100
/** Of as many questions it is known that they were asked. */
const ASKED_ONCE = 2048

/**
 * Answers that are given again while the graphs that were asked state the same: of what took long, and of what was
 * asked before. Most questions are asked once, and would only fill the room.
 */
export class KeptAnswers {
  readonly #askedOnce = new LRUCache<string, true>({ max: ASKED_ONCE })
  readonly #bodies = new LRUCache<string, Uint8Array>({
    ...{ maxSize: BYTES, maxEntrySize: LARGEST_BYTES, sizeCalculation: (body) => body.length + 1 },
  })

  get(key: string): Uint8Array | undefined {
    return this.#bodies.get(key)
  }

  keep(key: string, body: Uint8Array, tookMs: number): void {
    if (tookMs >= COSTLY_MS || this.#askedOnce.delete(key)) this.#bodies.set(key, body)
    else this.#askedOnce.set(key, true)
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
