import { z } from 'zod'
import { everyone } from '../http/access.ts'
import { DOCUMENT } from '../http/answer/answers.ts'
import type { EndpointDescription } from '../http/endpoint.ts'
import type { RefusalCode } from '../platform/errors.ts'
import { QUERY_TYPES } from './formats.ts'

const REFUSALS: readonly RefusalCode[] = [
  'bad_host',
  'parameter_invalid',
  'parameter_missing',
  'not_acceptable',
  'query_malformed',
  'query_not_supported',
  'query_too_slow',
  'query_too_demanding',
  'answer_too_large',
  'graph_not_found',
  'graphs_not_ready',
  'rate_limited',
  'overloaded',
  'answer_abandoned',
  'shutting_down',
  'body_too_large',
  'unsupported_media_type',
  'engine_unavailable',
]

const graphs = z.union([z.string(), z.array(z.string())]).optional()
const parameters = {
  'default-graph-uri': graphs.meta({ description: 'In place of FROM; may be repeated' }),
  'named-graph-uri': graphs.meta({ description: 'In place of FROM NAMED; may be repeated' }),
  timeout: z
    .string()
    .optional()
    .meta({ description: 'Seconds, less than the limit; also as the header Query-Timeout' }),
}

const COMMON_PARTS = {
  path: '/sparql',
  tag: 'SPARQL',
  access: everyone,
  answer: DOCUMENT,
  mediaTypes: QUERY_TYPES,
  refusals: REFUSALS,
} as const

/** The SPARQL 1.1 Protocol, for the OpenAPI document; `routes.ts` answers it. */
export const sparqlEndpoints: readonly EndpointDescription[] = [
  {
    ...COMMON_PARTS,
    // Browsers get the page with the query form, also with a query.
    mediaTypes: [...QUERY_TYPES, 'text/html'],
    methods: ['get'],
    operation: 'query',
    summary: 'Answer a SPARQL query; without one, describe the endpoint',
    input: z.object({
      query: z.object({
        query: z
          .string()
          .optional()
          .meta({ description: 'SELECT, ASK, CONSTRUCT or DESCRIBE', example: 'ASK { ?s ?p ?o }' }),
        ...parameters,
      }),
    }),
  },
  {
    ...COMMON_PARTS,
    methods: ['post'],
    operation: 'queryByPost',
    summary: 'Answer a SPARQL query that is sent as a form or directly',
    input: z.object({
      query: z.object(parameters),
      body: z.object({ query: z.string(), ...parameters }),
    }),
    requestTypes: ['application/x-www-form-urlencoded', 'application/sparql-query'],
  },
]
