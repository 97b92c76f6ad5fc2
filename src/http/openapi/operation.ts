import { z } from 'zod'
import { DOCUMENT, EVENTS, REDIRECTION } from '../answer/answers.ts'
import type { EndpointDescription } from '../endpoint.ts'
import { schemaRef, toJsonSchema, type Json } from './json-schema.ts'
import { describeRefusals, isWrite } from './refusals.ts'

const SECURITY = {
  none: [],
  any: [{ session: [] }, { token: [] }],
  session: [{ session: [] }],
  optional: [{}, { session: [] }, { token: [] }],
}

/** The input and answer schemas of an operation, by their names in the document. */
export function schemasOf({ operation: name, input, ...endpoint }: EndpointDescription): readonly NamedSchema[] {
  const { body } = input.shape
  const request: readonly NamedSchema[] = body === undefined ? [] : [[schemaName(name, 'Request'), body]]
  const answer = isJson(endpoint.answer) ? endpoint.answer : endpoint.page
  if (answer === undefined) return request
  return [...request, [endpoint.answerName ?? schemaName(name, 'Answer'), answer]]
}

function isJson(answer: z.ZodType): boolean {
  return answer !== REDIRECTION && answer !== DOCUMENT && answer !== EVENTS
}

type NamedSchema = readonly [string, z.ZodType]

/** One operation of the document; the second and further methods of an endpoint are its aliases. */
export function describeOperation(endpoint: EndpointDescription, index: number): Json {
  const { params, query, body } = endpoint.input.shape
  return {
    operationId: index === 0 ? endpoint.operation : `${endpoint.operation}_${index + 1}`,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: `Who may: ${endpoint.access.rule}.`,
    security: SECURITY[endpoint.access.authentication],
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query'), ...headersOf(endpoint)],
    ...(body !== undefined && {
      requestBody: { required: !body.safeParse(undefined).success, content: requestOf(endpoint) },
    }),
    responses: { ...describeSuccess(endpoint), ...describeRefusals(endpoint) },
  }
}

const CSRF = header('X-CSRF-Token', 'With a session: the token from GET /api/auth/csrf')
const IF_MATCH = header('If-Match', 'The ETag of the version that the change is based on')
const RANGE = {
  ...header('Range', 'One part of the file; for several parts, the whole file is sent'),
  example: 'bytes=0-1023',
}
const IF_RANGE = header('If-Range', 'The ETag of the file; if it differs, the whole file is sent')

function header(name: string, description: string): Json {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } }
}

/** Header parameters besides the input. */
function headersOf(endpoint: EndpointDescription): readonly Json[] {
  if (endpoint.ranged === true) return [RANGE, IF_RANGE]
  if (!isWrite(endpoint)) return []
  return [
    ...(endpoint.access.authentication === 'none' ? [] : [CSRF]),
    ...(endpoint.headers?.includes('ETag') === true ? [IF_MATCH] : []),
  ]
}

function describeSuccess(endpoint: EndpointDescription): Json {
  const { summary: description, answer } = endpoint
  if (answer === REDIRECTION) return { '303': { description, headers: LOCATION } }
  const { headers, held } = validatorHeaders(endpoint)
  if (!isJson(answer) && endpoint.published !== true)
    return { '200': { description, ...document(endpoint, headers) }, ...held }
  const content = {
    ...(isJson(answer) && json(endpoint, 'Answer')),
    ...documents(endpoint.mediaTypes ?? []),
  }
  if (endpoint.published === true) return publishedOperation(endpoint, { description, content })
  const later = {
    description: 'Accepted; Location is where to follow it',
    headers: LOCATION,
    content,
  }
  const status = endpoint.created === true ? '201' : '200'
  return {
    [status]: { description, headers, content },
    ...held,
    ...(endpoint.later === true && { '202': later }),
  }
}

/** The headers of an answer, and the 304 for callers that have it. */
function validatorHeaders({ headers = [], revalidates }: EndpointDescription): Record<'headers' | 'held', Json> {
  const ownHeaders = Object.fromEntries(headers.map((name) => [name, HEADERS[name]]))
  if (revalidates !== true) return { headers: ownHeaders, held: {} }
  return { headers: { ...ownHeaders, ...VALIDATED }, held: { '304': UNCHANGED } }
}

