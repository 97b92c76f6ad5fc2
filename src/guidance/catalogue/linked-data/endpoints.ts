import { z } from 'zod'
import { CCI_RELATIONS } from '../../../contracts/relations.ts'
import { contentTypeOf } from '../../../graph/syntax/forms.ts'
import { everyone } from '../../../http/access.ts'
import { DOCUMENT } from '../../../http/answer/answers.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { clampedInteger, idParams, listOf, NO_INPUT, notFound } from '../../../http/input.ts'
import type { Database } from '../../database/database.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import { listReleases } from '../benchmarks/releases.ts'
import { countermeasuresSchema, findCountermeasures } from './countermeasures/countermeasures.ts'
import type { OntologyLinks } from './countermeasures/ontology-links.ts'
import { findTechniqueGuidance, techniqueGuidanceSchema } from './countermeasures/technique-guidance.ts'
import { countTechniqueRules, techniqueRuleCountsSchema } from './countermeasures/technique-rule-counts.ts'
import type { CatalogueGraph } from './graph/catalogue-graph.ts'
import { acceptedForm, FORM_TYPES, represent } from './resources/representation.ts'
import { resourceEndpoints } from './resources/resource-endpoints.ts'

const TAG = 'Linked data'
const DEFAULT_PER_PAGE = 100
const MAX_PER_PAGE = 500
const MAX_PAGE = 1_000_000_000

const perPage = { min: 1, max: MAX_PER_PAGE, default: DEFAULT_PER_PAGE, invalid: DEFAULT_PER_PAGE }
const release = z.string().max(200).optional().meta({
  description: 'The release of the ontology that answers; by default the one that is active',
})
const guidanceInput = z.object({
  params: z.object({
    technique: z.string().meta({ description: 'd3f:AccountLocking, AccountLocking, D3-AL, or the full IRI' }),
  }),
  query: z.object({
    page: clampedInteger({ min: 1, max: MAX_PAGE, default: 1, invalid: 1 }),
    per_page: clampedInteger(perPage),
    releases: z
      .enum(['latest', 'all'])
      .default('latest')
      .meta({ description: 'Only the newest release of each product, or all releases' }),
    relation: listOf(z.enum(CCI_RELATIONS), { maxLength: 100, maxItems: CCI_RELATIONS.length }).meta({
      description: 'Relations of a CCI to the technique that count; by default all',
    }),
    release,
  }),
})

interface LinkedDataParts {
  readonly graph: CatalogueGraph
  readonly links: OntologyLinks
  readonly database: Pick<Database, 'read'>
}

/** Links between benchmarks and the ontology, and the resources behind the IRIs of the graph. */
export function linkedDataEndpoints(parts: LinkedDataParts): readonly Endpoint[] {
  return [
    countermeasures(parts, 'stig'),
    countermeasures(parts, 'srg'),
    techniqueGuidance(parts),
    techniqueRuleCounts(parts),
    vocabulary(parts),
    ...resourceEndpoints(parts.graph, parts.database.read),
  ]
}

function countermeasures(
  { graph: { iris }, links, database: { read } }: LinkedDataParts,
  kind: BenchmarkKind,
): Endpoint {
  return endpoint({
    method: 'get',
    path: `/api/${kind}s/{id}/countermeasures.json`,
    operation: kind === 'stig' ? 'getStigCountermeasures' : 'getSrgCountermeasures',
    tag: TAG,
    summary: `The rules of ${kind === 'stig' ? 'a STIG' : 'an SRG'} that reach defensive techniques, and how`,
    access: everyone,
    open: true,
    input: z.object({ params: idParams, query: z.object({ release }) }),
    answer: countermeasuresSchema,
    refusals: ['release_not_found', 'release_unusable'],
    revalidates: true,
    handle: async ({ input: { params, query } }) => {
      const benchmark = (await listReleases(read)).find(({ id }) => id === params.id)
      if (benchmark?.kind !== kind) throw notFound()
      const ontology = await links.of(query.release ?? null)
      return findCountermeasures(read, { iris, ontology }, benchmark)
    },
  })
}

function techniqueGuidance({ graph: { iris }, links, database: { read } }: LinkedDataParts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/technique/{technique}/guidance.json',
    operation: 'getTechniqueGuidance',
    tag: TAG,
    summary: 'The rules of all benchmarks that reach a technique, and how',
    access: everyone,
    open: true,
    input: guidanceInput,
    answer: techniqueGuidanceSchema,
    refusals: ['no_release', 'release_not_found', 'release_unusable'],
    revalidates: true,
    handle: async ({ input: { params, query } }) => {
      const { page, per_page, releases, relation: relations } = query
      const request = { technique: params.technique, page, perPage: per_page, releases, relations }
      const catalogue = {
        iris,
        ontology: await links.of(query.release ?? null),
        releases: await listReleases(read),
      }
      return findTechniqueGuidance(read, catalogue, request)
    },
  })
}

function techniqueRuleCounts({ links, database: { read } }: LinkedDataParts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/techniques/rule-counts.json',
    operation: 'listTechniqueRuleCounts',
    tag: TAG,
    summary: 'The number of rules of the newest releases that reach each technique',
    access: everyone,
    open: true,
    input: z.object({ query: z.object({ release }) }),
    answer: techniqueRuleCountsSchema,
    refusals: ['no_release', 'release_not_found', 'release_unusable'],
    revalidates: true,
    handle: async ({ input: { query } }) => {
      const ontology = await links.of(query.release ?? null)
      return countTechniqueRules(read, { ontology, releases: await listReleases(read) })
    },
  })
}

function vocabulary({ graph: { iris } }: LinkedDataParts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/ns/guidance',
    operation: 'getGuidanceVocabulary',
    tag: TAG,
    summary: 'The vocabulary of the guidance in RDF',
    access: everyone,
    open: true,
    input: NO_INPUT,
    answer: DOCUMENT,
    mediaTypes: FORM_TYPES,
    revalidates: true,
    handle: async (request) => {
      const form = acceptedForm(request, 'turtle')
      // Loaded on demand: it is rarely requested, and loads an RDF store.
      const { vocabularyStatements, vocabularyTurtle } = await import('./resources/vocabulary.ts')
      const document =
        form === 'turtle'
          ? { mediaType: contentTypeOf(form), body: vocabularyTurtle(iris) }
          : represent(await vocabularyStatements(iris), { form, iris })
      return { ...document, fileName: null }
    },
  })
}
