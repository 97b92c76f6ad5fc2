import { LRUCache } from 'lru-cache'

const HOUR_MS = 3_600_000
/** Counts that are kept, by caller and purpose; a dropped one begins again at one. */
const MAX_TALLIES = 10_000

/**
 * Counts searches, so that the audit trail shows heavy use without growing with it: it gets the first search of an
 * hour, the tenth, the hundredth and so on. In this process only.
 */
export class SearchTally {
  readonly #counts = new LRUCache<string, { readonly count: number }>({
    max: MAX_TALLIES,
    ttl: HOUR_MS,
    noUpdateTTL: true,
  })

  /** The number to write into the audit trail, or null. */
  count(key: string): number | null {
    const count = (this.#counts.get(key)?.count ?? 0) + 1
    this.#counts.set(key, { count })
    return /^10*$/.test(String(count)) ? count : null
  }
}
