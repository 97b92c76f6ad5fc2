import { z } from 'zod'
import { bySession, everyone, signedIn } from '../../../http/access.ts'
import { endpoint, type EndpointCall, type Endpoint } from '../../../http/endpoint.ts'
import { NO_INPUT } from '../../../http/input.ts'
import type { SessionContent } from '../../../http/session.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { Parts } from '../../parts/parts.ts'
import { recordConsent } from '../consent/accept.ts'
import { beginSecondStep } from '../second-factor/pending.ts'
import { findCurrentUser } from '../users/reader.ts'
import { currentUser, type CurrentUser } from '../users/schemas.ts'
import { logFailure, findAccountOfAddress } from './failures.ts'
import { spellingOf } from './guesses.ts'
import { invalidCredentials, type LocalSignIn } from './sign-in.ts'

const TAG = 'Authentication'

/** Signing in with a local password, and signing out. */
export function accountEndpoints(parts: Parts, local: LocalSignIn): readonly Endpoint[] {
  return [me, csrf, login(parts, local), logout]
}

const me = endpoint({
  method: 'get',
  path: '/api/auth/me',
  operation: 'getCurrentUser',
  tag: TAG,
  summary: 'Who is signed in',
  headers: ['X-CSRF-Token', 'X-Session-Ends-In'],
  access: signedIn,
  beforeConsent: true,
  beforeSecondFactor: true,
  input: NO_INPUT,
  answer: currentUser,
  handle: ({ grant: { caller }, session, setHeader }) => {
    if (caller.via.kind === 'session') setHeader('X-CSRF-Token', session.csrfToken)
    const { id, name, email, admin, provider } = caller
    return Promise.resolve({ id, name, email, admin, provider })
  },
})

const csrf = endpoint({
  method: 'get',
  path: '/api/auth/csrf',
  operation: 'getCsrfToken',
  tag: TAG,
  summary: 'The CSRF token of this session, which writes send in X-CSRF-Token',
  access: everyone,
  input: NO_INPUT,
  answer: z.object({ csrf_token: z.string() }),
  handle: ({ session }) => Promise.resolve({ csrf_token: session.csrfToken }),
})

const MAX_TEXT = 10_000
const PASSWORD = { type: 'string', format: 'password' } as const

/** Missing values and other types count as wrong credentials (docs/contract.md, Sessions). */
const credentials = z
  .object({
    email: z.unknown().optional().meta({ type: 'string', maxLength: MAX_TEXT }),
    password: z
      .unknown()
      .optional()
      .meta({ ...PASSWORD, maxLength: MAX_TEXT }),
  })
  .meta({ required: ['email', 'password'] })

const TEXT = z.string().max(MAX_TEXT)

function login(parts: Parts, local: LocalSignIn): Endpoint {
  return endpoint({
    method: 'post',
    path: '/api/auth/login',
    operation: 'signIn',
    tag: TAG,
    summary:
      'Sign in with a local password; answers with a session cookie and X-CSRF-Token, or asks for the second factor',
    refusals: [
      'invalid_credentials',
      'account_locked',
      'local_login_disabled',
      'second_factor_required',
      'insecure_transport',
    ],
    headers: ['X-CSRF-Token'],
    access: everyone,
    limited: true,
    keepsNoText: true,
    input: z.object({ body: credentials }),
    answer: currentUser,
    handle: async (context) => {
      if (!parts.settings.localLogin)
        throw new Refusal('local_login_disabled', 'Sign in with the single sign-on instead.')
      const { address, input } = context
      const findAccount = (): ReturnType<typeof findAccountOfAddress> => findAccountOfAddress(parts, input.body.email)
      const { user, needsFactor } = await logFailure(parts, { method: 'password', address, findAccount }, () =>
        signInLocally(parts, local, input.body),
      )
      await context.forgive()
      if (needsFactor) throw await beginSecondStep(parts.database.read, context.session, user)
      return beginSession(parts, context, { userId: user.id, provenAt: Date.now() })
    },
  })
}

async function signInLocally(
  { limits: { logins } }: Parts,
  local: LocalSignIn,
  request: z.infer<typeof credentials>,
): ReturnType<LocalSignIn['signIn']> {
  const email = TEXT.safeParse(request.email)
  const password = TEXT.safeParse(request.password)
  if (!email.success || !password.success) throw invalidCredentials()
  const key = `email ${spellingOf(email.data)}`
  await logins.count(key)
  const result = await local.signIn({ email: email.data.trim(), password: password.data })
  await logins.forgive(key)
  return result
}

const logout = endpoint({
  method: 'delete',
  path: '/api/auth/logout',
  operation: 'signOut',
  tag: TAG,
  summary: 'End this session',
  access: bySession,
  beforeConsent: true,
  beforeSecondFactor: true,
  input: NO_INPUT,
  answer: z.object({ message: z.string() }),
  handle: async ({ session }) => {
    await session.end()
    return { message: 'Signed out successfully' }
  },
})

interface NewSession extends Pick<SessionContent, 'twoStep' | 'byProvider'> {
  readonly userId: number
  /** The time of the authentication, here or at a provider (epoch ms). */
  readonly provenAt: number
}

/** Enough characters to recognise a browser. */
const MAX_USER_AGENT = 300

/** Begins a new session for a person who has authenticated. */
export async function beginSession(
  { database, settings, log }: Pick<Parts, 'database' | 'settings' | 'log'>,
  {
    session,
    address,
    header,
    setHeader,
  }: Pick<EndpointCall<null, null>, 'session' | 'address' | 'header' | 'setHeader'>,
  { userId, ...data }: NewSession,
): Promise<CurrentUser> {
  const user = await findCurrentUser(database.read, userId)
  const userAgent = header('User-Agent')?.slice(0, MAX_USER_AGENT) ?? null
  await session.signIn(userId, { ...data, from: { address, userAgent } })
  await recordConsent({ database, settings }, session)
  setHeader('X-CSRF-Token', session.csrfToken)
  log.info({ user: userId, address }, 'Signed in')
  return user
}
