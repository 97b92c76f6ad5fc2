import { sql } from 'kysely'
import type { Suggestion } from '../../contracts/search-answer.ts'
import type { BenchmarkChoice, BenchmarkNames, SearchRequest } from '../../contracts/search.ts'
import { foldText } from '../../platform/characters.ts'
import { Refusal } from '../../platform/errors.ts'
import { latestOf, listReleases, type Release } from '../catalogue/benchmarks/releases.ts'
import type { Database } from '../database/database.ts'
import { contains } from '../database/like.ts'
import type { Reader } from '../database/transaction.ts'

/** Benchmarks among the suggestions. */
const MAX_BENCHMARKS = 3
/** Rows of the query, of which the newest release of each benchmark is kept. */
const MAX_ROWS = 25
const MIN_NAME_LENGTH = 3

/** The benchmarks of the database by their names, for the search. */
export function benchmarkNames({ read }: Pick<Database, 'read'>): BenchmarkNames {
  return {
    choose: (choice) => findBenchmarks(read, choice),
    complete: (text) => completeTitle(read, text),
  }
}

/** The requested releases. The id of a benchmark stands for its newest release, or for all. */
async function findBenchmarks(
  reader: Reader,
  { benchmarks: names, releases }: BenchmarkChoice,
): Promise<Pick<SearchRequest, 'benchmarks' | 'releases'>> {
  if (names.length === 0 && releases === 'latest') return { benchmarks: null, releases: null }
  const catalogue = await listReleases(reader)
  const candidates = releases === 'all' ? catalogue : latestOf(catalogue)
  const ids = releases === 'all' ? catalogue.map(({ id }) => id) : null
  if (names.length === 0) return { benchmarks: null, releases: ids }
  const benchmarkIds = names.flatMap((name) => matchReleases(name, catalogue, candidates))
  return { benchmarks: [...new Set(benchmarkIds)], releases: ids }
}

function matchReleases(name: string, catalogue: readonly Release[], candidates: readonly Release[]): readonly number[] {
  const byNumber = catalogue.filter(({ id }) => String(id) === name)
  const byId = candidates.filter(({ line, benchmarkId }) => line === name || benchmarkId === name)
  const matches = byNumber.length > 0 ? byNumber : byId
  if (matches.length > 0) return matches.map(({ id }) => id)
  throw new Refusal('parameter_invalid', `benchmark: there is no ${name}.`, {
    parameter: 'benchmark',
  })
}

/** The newest releases of benchmarks whose title or id contains the text. */
async function completeTitle(reader: Reader, text: string): Promise<readonly Suggestion[]> {
  if (text.length < MIN_NAME_LENGTH) return []
  const rows = await reader
    .selectFrom('benchmarks')
    .select(['id', 'kind', 'benchmark_id', 'title'])
    .where((is) => is.or([contains(sql<string>`lower(title)`, text), contains(sql<string>`lower(benchmark_id)`, text)]))
    .orderBy('title')
    .orderBy('major', 'desc')
    .orderBy('minor', 'desc')
    .orderBy('patch', 'desc')
    .limit(MAX_ROWS)
    .execute()
  const newest = new Map(rows.toReversed().map((row) => [`${row.kind} ${row.benchmark_id}`, row]))
  return [...newest.values()]
    .sort((a, b) => positionOf(a.title, text) - positionOf(b.title, text) || a.id - b.id)
    .slice(0, MAX_BENCHMARKS)
    .map(({ id, kind, benchmark_id, title }) => ({
      text: title,
      kind: 'benchmark',
      id: benchmark_id,
      iri: null,
      path: `/${kind}s/${id}`,
    }))
}

/** Titles that begin with the text come first. */
function positionOf(title: string, text: string): number {
  const position = foldText(title).indexOf(foldText(text))
  return position === -1 ? title.length : position
}
