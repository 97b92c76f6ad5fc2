import { z } from 'zod'
import { Refusal } from '../../platform/errors.ts'
import { bySession, everyone, signedIn } from '../access.ts'
import { endpoint, type Asked, type Endpoint } from '../endpoint.ts'
import { NO_INPUT } from '../input.ts'
import type { Parts } from '../parts.ts'
import { findCurrentUser, shapeCaller } from '../users/reader.ts'
import { currentUser, type CurrentUser } from '../users/schemas.ts'
import { invalidCredentials, type LocalSignIn } from './sign-in.ts'

const TAG = 'Authentication'

/** Signing in with a local password, and the session. */
export function accountEndpoints(parts: Parts, local: LocalSignIn): readonly Endpoint[] {
  return [me, csrf, login(parts, local), logout]
}

const me = endpoint({
  method: 'get',
  path: '/api/auth/me',
  operation: 'getCurrentUser',
  tag: TAG,
  summary: 'Who is signed in',
  access: signedIn,
  input: NO_INPUT,
  answer: currentUser,
  handle: ({ grant: { caller }, session, setHeader }) => {
    if (caller.via.kind === 'session') setHeader('X-CSRF-Token', session.csrfToken)
    return Promise.resolve(shapeCaller(caller))
  },
})

const csrf = endpoint({
  method: 'get',
  path: '/api/auth/csrf',
  operation: 'getCsrfToken',
  tag: TAG,
  summary: 'The token that writes of this session send back in X-CSRF-Token',
  access: everyone,
  input: NO_INPUT,
  answer: z.object({ csrf_token: z.string() }),
  handle: ({ session }) => Promise.resolve({ csrf_token: session.csrfToken }),
})

/** Missing or odd values are wrong credentials like any others (contract §19). */
const credentials = z
  .object({
    email: z.unknown().optional().meta({ type: 'string', format: 'email' }),
    password: z.unknown().optional().meta({ type: 'string', format: 'password' }),
  })
  .meta({ required: ['email', 'password'] })

const TEXT = z.string().max(10_000)

function login(parts: Parts, local: LocalSignIn): Endpoint {
  return endpoint({
    method: 'post',
    path: '/api/auth/login',
    operation: 'signIn',
    tag: TAG,
    summary: 'Sign in with a local password; answers with a session cookie and X-CSRF-Token',
    access: everyone,
    limited: true,
    input: z.object({ body: credentials }),
    answer: currentUser,
    handle: async (asked) => {
      if (!parts.settings.localLogin)
        throw new Refusal('local_login_disabled', 'Sign in with the single sign-on instead.')
      const email = TEXT.safeParse(asked.input.body.email)
      const password = TEXT.safeParse(asked.input.body.password)
      if (!email.success || !password.success) throw invalidCredentials()
      const key = `email ${email.data.trim().toLowerCase()}`
      await parts.limits.logins.count(key)
      const user = await local.signIn({ email: email.data.trim(), password: password.data })
      await parts.limits.logins.forgive(key)
      await asked.forgive()
      return beginSession(parts, asked, { userId: user.id })
    },
  })
}

const logout = endpoint({
  method: 'delete',
  path: '/api/auth/logout',
  operation: 'signOut',
  tag: TAG,
  summary: 'End this session',
  access: bySession,
  input: NO_INPUT,
  answer: z.object({ message: z.string() }),
  handle: async ({ session }) => {
    await session.end()
    return { message: 'Signed out successfully' }
  },
})

interface Begun {
  readonly userId: number
  /** When a provider saw the person prove who they are (epoch ms). */
  readonly provenAt?: number
}

/** A new session for somebody who has proved who they are. */
export async function beginSession(
  { database, log }: Pick<Parts, 'database' | 'log'>,
  { session, address, setHeader }: Pick<Asked<null, null>, 'session' | 'address' | 'setHeader'>,
  { userId, ...data }: Begun,
): Promise<CurrentUser> {
  const user = await findCurrentUser(database.read, userId)
  await session.signIn(userId, data)
  setHeader('X-CSRF-Token', session.csrfToken)
  log.info({ user: userId, address }, 'Signed in')
  return user
}
