import { z } from 'zod'
import {
  problemResponse,
  schemaRef,
  toJsonSchema,
  type Json,
  type OpenApiPart,
} from '../platform/openapi.ts'
import { DOCUMENT, EVENTS, REDIRECTION } from './answers.ts'
import type { Endpoint } from './endpoint.ts'
import type { GuidanceService } from './service.ts'

const SECURITY = {
  none: [],
  any: [{ session: [] }, { token: [] }],
  session: [{ session: [] }],
  optional: [{}, { session: [] }, { token: [] }],
}

type Described = Pick<GuidanceService, 'endpoints' | 'cookie'>

/** The guidance endpoints for the OpenAPI document, straight from the list that answers them. */
export function describeGuidanceApi({ endpoints, cookie }: Described): OpenApiPart {
  const paths: Record<string, Record<string, Json>> = {}
  for (const endpoint of endpoints)
    for (const [index, method] of endpoint.methods.entries())
      (paths[endpoint.path] ??= {})[method] = operation(endpoint, index)
  const tags = [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name }))
  const schemas = Object.fromEntries(endpoints.flatMap(schemasOf))
  return { tags, paths, schemas, securitySchemes: schemes(cookie) }
}

function schemasOf({ operation: name, input, ...endpoint }: Endpoint): readonly NamedSchema[] {
  const { body } = input.shape
  const request: readonly NamedSchema[] =
    body === undefined ? [] : [[schemaName(name, 'Request'), body]]
  const answer = isJson(endpoint.answer) ? endpoint.answer : endpoint.page
  return answer === undefined ? request : [...request, [schemaName(name, 'Answer'), answer]]
}

function isJson(answer: z.ZodType): boolean {
  return answer !== REDIRECTION && answer !== DOCUMENT && answer !== EVENTS
}

type NamedSchema = readonly [string, z.ZodType]

function operation(endpoint: Endpoint, index: number): Json {
  const { params, query, body } = endpoint.input.shape
  const write = endpoint.methods[0] !== 'get'
  return {
    operationId: index === 0 ? endpoint.operation : `${endpoint.operation}_${index + 1}`,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: `Who may: ${endpoint.access.rule}.`,
    security: SECURITY[endpoint.access.authentication],
    parameters: [
      ...parametersOf(params, 'path'),
      ...parametersOf(query, 'query'),
      ...(write && endpoint.access.authentication !== 'none' ? [CSRF] : []),
    ],
    ...(body !== undefined && {
      requestBody: { required: true, content: requestOf(endpoint) },
    }),
    responses: { ...success(endpoint), ...refusals(endpoint) },
  }
}

const CSRF = {
  name: 'X-CSRF-Token',
  in: 'header',
  required: false,
  description: 'With a session: the token from GET /api/auth/csrf',
  schema: { type: 'string' },
}

function success(endpoint: Endpoint): Json {
  const { summary: description, answer, mediaTypes = ['text/event-stream'] } = endpoint
  if (answer === REDIRECTION) return { '303': { description, headers: LOCATION } }
  if (isJson(answer)) {
    const content = json(endpoint, 'Answer')
    const later = { description: 'Under way; Location says where to look', content }
    const status = endpoint.created === true ? '201' : '200'
    return { [status]: { description, content }, ...(endpoint.upload === true && { '202': later }) }
  }
  const content = Object.fromEntries(mediaTypes.map((type) => [type, { schema: TEXT }]))
  const page = endpoint.page === undefined ? {} : json(endpoint, 'Answer')
  return { '200': { description, content: { ...content, ...page } } }
}

const TEXT = { type: 'string' }

const LOCATION = { Location: { description: 'Where to go on', schema: { type: 'string' } } }

/** A form has its file beside its other values. */
function requestOf(endpoint: Endpoint): Json {
  const file = { type: 'object', properties: { file: FILE }, required: ['file'] }
  if (endpoint.upload === 'optional')
    return {
      ...json(endpoint, 'Request'),
      'multipart/form-data': { schema: { ...file, additionalProperties: TEXT } },
    }
  if (endpoint.upload !== true) return json(endpoint, 'Request')
  const values = schemaRef(schemaName(endpoint.operation, 'Request'))
  return { 'multipart/form-data': { schema: { allOf: [file, values] } } }
}

const FILE = { type: 'string', contentMediaType: 'application/octet-stream' }

function json({ operation: name }: Endpoint, kind: 'Request' | 'Answer'): Json {
  return { 'application/json': { schema: schemaRef(schemaName(name, kind)) } }
}

function refusals({ access, input, limited }: Endpoint): Json {
  const { params, query, body } = input.shape
  const open = access.authentication === 'none'
  return {
    ...((query !== undefined || body !== undefined) && {
      '400': problemResponse('A parameter is missing or cannot be used'),
    }),
    ...(!open && {
      '401': problemResponse('Not signed in, or a token that does not work'),
      '403': problemResponse('Not allowed'),
    }),
    ...(params !== undefined && { '404': problemResponse('Not there, or not visible') }),
    ...(body !== undefined && {
      '413': problemResponse('The body is too large'),
      '415': problemResponse('The body is of another kind'),
      '422': problemResponse('The values cannot be accepted; errors names each'),
    }),
    ...(limited !== undefined && { '429': problemResponse('Too many requests') }),
    default: problemResponse('Refused for another reason; code says which'),
  }
}

const objectSchema = z.looseObject({
  properties: z
    .record(z.string(), z.looseObject({ description: z.string().optional() }))
    .default({}),
  required: z.array(z.string()).default([]),
})

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): readonly Json[] {
  if (schema === undefined) return []
  const { properties, required } = objectSchema.parse(toJsonSchema(schema))
  return Object.entries(properties).map(([name, { description, ...type }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: type,
  }))
}

function schemes(cookie: string): Json {
  return {
    session: { type: 'apiKey', in: 'cookie', name: cookie },
    token: {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      description: 'Token <ACCESS_TOKEN>',
    },
  }
}

function schemaName(operationName: string, kind: 'Request' | 'Answer'): string {
  return `${operationName.charAt(0).toUpperCase()}${operationName.slice(1)}${kind}`
}
