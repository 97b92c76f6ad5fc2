import { LRUCache } from 'lru-cache'
import type { GuidanceMatch, RecordText } from '../../contracts/guidance-records.ts'
import type { RecordKey, SearchFeed } from '../../contracts/search-feed.ts'
import { keyOf } from '../index/keys.ts'

/** Cached records, of about 400 bytes. A page lists a hundred if there are many releases. */
const MAX_MATCHES = 24_000
/** Cached texts, in characters. */
const MAX_TEXT_LENGTH = 8_000_000

type RecordReader = Pick<SearchFeed, 'matches' | 'texts'>
type RecordTexts = readonly RecordText[]

/**
 * Caches records of the catalogue for results, until the catalogue changes. Authored records are not cached, because
 * they have fields that change without the index.
 */
export class RecordCache implements RecordReader {
  readonly #feed: RecordReader
  /** By `keyOf`. */
  readonly #matches = new LRUCache<number, GuidanceMatch>({ max: MAX_MATCHES })
  /** By id. Rules share the object of their benchmark, which saves a third of the memory. */
  readonly #benchmarks = new Map<number, GuidanceMatch['benchmark']>()
  readonly #texts = new LRUCache<string, RecordTexts>({
    maxSize: MAX_TEXT_LENGTH,
    sizeCalculation: (texts) => texts.reduce((sum, { text }) => sum + text.length, 1),
  })

  constructor(feed: RecordReader) {
    this.#feed = feed
  }

  clear(): void {
    this.#matches.clear()
    this.#benchmarks.clear()
    this.#texts.clear()
  }

  async matches(keys: readonly RecordKey[]): Promise<readonly GuidanceMatch[]> {
    const cachedMatches = keys.map(({ kind, id }) => this.#matches.get(keyOf(kind, id)))
    const missing = keys.filter((_, index) => cachedMatches[index] === undefined)
    if (missing.length === 0) return cachedMatches.filter((match) => match !== undefined)
    const fetched = new Map<number, GuidanceMatch>()
    for (const match of await this.#feed.matches(missing)) {
      const key = keyOf(match.kind, match.recordId)
      fetched.set(key, match)
      if (isOfCatalogue(match)) this.#matches.set(key, this.#withSharedBenchmark(match))
    }
    return keys.flatMap(({ kind, id }, index) => cachedMatches[index] ?? fetched.get(keyOf(kind, id)) ?? [])
  }

  #withSharedBenchmark(match: GuidanceMatch): GuidanceMatch {
    if (match.benchmark === null) return match
    const { id } = match.benchmark
    const benchmark = this.#benchmarks.get(id) ?? match.benchmark
    this.#benchmarks.set(id, benchmark)
    return { ...match, benchmark }
  }

  async texts(keys: readonly RecordKey[]): Promise<ReadonlyMap<string, RecordTexts>> {
    const textsByKey = new Map<string, RecordTexts>()
    const missing: RecordKey[] = []
    for (const key of keys) {
      const cachedTexts = this.#texts.get(cacheKey(key))
      if (cachedTexts === undefined) missing.push(key)
      else textsByKey.set(cacheKey(key), cachedTexts)
    }
    if (missing.length === 0) return textsByKey
    const fetched = await this.#feed.texts(missing)
    for (const key of missing) {
      const texts = fetched.get(cacheKey(key)) ?? []
      textsByKey.set(cacheKey(key), texts)
      if (isOfCatalogue(key) && texts.length > 0) this.#texts.set(cacheKey(key), texts)
    }
    return textsByKey
  }
}

function cacheKey({ kind, id }: RecordKey): string {
  return `${kind} ${id}`
}

function isOfCatalogue({ kind }: Pick<RecordKey, 'kind'>): boolean {
  return kind === 'rule' || kind === 'requirement'
}
