import { z } from 'zod'
import { DOCUMENT } from '../../../http/answer/answers.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { NO_INPUT, searchText } from '../../../http/input.ts'
import type { Parts } from '../../parts/parts.ts'
import { matcherOf } from '../abbreviations/terms.ts'
import { listReleases } from '../benchmarks/releases.ts'
import type { OntologyLinks } from '../linked-data/countermeasures/ontology-links.ts'
import { FEED_ADDRESS, LIST_ADDRESS } from './addresses.ts'
import { changeEndpoints } from './changes/change-endpoints.ts'
import { readRuleDetail, readWhole, shapeList } from './documents.ts'
import { benchmarkFeed } from './feed/feed.ts'
import { fileEndpoints } from './files/file-endpoints.ts'
import { findNamedRule, findProduct, findProducts, findRelease } from './find.ts'
import { hashEndpoints } from './hashes/hash-endpoints.ts'
import { benchmarkId, COMMON_PARTS, releaseParams, ruleName } from './input.ts'
import { numberedEndpoints } from './numbered-endpoints.ts'
import { findCciList } from './rule-ccis.ts'
import { readRuleList } from './rule-list.ts'
import {
  benchmarkListSchema,
  benchmarkSchema,
  releaseDetailSchema,
  ruleDetailSchema,
  ruleListSchema,
} from './schemas.ts'
import { shapeBenchmark } from './shape.ts'

const FEED_TYPE = 'application/atom+xml'

interface OpenCatalogueParts extends Parts {
  readonly links: OntologyLinks
}

/** The published SRGs and STIGs, open to all, at addresses made from their own names. */
export function openCatalogueEndpoints(parts: OpenCatalogueParts): readonly Endpoint[] {
  return [
    list(parts),
    feedEndpoint(parts),
    benchmark(parts),
    release(parts),
    ...numberedEndpoints(parts),
    rules(parts),
    rule(parts),
    ...changeEndpoints(parts),
    ...fileEndpoints(parts),
    ...hashEndpoints(parts),
  ]
}

const listInput = z.object({
  query: z.object({
    kind: z.enum(['srg', 'stig']).optional(),
    q: searchText.optional().meta({ description: 'Words of the title or of the benchmark id' }),
    sort: z.enum(['title', 'date']).default('title').meta({ description: 'By title, or the newest first' }),
  }),
})

function list({ database }: Parts): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: LIST_ADDRESS,
    operation: 'listCatalogueBenchmarks',
    summary: 'All SRGs and STIGs, with the newest release of each',
    input: listInput,
    answer: benchmarkListSchema,
    handle: async ({ input: { query } }) => {
      const matches = matcherOf(query.q)
      const products = (await findProducts(database.read)).filter(
        ({ newest }) =>
          (query.kind === undefined || newest.kind === query.kind) &&
          matches([newest.name, newest.title, newest.benchmarkId]),
      )
      return shapeList(products, query.sort)
    },
  })
}

function benchmark({ database }: Parts): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/benchmarks/{benchmark_id}.json',
    operation: 'getCatalogueBenchmark',
    summary: 'All releases of an SRG or STIG, the newest first',
    input: z.object({ params: z.object({ benchmark_id: benchmarkId }) }),
    answer: benchmarkSchema,
    handle: async ({ input: { params } }) => {
      const { newest, releases } = await findProduct(database.read, params.benchmark_id)
      return shapeBenchmark(newest, releases)
    },
  })
}

function release({ database: { read } }: Parts): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/benchmarks/{benchmark_id}/{version}.json',
    operation: 'getCatalogueRelease',
    summary: 'A release of an SRG or STIG, with all its rules',
    input: z.object({ params: releaseParams }),
    answer: releaseDetailSchema,
    handle: async ({ input: { params } }) => {
      const release = await findRelease(read, params.benchmark_id, params.version)
      return readWhole(read, release)
    },
  })
}

function rules({ database: { read } }: Parts): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/benchmarks/{benchmark_id}/{version}/rules.json',
    operation: 'listCatalogueRules',
    summary: 'The ids, titles and severities of the rules of a release',
    input: z.object({ params: releaseParams }),
    answer: ruleListSchema,
    handle: async ({ input: { params } }) =>
      readRuleList(read, await findRelease(read, params.benchmark_id, params.version)),
  })
}

const ontologyRelease = z.string().max(200).optional().meta({
  description: 'The release of the ontology that the links are from; by default the one that is active',
})

function rule({ database: { read }, links }: OpenCatalogueParts): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: '/api/catalogue/benchmarks/{benchmark_id}/{version}/rules/{rule}.json',
    operation: 'getCatalogueRule',
    summary: 'A rule with its texts, the definitions of its CCIs, and the techniques that they lead to',
    input: z.object({
      params: releaseParams.extend({ rule: ruleName }),
      query: z.object({ release: ontologyRelease }),
    }),
    answer: ruleDetailSchema,
    refusals: ['not_found', 'release_not_found', 'release_unusable'],
    handle: async ({ input: { params, query } }) => {
      const release = await findRelease(read, params.benchmark_id, params.version)
      const storedRule = await findNamedRule(read, release.release, params.rule)
      const sources = { reader: read, links: await links.of(query.release ?? null), cciList: await findCciList(read) }
      return readRuleDetail(release, storedRule, sources)
    },
  })
}

function feedEndpoint({ database, baseUrl }: Parts): Endpoint {
  return endpoint({
    ...COMMON_PARTS,
    path: FEED_ADDRESS,
    operation: 'getCatalogueFeed',
    summary: 'The newest releases of SRGs and STIGs as an Atom feed',
    refusals: [],
    input: NO_INPUT,
    answer: DOCUMENT,
    mediaTypes: [FEED_TYPE],
    handle: async () => ({
      mediaType: `${FEED_TYPE}; charset=utf-8`,
      fileName: null,
      body: benchmarkFeed(await listReleases(database.read), baseUrl),
    }),
  })
}
