import { z } from 'zod'
import { searchKind, unifiedAnswer } from '../../contracts/search-answer.ts'
import type { BenchmarkNames, Search } from '../../contracts/search.ts'
import { ATTACK_DOMAINS } from '../../contracts/sources.ts'
import { anyone } from '../../http/access.ts'
import type { Caller } from '../../http/caller.ts'
import { endpoint, type Endpoint } from '../../http/endpoint.ts'
import { clampedInteger, listOf, searchText } from '../../http/input.ts'
import { SEVERITIES } from '../../tables/severities.ts'
import { suggestEndpoint } from './suggest-endpoint.ts'

const DEFAULT_PER_PAGE = 20
const MAX_PER_PAGE = 100
const MAX_PAGE = 1_000_000_000
const LIMITS = { maxLength: 2000, maxItems: 50 }
const MAX_CURSOR_LENGTH = 200

interface SearchParts {
  readonly search: Search<Caller | null>
  readonly benchmarks: BenchmarkNames
}

/** One search across techniques and rules, and suggestions for it. */
export function searchEndpoints(parts: SearchParts): readonly Endpoint[] {
  return [unifiedEndpoint(parts), suggestEndpoint(parts)]
}

const severity = z.enum(SEVERITIES)
const perPage = { min: 1, max: MAX_PER_PAGE, default: DEFAULT_PER_PAGE, invalid: DEFAULT_PER_PAGE }

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
  group: z.enum(['kind']).optional().meta({
    description: 'Adds `groups`: the best results of each kind',
  }),
  page: clampedInteger({ min: 1, max: MAX_PAGE, default: 1, invalid: 1 }),
  cursor: z.string().max(MAX_CURSOR_LENGTH).optional().meta({
    description: 'pagination.next of the previous answer; pages are counted from there',
  }),
  per_page: clampedInteger(perPage),
})

function unifiedEndpoint({ search, benchmarks }: SearchParts): Endpoint {
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
      const chosen = await benchmarks.choose({ benchmarks: query.benchmark, releases: query.releases })
      return search.unified(caller, {
        text: q,
        kinds: kind,
        severities,
        tactics: tactic,
        domains: domain,
        ...chosen,
        page,
        perPage: per_page,
        cursor,
        isFolded: query.fold,
        isExplained: query.explain,
        isGrouped: query.group === 'kind',
      })
    },
  })
}

/** `true` or `false`. */
function booleanParameter(defaultValue: boolean): z.ZodType<boolean, string | undefined> {
  return z
    .enum(['true', 'false'])
    .default(defaultValue ? 'true' : 'false')
    .transform((text) => text === 'true')
}
