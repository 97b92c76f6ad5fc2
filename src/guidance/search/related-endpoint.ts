import { z } from 'zod'
import type { RelatedSearch } from '../../contracts/related.ts'
import { everyone } from '../../http/access.ts'
import { endpoint, type Endpoint } from '../../http/endpoint.ts'
import { clampedInteger } from '../../http/input.ts'
import { Refusal } from '../../platform/errors.ts'
import { ontologySchema } from '../catalogue/linked-data/countermeasures/links.ts'
import { irisOf, type Iris } from '../catalogue/linked-data/graph/iris.ts'
import type { Database } from '../database/database.ts'
import type { GuidanceSearch } from './global-catalogue.ts'
import { relatedSchemas, shapeRelated } from './related-shape.ts'
import { ruleSource } from './related-source.ts'

const DEFAULT_PER_PAGE = 50
const MAX_PER_PAGE = 200
const MAX_PAGE = 1_000_000_000
/** Longer than any IRI that this service makes or the ontology has. */
const MAX_IRI_LENGTH = 2000

interface RelatedParts {
  readonly database: Database
  readonly baseUrl: string
  /** Null where there is no ontology. */
  readonly related: RelatedSearch | null
  readonly search: Pick<GuidanceSearch, 'findMatches' | 'similarity'>
}

const perPage = { min: 1, max: MAX_PER_PAGE, default: DEFAULT_PER_PAGE, invalid: DEFAULT_PER_PAGE }

const relatedQuery = z
  .object({
    iri: z.string().max(MAX_IRI_LENGTH).optional().meta({
      description:
        'The IRI of a record of the ontology, of a rule of a benchmark or of a CCI; or a name such as d3f:AccountLocking, D3-AL, T1110, CWE-79, CCI-000015, AC-2(1)',
    }),
    page: clampedInteger({ min: 1, max: MAX_PAGE, default: 1, invalid: 1 }),
    per_page: clampedInteger(perPage),
    releases: z
      .enum(['latest', 'all'])
      .default('latest')
      .meta({ description: 'Only the newest release of each product, or all releases' }),
  })
  .meta({ required: ['iri'] })

/** `GET /api/related?iri=`: what is linked to a record of the ontology or a rule, and how. */
export function relatedEndpoint({ database, baseUrl, related, search }: RelatedParts): Endpoint {
  const iris = irisOf(baseUrl)
  return endpoint({
    method: 'get',
    path: '/api/related',
    operation: 'findRelated',
    tag: 'Search',
    summary: 'The techniques, attacks, weaknesses and rules linked to a record, with the paths',
    refusals: ['subject_not_found', 'parameter_missing', 'no_release'],
    access: everyone,
    open: true,
    input: z.object({ query: relatedQuery }),
    answer: z.object({ ...relatedSchemas, ontology: ontologySchema }),
    handle: async ({ input: { query } }) => {
      const { iri, page, per_page, releases } = query
      if (iri === undefined || iri.trim() === '')
        throw new Refusal('parameter_missing', 'The query needs "iri".', { parameter: 'iri' })
      if (related === null) throw new Refusal('no_release', 'No ontology is loaded.')
      const rules = ruleSource({ reader: database.read, search, iris, releases })
      const answer = await related.find(rules, { subject: spelling(iris, iri.trim()), page, perPage: per_page })
      return shapeRelated(iris, answer, { page, per_page })
    },
  })
}

/** The id for an IRI of a CCI of this service; any other IRI unchanged. */
function spelling(iris: Iris, subject: string): string {
  const before = iris.cci('')
  return subject.startsWith(before) ? subject.slice(before.length) : subject
}
