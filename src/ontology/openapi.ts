import { z } from 'zod'
import { schemaRef, type Json, type OpenApiPart } from '../http/openapi/document.ts'
import { FAULT, refusalResponses } from '../http/openapi/refusals.ts'
import { RESPONSE_SCHEMAS } from './schemas.ts'
import { JSON_PATHS, VIEWS } from './views/list.ts'
import type { View } from './views/view.ts'

const TAG = 'Ontology'

/** The ontology endpoints for the OpenAPI document, straight from the list of views. */
export function describeOntologyApi(): OpenApiPart {
  return {
    tags: [{ name: TAG, description: 'The published knowledge base. No account is needed.' }],
    paths: Object.fromEntries(
      VIEWS.flatMap((view) => [
        [view.path, { get: operation(view) }],
        [`/releases/{version}${view.path}`, { get: pinned(view) }],
      ]),
    ),
    schemas: RESPONSE_SCHEMAS,
  }
}

function operation(view: View): Json {
  const record = view.kind === 'record'
  return {
    operationId: view.operation,
    tags: [TAG],
    summary: view.summary,
    security: [],
    parameters: record ? [pathParameter(view.parameter)] : [],
    responses: {
      '200': { description: view.summary, headers: HEADERS, content: content(view) },
      '304': {
        description: 'The caller has this answer already (If-None-Match)',
        headers: HEADERS,
      },
      ...refusalResponses([...(record ? OF_RECORDS : []), ...OF_ALL]),
      ...FAULT,
    },
  }
}

/** The same of a release that is named; it never changes. */
function pinned(view: View): Json {
  const { operationId, parameters, responses, ...shared } = described.parse(operation(view))
  return {
    ...shared,
    operationId: `${operationId}OfRelease`,
    summary: `${view.summary}, as a release has it`,
    parameters: [pathParameter(VERSION), ...parameters],
    responses: {
      ...responses,
      ...refusalResponses([
        'release_not_found',
        ...(view.kind === 'record' ? OF_RECORDS : []),
        ...(['bad_host', 'bad_path'] as const),
      ]),
    },
  }
}

const described = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.unknown()),
  responses: z.looseObject({}),
})

const VERSION = { name: 'version', description: 'Of a release', example: '0.1.0-starter' }

const OF_ALL = [
  ...(['bad_host', 'not_acceptable', 'overloaded', 'answer_abandoned'] as const),
  ...(['no_release', 'release_unusable'] as const),
]
const OF_RECORDS = [
  ...(['bad_path', 'identifier_too_long'] as const),
  ...(['subject_not_found', 'unknown_prefix'] as const),
]

const HEADERS = { ETag: { description: 'Strong, per content coding', schema: { type: 'string' } } }

function pathParameter({ name, description, example }: Json): Json {
  return { name, in: 'path', required: true, description, example, schema: { type: 'string' } }
}

function content(view: View): Json {
  const json = { 'application/json': { schema: schemaRef(view.responseType) } }
  return JSON_PATHS.has(view.path) ? { 'text/csv': { schema: { type: 'string' } }, ...json } : json
}
