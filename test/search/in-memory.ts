import type { SearchAnswer } from '../../src/contracts/search-answer.ts'
import type { SearchRequest } from '../../src/contracts/search.ts'
import { Searcher } from '../../src/search/thread/searcher.ts'
import { MemoryFeed, type MemoryRecord } from './memory-feed.ts'
import { CCIS, CONTENT, CONTROL_NAMES } from './small.ts'

/** A request without filters. */
export const REQUEST = {
  kinds: [],
  severities: [],
  tactics: [],
  domains: [],
  benchmarks: null,
  releases: null,
  isFolded: true,
  isExplained: false,
  isGrouped: false,
  cursor: null,
  page: 1,
  perPage: 20,
} as const satisfies Omit<SearchRequest, 'text'>

/** A search over records in memory. */
export interface SearchUnderTest {
  readonly feed: MemoryFeed
  readonly searcher: Searcher
}

export async function openSearcher(
  records: MemoryFeed | readonly MemoryRecord[],
  content = CONTENT,
  dumpFile: string | null = null,
): Promise<SearchUnderTest> {
  const feed = records instanceof MemoryFeed ? records : new MemoryFeed(records)
  const searcher = await Searcher.open(feed, {
    feed: { module: '', data: null },
    dumpFile,
    abbreviations: [],
    upToDateAt: new BigInt64Array(new SharedArrayBuffer(8)),
    controlNames: new Map(CONTROL_NAMES),
    controls: new Map([...CCIS].map(([cci, [control = '']]) => [cci, control])),
  })
  await searcher.takeOntology(content)
  return { feed, searcher }
}

export async function ask(
  { searcher, feed }: SearchUnderTest,
  text: string,
  { reader = null, ...more }: Partial<SearchRequest> & { readonly reader?: string | null } = {},
  waitUntil = Date.now() + 600_000,
): Promise<SearchAnswer> {
  const question = { request: { ...REQUEST, text, ...more }, defenses: new Map<string, Map<string, number>>() }
  const answer = await searcher.unified({ readable: feed.readable(reader), waitUntil, ...question })
  if ('defensesOf' in answer) throw new Error('The countermeasures are missing')
  return answer
}

/** A caller who waits until the index is up to date. */
export function withLongWait(readable: readonly number[]): {
  readonly readable: readonly number[]
  readonly waitUntil: number
} {
  return { readable, waitUntil: Date.now() + 600_000 }
}

export async function labels(
  search: SearchUnderTest,
  text: string,
  options: Partial<SearchRequest> = {},
): Promise<readonly string[]> {
  const { results } = await ask(search, text, options)
  return results.map(({ label }) => label)
}
