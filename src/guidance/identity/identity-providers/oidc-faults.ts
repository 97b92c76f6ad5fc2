import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { Refusal } from '../../../platform/errors.ts'

/** Error codes of the library for invalid answers of a provider. */
const UNACCEPTABLE = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
])

/** The provider does not accept this service as a client, so nobody can sign in through it (RFC 6749, 5.2). */
const MISCONFIGURED = new Set(['invalid_client', 'unauthorized_client'])

/** The refusal of a failed exchange: either the answer or the provider is at fault. */
export function refuseExchange(error: unknown): Refusal {
  if (error instanceof AuthorizationResponseError)
    return refusedSignIn(`The identity provider did not sign you in${labelCode(error.error)}.`)
  if (error instanceof ResponseBodyError && isCodeRefused(error))
    return refusedSignIn(`The identity provider refuses to complete the sign-in${labelCode(error.error)}.`)
  if (error instanceof ClientError && UNACCEPTABLE.has(error.code ?? ''))
    return refusedSignIn(`The answer does not belong to this sign-in${labelCode(error.code)}.`)
  return unavailableRefusal(error)
}

/** The provider cannot be reached, is not set up for this service, or violates the protocol. */
export function unavailableRefusal(error: unknown): Refusal {
  const turnedAway =
    error instanceof WWWAuthenticateChallengeError ||
    (error instanceof ResponseBodyError && MISCONFIGURED.has(error.error))
  const problem = turnedAway ? 'does not accept this service' : 'sends an answer that cannot be used'
  const detail = `The identity provider ${problem}${labelCode(codeOf(error))}.`
  return new Refusal('identity_provider_unavailable', detail)
}

/**
 * Whether the provider refused the person's code, not the service. Some, such as Auth0, answer 403 to an invalid code.
 */
function isCodeRefused({ status, error }: ResponseBodyError): boolean {
  return status < 500 && status !== 429 && !MISCONFIGURED.has(error)
}

function refusedSignIn(detail: string): Refusal {
  return new Refusal('identity_provider_refused', detail)
}

/** Returns only well-formed error codes, because the text may come from the caller. */
function labelCode(code: unknown): string {
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? ` (${code})` : ''
}

/** Returns the outermost code, because the library wraps network errors. */
function codeOf(error: unknown): unknown {
  if (error instanceof ResponseBodyError) return error.error
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}
