import { LRUCache } from 'lru-cache'

const HOUR_MS = 3_600_000
/** Of callers and what they search people for; who is forgotten is counted from one again. */
const MAX_TALLIES = 10_000

/**
 * Counts how often somebody searches, so that the audit trail tells of much without growing with it: it is
 * told of the first search of an hour, the tenth, the hundredth and so on. In the memory of this process.
 */
export class SearchTally {
  readonly #counts = new LRUCache<string, { readonly count: number }>({
    max: MAX_TALLIES,
    ttl: HOUR_MS,
    noUpdateTTL: true,
  })

  /** The number to be noted, or null. */
  count(key: string): number | null {
    const count = (this.#counts.get(key)?.count ?? 0) + 1
    this.#counts.set(key, { count })
    return /^10*$/.test(String(count)) ? count : null
  }
}
