import { z } from 'zod'
import { searchKind, unifiedAnswer, type Search } from '../../contracts/search.ts'
import { ATTACK_DOMAINS } from '../../contracts/sources.ts'
import { anyone } from '../../http/access.ts'
import type { Caller } from '../../http/caller.ts'
import { endpoint, type Endpoint } from '../../http/endpoint.ts'
import { clampedInteger, listOf, searchText } from '../../http/input.ts'
import { Refusal } from '../../platform/errors.ts'
import { SEVERITIES } from '../../tables/severities.ts'
import { latestOf, listReleases, type Release } from '../catalogue/benchmarks/releases.ts'
import type { Database } from '../database/database.ts'
import type { Reader } from '../database/transaction.ts'
import { suggestEndpoint } from './suggest-endpoint.ts'

const DEFAULT_PER_PAGE = 20
const MAX_PER_PAGE = 100
const MAX_PAGE = 1_000_000_000
const LIMITS = { longest: 2000, most: 50 }
const LONGEST_CURSOR = 200

interface UnifiedParts {
  readonly database: Pick<Database, 'read'>
  readonly search: Search<Caller | null>
}

/** One search across techniques and rules, and suggestions for it. */
export function unifiedSearchEndpoints(parts: UnifiedParts): readonly Endpoint[] {
  return [unifiedEndpoint(parts), suggestEndpoint(parts)]
}

const severity = z.enum(SEVERITIES)
const perPage = { min: 1, max: MAX_PER_PAGE, absent: DEFAULT_PER_PAGE, odd: DEFAULT_PER_PAGE }

const unifiedQuery = z.object({
  q: searchText.default(''),
  kind: listOf(searchKind, LIMITS),
  severity: listOf(severity, LIMITS),
  tactic: listOf(z.string(), LIMITS).meta({
    description: 'd3f:Harden, Harden, TA0006, or a label',
  }),
  domain: listOf(z.enum(ATTACK_DOMAINS), LIMITS).meta({
    description: 'Attacks and offensive tactics of these domains alone',
  }),
  benchmark: listOf(z.string(), LIMITS).meta({ description: 'Record ids or benchmark ids' }),
  releases: z
    .enum(['latest', 'all'])
    .default('latest')
    .meta({ description: 'Only the newest release of each product, or all releases' }),
  fold: booleanParameter(true).meta({
    description: 'Whether equal rules of different products are combined into one result',
  }),
  explain: booleanParameter(false).meta({
    description: 'Whether results explain their rank',
  }),
  page: clampedInteger({ min: 1, max: MAX_PAGE, absent: 1, odd: 1 }),
  cursor: z.string().max(LONGEST_CURSOR).optional().meta({
    description: 'pagination.next of the previous answer; pages are counted from there',
  }),
  per_page: clampedInteger(perPage),
})

function unifiedEndpoint({ database, search }: UnifiedParts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/search/unified',
    operation: 'searchUnified',
    tag: 'Search',
    summary: 'Search techniques, attacks, weaknesses, controls, requirements and rules',
    access: anyone,
    lists: ['kind', 'severity', 'tactic', 'domain', 'benchmark'],
    input: z.object({ query: unifiedQuery }),
    answer: unifiedAnswer,
    handle: async ({ grant: caller, input: { query } }) => {
      const { q, kind, severity: severities, tactic, domain, page, per_page, cursor = null } = query
      const selectedBenchmarks = await findBenchmarks(database.read, query)
      return search.unified(caller, {
        text: q,
        kinds: kind,
        severities,
        tactics: tactic,
        domains: domain,
        ...selectedBenchmarks,
        page,
        perPage: per_page,
        cursor,
        isFolded: query.fold,
        isExplained: query.explain,
      })
    },
  })
}

/** `true` or `false`. */
function booleanParameter(usual: boolean): z.ZodType<boolean, string | undefined> {
  return z
    .enum(['true', 'false'])
    .default(usual ? 'true' : 'false')
    .transform((text) => text === 'true')
}

interface CatalogueChoice {
  readonly benchmark: readonly string[]
  readonly releases: 'latest' | 'all'
}

interface BenchmarkIds {
  readonly benchmarks: readonly number[] | null
  readonly releases: readonly number[] | null
}

/** The releases that are asked for. The id of a benchmark stands for its newest release, or for all. */
async function findBenchmarks(reader: Reader, { benchmark, releases }: CatalogueChoice): Promise<BenchmarkIds> {
  if (benchmark.length === 0 && releases === 'latest') return { benchmarks: null, releases: null }
  const all = await listReleases(reader)
  const inReach = releases === 'all' ? all : latestOf(all)
  const ids = releases === 'all' ? all.map(({ id }) => id) : null
  if (benchmark.length === 0) return { benchmarks: null, releases: ids }
  const found = benchmark.flatMap((name) => named(name, all, inReach))
  return { benchmarks: [...new Set(found)], releases: ids }
}

function named(name: string, all: readonly Release[], inReach: readonly Release[]): readonly number[] {
  const byNumber = all.filter(({ id }) => String(id) === name)
  const byId = inReach.filter(({ line, benchmarkId }) => line === name || benchmarkId === name)
  const found = byNumber.length > 0 ? byNumber : byId
  if (found.length > 0) return found.map(({ id }) => id)
  throw new Refusal('parameter_invalid', `benchmark: there is no ${name}.`, {
    parameter: 'benchmark',
  })
}
