import type { Caller } from '../../http/caller.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { HOW_TO_AUTHENTICATE, notAuthenticated, refuseTokens } from '../../http/refusals.ts'
import type { RawRequest } from '../../http/request.ts'
import { networkOf } from '../../http/server/limit.ts'
import type { Session } from '../../http/session.ts'
import type { Reader } from '../database/transaction.ts'
import { requireConsent } from '../identity/consent/accept.ts'
import { setupRequired } from '../identity/second-factor/refusals.ts'
import { secondFactorState, stepMissing, type SecondFactorRule } from '../identity/second-factor/state.ts'
import { checkCsrfToken } from '../identity/sessions/csrf.ts'
import { logFailure } from '../identity/sign-in/failures.ts'
import { authenticateToken, isTokenHeader, rawTokenOf } from '../identity/tokens/authenticate.ts'
import { firstProvider } from '../identity/users/provider.ts'
import type { GuidanceService } from './service.ts'

const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

interface IncomingRequest extends Pick<RawRequest, 'session' | 'address' | 'header'> {
  readonly method: string
}

type AuthenticationParts = Pick<GuidanceService, 'database' | 'settings' | 'keys' | 'limits' | 'log'>

/**
 * Returns the caller; null if the endpoint needs none. The caller must have accepted the terms of use, if there are any,
 * and have a second factor, if one is required. A request with a token never falls back to the session, even if the token
 * is invalid.
 */
export async function authenticate(
  parts: AuthenticationParts,
  endpoint: Endpoint,
  request: IncomingRequest,
): Promise<Caller | null> {
  const identified = await identify(parts, endpoint, request)
  if (identified === null) return null
  const { caller, needsSetup } = identified
  if (endpoint.beforeConsent !== true) await requireConsent(parts, caller, request.session)
  if (needsSetup && endpoint.beforeSecondFactor !== true)
    throw setupRequired(
      'A second factor is required here. Set it up first: POST /users/second_factors/totp or …/passkey.',
    )
  return caller
}

interface IdentifiedCaller {
  readonly caller: Caller
  /** Whether a required second factor has not been set up. */
  readonly needsSetup: boolean
}

async function identify(
  parts: AuthenticationParts,
  { access, readsOnly }: Endpoint,
  { method, header, address, session }: IncomingRequest,
): Promise<IdentifiedCaller | null> {
  const rule = parts.settings.secondFactor
  if (access.authentication === 'none') return null
  const authorization = header('Authorization')
  if (parts.settings.tokensEnabled && isTokenHeader(authorization)) {
    await parts.limits.tokenRequests.count(networkOf(address))
    const raw = rawTokenOf(authorization)
    const token = { raw, method: readsOnly === true ? 'GET' : method, address, rule }
    const attempt = { method: 'token', address, findAccount: () => Promise.resolve(null) } as const
    const caller = await logFailure(parts, attempt, () => authenticateToken(parts.database, parts.keys.token, token))
    if (access.authentication !== 'session') return { caller, needsSetup: false }
    const detail = 'A token cannot do this: sign in instead.'
    throw refuseTokens('session_authentication_required', detail)
  }
  if (access.authentication === 'optional' && isAnonymous(session)) return null
  const identified = await authenticateSession(parts.database.read, session, rule)
  if (!READ_METHODS.has(method)) checkCsrfToken(session, header('X-CSRF-Token'))
  return identified
}

function isAnonymous({ data, recordId, timedOut }: Session): boolean {
  return data.userId === undefined || recordId === null || timedOut
}

async function authenticateSession(
  reader: Reader,
  session: Session,
  rule: SecondFactorRule,
): Promise<IdentifiedCaller> {
  const { userId } = session.data
  if (userId === undefined || session.recordId === null) throw notAuthenticated()
  if (session.timedOut) {
    const detail = 'The session has timed out. Sign in again.'
    throw refuseTokens('session_timed_out', detail, HOW_TO_AUTHENTICATE)
  }
  const user = await reader
    .selectFrom('users')
    .select(['id', 'name', 'email', 'admin', 'locked_by', firstProvider.as('provider')])
    .select(secondFactorState(rule).as('state'))
    .where('id', '=', userId)
    .executeTakeFirst()
  if (user === undefined || user.locked_by === 'administrator') throw notAuthenticated()
  const missingStep = stepMissing(user.state, session.data)
  // The session is older than the second factor.
  if (missingStep === 'sign-in') throw notAuthenticated()
  const { id, name, email, admin, provider } = user
  const via = { kind: 'session', id: session.recordId } as const
  const caller = { id, name, email, admin: admin === 1, provider, via }
  return { caller, needsSetup: missingStep === 'setup' }
}
