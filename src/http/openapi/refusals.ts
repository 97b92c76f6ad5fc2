import { z } from 'zod'
import { append } from '../../platform/append.ts'
import { REFUSALS, type RefusalCode } from '../../platform/errors.ts'
import { CHALLENGE } from '../answer/problem.ts'
import type { EndpointDescription } from '../endpoint.ts'
import { schemaRef, toJsonSchema, type Json } from './json-schema.ts'

/** The refusals of an operation: those that follow from its data, and those that it lists. */
export function describeRefusals(endpoint: EndpointDescription): Json {
  const { refusals = [], published } = endpoint
  if (published === true) return { ...refusalResponses(refusals), ...FAULT }
  const codes = RULES.flatMap(([holds, those]) => (holds(endpoint) ? those : []))
  const { beforeConsent, beforeSecondFactor } = endpoint
  const otherCodes = codes.filter(
    (code) =>
      (code !== 'consent_required' || beforeConsent !== true) &&
      (code !== 'second_factor_setup_required' || beforeSecondFactor !== true),
  )
  return withPage(endpoint, { ...refusalResponses([...otherCodes, ...refusals]), ...FAULT })
}

/** An endpoint that has a page for browsers answers 404 with a page as well. */
function withPage({ mediaTypes = [] }: EndpointDescription, { 404: missing, ...otherResponses }: Json): Json {
  if (missing === undefined) return otherResponses
  if (!mediaTypes.includes(PAGE)) return { ...otherResponses, 404: missing }
  const { content, ...response } = described.parse(missing)
  return { ...otherResponses, 404: { ...response, content: { ...content, [PAGE]: { schema: TEXT } } } }
}

const PAGE = 'text/html'
const TEXT = { type: 'string' }
const described = z.looseObject({ content: z.record(z.string(), z.unknown()) })

type RefusalRule = readonly [(endpoint: EndpointDescription) => boolean, readonly RefusalCode[]]

const JSON_LD = 'application/ld+json'

/** Refusals that all endpoints share, each with the condition for it. */
const RULES: readonly RefusalRule[] = [
  [({ input }) => 'query' in input.shape, ['parameter_invalid']],
  [({ path }) => path.includes('{'), ['bad_path', 'not_found']],
  [
    ({ input }) => 'body' in input.shape,
    [
      'malformed_json',
      'parameter_missing',
      'parameter_invalid',
      'body_too_large',
      'unsupported_media_type',
      'validation_failed',
    ],
  ],
  [
    ({ upload = false }) => upload !== false,
    [
      'parameter_missing',
      'parameter_invalid',
      'unsupported_media_type',
      'empty_file',
      'too_large',
      'unsupported_file_type',
      'validation_failed',
      'reading_too_long',
      'overloaded',
    ],
  ],
  [
    ({ access }) => access.authentication !== 'none',
    [
      'not_authenticated',
      'invalid_token',
      'session_timed_out',
      'permission_denied',
      'ip_not_allowed',
      'insufficient_token_scope',
      'consent_required',
      'second_factor_setup_required',
      'rate_limited',
    ],
  ],
  [({ access }) => access.authentication === 'session', ['session_authentication_required']],
  [(endpoint) => isWrite(endpoint) && endpoint.access.authentication !== 'none', ['invalid_csrf_token']],
  [({ failure }) => failure !== undefined, ['validation_failed']],
  [({ limited = false }) => limited !== false, ['rate_limited']],
  [isWrite, ['storage_full', 'storage_unwritable']],
  [isVersioned, ['edit_conflict']],
  [({ mediaTypes = [] }) => mediaTypes.includes(JSON_LD), ['not_acceptable']],
  [() => true, ['bad_host', 'database_unavailable']],
]

/** Whether an endpoint changes something. Endpoints with a body that is not JSON are queries. */
export function isWrite({ methods, requestTypes }: Pick<EndpointDescription, 'methods' | 'requestTypes'>): boolean {
  return !methods.includes('get') && requestTypes === undefined
}

/** Whether an edit may say which version it is based on. */
function isVersioned(endpoint: EndpointDescription): boolean {
  const { body } = endpoint.input.shape
  return isWrite(endpoint) && body !== undefined && hasMember(toJsonSchema(body), 'lock_version')
}

const schema = z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}) })

function hasMember(described: unknown, name: string): boolean {
  const { properties } = schema.parse(described)
  return name in properties || Object.values(properties).some((property) => hasMember(property, name))
}

/** The responses of refusals by their status, each with the codes that it may have (docs/errors.md). */
function refusalResponses(codes: Iterable<RefusalCode>): Json {
  const byStatus = new Map<number, RefusalCode[]>()
  for (const code of new Set(codes)) append(byStatus, REFUSALS[code].status, code)
  return Object.fromEntries([...byStatus].map(([status, those]) => [status, response(those, status)]))
}

/** A bug; its status is 500. */
const FAULT: Json = { default: problemResponse('The service failed; its log says why') }

function response(codes: readonly RefusalCode[], status: number): Json {
  return {
    ...problemResponse(codes.map((code) => `\`${code}\``).join(', ')),
    ...((status === 429 || status === 503) && { headers: RETRY_AFTER }),
    ...(status === 401 && { headers: WWW_AUTHENTICATE }),
  }
}

const WWW_AUTHENTICATE = {
  'WWW-Authenticate': {
    description: 'The scheme of personal access tokens (RFC 9110 §11.6.1)',
    schema: { type: 'string', const: CHALLENGE },
  },
}

const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 0 } },
}

function problemResponse(description: string): Json {
  return { description, content: { 'application/problem+json': { schema: schemaRef('Problem') } } }
}
