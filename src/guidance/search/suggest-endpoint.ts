import { sql } from 'kysely'
import { z } from 'zod'
import { suggestionSchema, type Search, type Suggestion } from '../../contracts/search.ts'
import { anyone } from '../../http/access.ts'
import type { Caller } from '../../http/caller.ts'
import { endpoint, type Endpoint } from '../../http/endpoint.ts'
import { clampedInteger, searchText } from '../../http/input.ts'
import { foldText } from '../../platform/characters.ts'
import type { Database } from '../database/database.ts'
import { contains } from '../database/like.ts'
import type { Reader } from '../database/transaction.ts'

const DEFAULT_LIMIT = 10
const MAX_LIMIT = 25
/** Benchmarks among the suggestions. */
const MOST_BENCHMARKS = 3
const SHORTEST = 3
/** Longer texts are not typed for suggestions. */
const LONGEST = 200

/** `GET /api/search/suggest?q=`: completions of what somebody types. */
export function suggestEndpoint({
  database,
  search,
}: {
  readonly database: Pick<Database, 'read'>
  readonly search: Search<Caller | null>
}): Endpoint {
  const limit = { min: 1, max: MAX_LIMIT, absent: DEFAULT_LIMIT, odd: DEFAULT_LIMIT }
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
      const text = query.q.trim().slice(0, LONGEST)
      const benchmarks = await findBenchmarks(database.read, text)
      const others = await search.suggest(caller, text, query.limit)
      return [...benchmarks, ...others].slice(0, query.limit)
    },
  })
}

/** The newest releases of benchmarks whose title or id contains the text. */
async function findBenchmarks(reader: Reader, text: string): Promise<readonly Suggestion[]> {
  if (text.length < SHORTEST) return []
  const rows = await reader
    .selectFrom('benchmarks')
    .select(['id', 'kind', 'benchmark_id', 'title'])
    .where((is) => is.or([contains(sql<string>`lower(title)`, text), contains(sql<string>`lower(benchmark_id)`, text)]))
    .orderBy('title')
    .orderBy('major', 'desc')
    .orderBy('minor', 'desc')
    .orderBy('patch', 'desc')
    .limit(MAX_LIMIT)
    .execute()
  const newest = new Map(rows.toReversed().map((row) => [`${row.kind} ${row.benchmark_id}`, row]))
  return [...newest.values()]
    .sort((a, b) => placeOf(a.title, text) - placeOf(b.title, text) || a.id - b.id)
    .slice(0, MOST_BENCHMARKS)
    .map(({ id, kind, benchmark_id, title }) => ({
      text: title,
      kind: 'benchmark',
      id: benchmark_id,
      iri: null,
      path: `/${kind}s/${id}`,
    }))
}

/** Titles that begin with the text come first. */
function placeOf(title: string, text: string): number {
  const place = foldText(title).indexOf(foldText(text))
  return place === -1 ? title.length : place
}
