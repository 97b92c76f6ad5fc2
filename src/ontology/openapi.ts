import { problemResponse, schemaRef, type Json, type OpenApiPart } from '../platform/openapi.ts'
import { RESPONSE_SCHEMAS } from './schemas.ts'
import { VIEWS } from './views/list.ts'
import { fullMappingsCsv } from './views/mapping/mapping.ts'
import type { View } from './views/view.ts'

const TAG = 'Ontology'

/** The ontology endpoints for the OpenAPI document, straight from the list of views. */
export function describeOntologyApi(): OpenApiPart {
  return {
    tags: [{ name: TAG, description: 'The published knowledge base. No account is needed.' }],
    paths: Object.fromEntries(VIEWS.map((view) => [view.path, { get: operation(view) }])),
    schemas: RESPONSE_SCHEMAS,
  }
}

function operation(view: View): Json {
  const record = view.kind === 'record'
  return {
    operationId: view.operation,
    tags: [TAG],
    summary: view.summary,
    ...(record && { parameters: [pathParameter(view.parameter)] }),
    responses: {
      '200': { description: view.summary, headers: ETAG, content: content(view) },
      '304': { description: 'The caller has this answer already (If-None-Match)' },
      ...(record && {
        '404': problemResponse('No such record; did_you_mean names the nearest'),
        '414': problemResponse('The identifier is too long'),
      }),
      '503': problemResponse('No release is open yet, or too many answers are being prepared'),
    },
  }
}

const ETAG = { ETag: { description: 'Strong, per content coding', schema: { type: 'string' } } }

function pathParameter({ name, description, example }: Json): Json {
  return { name, in: 'path', required: true, description, example, schema: { type: 'string' } }
}

function content(view: View): Json {
  const json = { 'application/json': { schema: schemaRef(view.responseType) } }
  return view === fullMappingsCsv ? { 'text/csv': { schema: { type: 'string' } }, ...json } : json
}
