import { z } from 'zod'
import { suggestionSchema } from '../../contracts/search-answer.ts'
import type { BenchmarkNames, Search } from '../../contracts/search.ts'
import { anyone } from '../../http/access.ts'
import type { Caller } from '../../http/caller.ts'
import { endpoint, type Endpoint } from '../../http/endpoint.ts'
import { clampedInteger, searchText } from '../../http/input.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 25
/** Longer texts are not typed for suggestions. */
const MAX_LENGTH = 200

/** `GET /api/search/suggest?q=`: completions of what somebody types. */
export function suggestEndpoint({
  search,
  benchmarks,
}: {
  readonly search: Search<Caller | null>
  readonly benchmarks: BenchmarkNames
}): Endpoint {
  const limit = { min: 1, max: MAX_LIMIT, default: DEFAULT_LIMIT, invalid: DEFAULT_LIMIT }
  return endpoint({
    method: 'get',
    path: '/api/search/suggest',
    operation: 'suggestSearch',
    tag: 'Search',
    summary: 'Suggestions while typing: names, ids and titles',
    access: anyone,
    input: z.object({
      query: z.object({ q: searchText.default(''), limit: clampedInteger(limit) }),
    }),
    answer: z.array(suggestionSchema),
    handle: async ({ grant: caller, input: { query } }) => {
      const text = query.q.trim().slice(0, MAX_LENGTH)
      const titles = await benchmarks.complete(text)
      const { named, others } = await search.suggest(caller, text, query.limit)
      return [...named, ...titles, ...others].slice(0, query.limit)
    },
  })
}
