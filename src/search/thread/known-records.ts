import { LRUCache } from 'lru-cache'
import type { RecordKey, SearchFeed } from '../../contracts/search-feed.ts'
import type { GuidanceMatch, RecordText } from '../../contracts/sources.ts'
import { keyOf } from '../index/keys.ts'

/** A page lists a hundred of them where there are many releases; 400 bytes each. */
const MOST_MATCHES = 24_000
/** Characters. */
const MOST_TEXT = 8_000_000

type RecordReader = Pick<SearchFeed, 'matches' | 'texts'>
type RecordTexts = readonly RecordText[]

/**
 * Records as results show them. Those of the catalogue are remembered until the catalogue changes; authored ones change
 * in more than the index knows of, and are read anew each time.
 */
export class RecordCache implements RecordReader {
  readonly #feed: RecordReader
  /** By `keyOf`. */
  readonly #matches = new LRUCache<number, GuidanceMatch>({ max: MOST_MATCHES })
  /** By number: what their rules have in common is a third of what is remembered. */
  readonly #benchmarks = new Map<number, GuidanceMatch['benchmark']>()
  readonly #texts = new LRUCache<string, RecordTexts>({
    maxSize: MOST_TEXT,
    sizeCalculation: (texts) => texts.reduce((sum, { text }) => sum + text.length, 1),
  })

  constructor(feed: RecordReader) {
    this.#feed = feed
  }

  forget(): void {
    this.#matches.clear()
    this.#benchmarks.clear()
    this.#texts.clear()
  }

  async matches(keys: readonly RecordKey[]): Promise<readonly GuidanceMatch[]> {
    const known = keys.map(({ kind, id }) => this.#matches.get(keyOf(kind, id)))
    const missing = keys.filter((_, place) => known[place] === undefined)
    if (missing.length === 0) return known.filter((match) => match !== undefined)
    const read = new Map<number, GuidanceMatch>()
    for (const match of await this.#feed.matches(missing)) {
      const key = keyOf(match.kind, match.recordId)
      read.set(key, match)
      if (isOfCatalogue(match)) this.#matches.set(key, this.#sharing(match))
    }
    return keys.flatMap(({ kind, id }, place) => known[place] ?? read.get(keyOf(kind, id)) ?? [])
  }

  #sharing(match: GuidanceMatch): GuidanceMatch {
    if (match.benchmark === null) return match
    const { id } = match.benchmark
    const benchmark = this.#benchmarks.get(id) ?? match.benchmark
    this.#benchmarks.set(id, benchmark)
    return { ...match, benchmark }
  }

  async texts(keys: readonly RecordKey[]): Promise<ReadonlyMap<string, RecordTexts>> {
    const found = new Map<string, RecordTexts>()
    const missing: RecordKey[] = []
    for (const key of keys) {
      const known = this.#texts.get(nameOf(key))
      if (known === undefined) missing.push(key)
      else found.set(nameOf(key), known)
    }
    if (missing.length === 0) return found
    const read = await this.#feed.texts(missing)
    for (const key of missing) {
      const texts = read.get(nameOf(key)) ?? []
      found.set(nameOf(key), texts)
      if (isOfCatalogue(key) && texts.length > 0) this.#texts.set(nameOf(key), texts)
    }
    return found
  }
}

function nameOf({ kind, id }: RecordKey): string {
  return `${kind} ${id}`
}

function isOfCatalogue({ kind }: Pick<RecordKey, 'kind'>): boolean {
  return kind === 'rule' || kind === 'requirement'
}
