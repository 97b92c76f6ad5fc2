import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'
import { Refusal } from '../../../platform/errors.ts'

/** What the library says of answers that came, and that do not hold. */
const UNACCEPTABLE = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_UNSUPPORTED_OPERATION',
])

/** The provider does not know this service, whoever the person is (RFC 6749, 5.2). */
const MISCONFIGURED = new Set(['invalid_client', 'unauthorized_client'])

/** Why an answer was not turned into an identity: the answer is bad, or the provider is. */
export function refuseExchange(error: unknown): Refusal {
  if (error instanceof AuthorizationResponseError)
    return refused(`The identity provider did not sign you in${labelled(error.error)}.`)
  if (error instanceof ResponseBodyError && isAboutThePerson(error))
    return refused(`The identity provider does not accept its own answer${labelled(error.error)}.`)
  if (error instanceof ClientError && UNACCEPTABLE.has(error.code ?? ''))
    return refused(`The answer does not belong to this sign-in${labelled(error.code)}.`)
  return unavailable(error)
}

/** The provider cannot be reached, is not set up for this service, or breaks the protocol. */
export function unavailable(error: unknown): Refusal {
  const turnedAway =
    error instanceof WWWAuthenticateChallengeError ||
    (error instanceof ResponseBodyError && MISCONFIGURED.has(error.error))
  const problem = turnedAway ? 'does not accept this service' : 'does not answer as it should'
  const detail = `The identity provider ${problem}${labelled(codeOf(error))}.`
  return new Refusal('identity_provider_unavailable', detail)
}

/** Auth0, for one, says 403 to a bad code. */
function isAboutThePerson({ status, error }: ResponseBodyError): boolean {
  return status < 500 && status !== 429 && !MISCONFIGURED.has(error)
}

function refused(detail: string): Refusal {
  return new Refusal('identity_provider_refused', detail)
}

/** Only what looks like a code is repeated: the caller may have written it. */
function labelled(code: unknown): string {
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? ` (${code})` : ''
}

/** The code nearest to the surface: the library wraps faults of the network. */
function codeOf(error: unknown): unknown {
  if (error instanceof ResponseBodyError) return error.error
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}