function publishedOperation(endpoint: EndpointDescription, whole: Json): Json {
  const page = { '303': { description: 'Its page, for HTML', headers: LOCATION } }
  const answers = {
    '200': { ...whole, headers: ETAG_HEADER },
    ...(endpoint.hasPage === true && page),
    '304': UNCHANGED,
  }
  if (endpoint.ranged !== true) return answers
  return { ...answers, '206': { ...whole, description: 'A part of it', headers: PARTIAL } }
}

/** A file, or a stream of events that may also be available as JSON. */
function document(endpoint: EndpointDescription, headers: Json): Json {
  const { answer, mediaTypes = ['text/event-stream'] } = endpoint
  const content = documents(mediaTypes)
  const page = endpoint.page === undefined ? {} : json(endpoint, 'Answer')
  const file = answer === DOCUMENT ? { 'Content-Disposition': DISPOSITION } : {}
  return { headers: { ...headers, ...file }, content: { ...content, ...page } }
}

function documents(mediaTypes: readonly string[]): Json {
  return Object.fromEntries(mediaTypes.map((type) => [type, { schema: schemaFor(type) }]))
}

function schemaFor(mediaType: string): Json {
  // Expanded JSON-LD is an array.
  if (mediaType === 'application/ld+json') return { type: ['object', 'array'] }
  if (/[/+]json$/.test(mediaType)) return { type: 'object' }
  return /^text\/|[/+]xml$/.test(mediaType) ? TEXT : FILE
}

const TEXT = { type: 'string' }

const DISPOSITION = { description: 'The name of the file, for downloads', schema: TEXT }

const HEADERS = {
  ETag: { description: 'The version, for If-Match', schema: TEXT },
  'X-CSRF-Token': { description: 'The CSRF token, for writes by this session', schema: TEXT },
  'X-Session-Ends-In': {
    description: 'In how many seconds the session ends unless it is used again; every answer by session has it',
    schema: { type: 'integer' },
  },
}

const VALIDATED = { ETag: { description: 'Strong', schema: TEXT } }

const ETAG_HEADER = { ETag: { description: 'Strong, per content coding', schema: TEXT } }

const PARTIAL = {
  ...ETAG_HEADER,
  'Content-Range': { description: 'Which part, and of how many bytes', schema: TEXT },
}

const UNCHANGED = {
  description: 'Not modified: the caller already has this answer (If-None-Match)',
  headers: ETAG_HEADER,
}

const LOCATION = { Location: { description: 'Address of the redirect', schema: TEXT } }

/** The body of a request; a form has a file and other values. */
function requestOf(endpoint: EndpointDescription): Json {
  const { requestTypes } = endpoint
  if (requestTypes !== undefined) {
    const form = { schema: schemaRef(schemaName(endpoint.operation, 'Request')) }
    return Object.fromEntries(requestTypes.map((type) => [type, type === FORM_TYPE ? form : { schema: TEXT }]))
  }
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

const FORM_TYPE = 'application/x-www-form-urlencoded'

const FILE = { type: 'string', contentMediaType: 'application/octet-stream' }

function json({ operation: name, answerName }: EndpointDescription, kind: 'Request' | 'Answer'): Json {
  const statedName = kind === 'Answer' ? answerName : undefined
  return { 'application/json': { schema: schemaRef(statedName ?? schemaName(name, kind)) } }
}

const objectSchema = z.looseObject({
  properties: z
    .record(
      z.string(),
      z.looseObject({
        description: z.string().optional(),
        example: z.string().optional(),
        'x-forgiving': z.boolean().optional(),
      }),
    )
    .default({}),
  required: z.array(z.string()).default([]),
})

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): readonly Json[] {
  if (schema === undefined) return []
  const { properties, required } = objectSchema.parse(toJsonSchema(schema))
  return Object.entries(properties).map(([name, property]) => {
    const { description, example, 'x-forgiving': forgiving, ...type } = property
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      ...(example !== undefined && { example }),
      ...(forgiving !== undefined && { 'x-forgiving': forgiving }),
      schema: type,
    }
  })
}

function schemaName(operationName: string, kind: 'Request' | 'Answer'): string {
  return `${operationName.charAt(0).toUpperCase()}${operationName.slice(1)}${kind}`
}
