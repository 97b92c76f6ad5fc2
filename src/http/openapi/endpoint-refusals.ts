import { z } from 'zod'
import type { RefusalCode } from '../../platform/errors.ts'
import type { Endpoint } from '../endpoint.ts'
import { toJsonSchema, type Json } from './document.ts'
import { FAULT, refusalResponses } from './refusals.ts'

/** What an operation may be refused for: what follows from its data, and what it says of itself. */
export function describeRefusals(endpoint: Endpoint): Json {
  const codes = RULES.flatMap(([holds, those]) => (holds(endpoint) ? those : []))
  const others = codes.filter(
    (code) => code !== 'consent_required' || endpoint.beforeConsent !== true,
  )
  return { ...refusalResponses([...others, ...(endpoint.refusals ?? [])]), ...FAULT }
}

type Rule = readonly [(endpoint: Endpoint) => boolean, readonly RefusalCode[]]

const JSON_LD = 'application/ld+json'

/** What is done for all endpoints, by what makes it happen. */
const RULES: readonly Rule[] = [
  [({ input }) => 'query' in input.shape, ['parameter_invalid']],
  [({ path }) => path.includes('{'), ['bad_path', 'not_found']],
  [
    ({ input }) => 'body' in input.shape,
    [
      ...(['malformed_json', 'parameter_missing', 'parameter_invalid', 'body_too_large'] as const),
      ...(['unsupported_media_type', 'validation_failed'] as const),
    ],
  ],
  [
    ({ upload = false }) => upload !== false,
    [
      ...(['parameter_missing', 'parameter_invalid', 'unsupported_media_type'] as const),
      ...(['empty_file', 'too_large', 'unsupported_file_type', 'validation_failed'] as const),
      ...(['reading_too_long', 'overloaded'] as const),
    ],
  ],
  [
    ({ access }) => access.authentication !== 'none',
    [
      ...(['not_authenticated', 'invalid_token', 'session_timed_out'] as const),
      ...(['permission_denied', 'ip_not_allowed', 'insufficient_token_scope'] as const),
      ...(['consent_required', 'rate_limited'] as const),
    ],
  ],
  [({ access }) => access.authentication === 'session', ['session_authentication_required']],
  [
    (endpoint) => isWrite(endpoint) && endpoint.access.authentication !== 'none',
    ['invalid_csrf_token'],
  ],
  [({ failure }) => failure !== undefined, ['validation_failed']],
  [({ limited = false }) => limited !== false, ['rate_limited']],
  [isWrite, ['storage_full', 'storage_unwritable']],
  [isVersioned, ['edit_conflict']],
  [({ mediaTypes = [] }) => mediaTypes.includes(JSON_LD), ['not_acceptable']],
  [() => true, ['bad_host', 'database_unavailable']],
]

export function isWrite({ methods }: Pick<Endpoint, 'methods'>): boolean {
  return !methods.includes('get')
}

/** Whether an edit may say which version it is based on. */
function isVersioned(endpoint: Endpoint): boolean {
  const { body } = endpoint.input.shape
  return isWrite(endpoint) && body !== undefined && hasMember(toJsonSchema(body), 'lock_version')
}

const schema = z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}) })

function hasMember(described: unknown, name: string): boolean {
  const { properties } = schema.parse(described)
  return name in properties || Object.values(properties).some((one) => hasMember(one, name))
}
