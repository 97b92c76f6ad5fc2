import { z } from 'zod'
import { everyone } from '../../../http/access.ts'
import { REDIRECTION } from '../../../http/answer/answers.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { notFound } from '../../../http/input.ts'
import { Refusal } from '../../../platform/errors.ts'
import type { ExternalIdentity } from '../identity-providers/identity.ts'
import { oidcFlow } from '../identity-providers/oidc-flow.ts'
import type { OidcProvider } from '../identity-providers/oidc.ts'
import type { IdentityParts } from '../parts.ts'
import { currentUser } from '../users/schemas.ts'
import { beginSession } from './endpoints.ts'
import { signInExternally } from './external.ts'
import { logFailure, findAccountOfIdentity } from './failures.ts'
import { spellingOf } from './guesses.ts'
import { findLinkingUser } from './link-endpoint.ts'
import { invalidCredentials } from './sign-in.ts'

const TAG = 'Authentication'

/** Signing in through an external provider. */
export function externalEndpoints(parts: IdentityParts): readonly Endpoint[] {
  return [beginOidc(parts), finishOidc(parts), ldap(parts)]
}

const beginning = z.object({
  return_to: z.string().optional().meta({ description: 'Path of this service to redirect to afterwards' }),
  prompt: z.string().optional().meta({ description: '"login" asks for the password again' }),
})

function beginOidc(parts: IdentityParts): Endpoint {
  return endpoint({
    method: ['get', 'post'],
    path: '/users/auth/oidc',
    operation: 'beginSingleSignOn',
    tag: TAG,
    summary: 'Go to the OpenID provider to sign in',
    refusals: ['not_found', 'insecure_transport', 'identity_provider_refused', 'identity_provider_unavailable'],
    access: everyone,
    limited: true,
    input: z.object({ query: beginning }),
    answer: REDIRECTION,
    handle: async ({ input, session, forgive }) => {
      const provider = requireOidc(parts)
      const { return_to: returnTo, prompt } = input.query
      const { location, flow } = await provider.begin(prompt === 'login')
      await session.remember({ oidc: { flow, returnTo: localPath(returnTo, parts.baseUrl) } })
      await forgive()
      return { location }
    },
  })
}

const FINISH_REFUSALS = [
  'not_found',
  'insecure_transport',
  'account_locked',
  'identity_provider_refused',
  'identity_provider_unavailable',
  'identity_not_linked',
] as const

function finishOidc(parts: IdentityParts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/users/auth/oidc/callback',
    operation: 'finishSingleSignOn',
    tag: TAG,
    summary: 'Callback of the OpenID provider',
    refusals: FINISH_REFUSALS,
    access: everyone,
    limited: true,
    input: z.object({ query: z.record(z.string(), z.unknown()) }),
    answer: REDIRECTION,
    handle: async (context) => {
      const provider = requireOidc(parts)
      const { session, address } = context
      const { oidc } = session.data
      let identity: ExternalIdentity | null = null
      const findAccount = (): ReturnType<typeof findAccountOfIdentity> => findAccountOfIdentity(parts, identity, null)
      const proof = await logFailure(parts, { method: 'oidc', address, findAccount }, async () => {
        const flow = oidcFlow.safeParse(oidc?.flow)
        if (!flow.success)
          throw new Refusal('identity_provider_refused', 'No single sign-on was started in this session.')
        // A flow cannot be used again, even if this attempt fails.
        await session.remember({ oidc: undefined })
        const callback = callbackOf(parts, context.input.query)
        const result = await provider.finish(callback, flow.data)
        identity = result.identity
        const user = await signInExternally(parts, result.identity, findLinkingUser(session))
        return { userId: user.id, provenAt: result.authenticatedAt }
      })
      await context.forgive()
      await beginSession(parts, context, { ...proof, byProvider: true })
      return { location: oidc?.returnTo ?? '/' }
    },
  })
}

function callbackOf({ baseUrl }: IdentityParts, query: Readonly<Record<string, unknown>>): URL {
  const callback = new URL('/users/auth/oidc/callback', baseUrl)
  for (const [name, value] of Object.entries(query)) callback.searchParams.set(name, String(value))
  return callback
}

const ldapCredentials = z
  .object({
    username: z.unknown().optional().meta({ type: 'string', maxLength: 1000 }),
    password: z.unknown().optional().meta({ type: 'string', format: 'password', maxLength: 1000 }),
  })
  .meta({ required: ['username', 'password'] })

function ldap(parts: IdentityParts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/auth/ldap/callback',
    operation: 'signInWithLdap',
    tag: TAG,
    summary: 'Sign in with the password of the directory',
    refusals: [
      'not_found',
      'insecure_transport',
      'invalid_credentials',
      'account_locked',
      'identity_provider_refused',
      'identity_provider_unavailable',
      'identity_not_linked',
    ],
    headers: ['X-CSRF-Token'],
    access: everyone,
    limited: true,
    keepsNoText: true,
    input: z.object({ body: ldapCredentials }),
    answer: currentUser,
    handle: async (context) => {
      if (parts.ldap === null) throw notFound()
      const { address, input, session } = context
      let uid: string | null = null
      const findAccount = (): ReturnType<typeof findAccountOfIdentity> =>
        findAccountOfIdentity(parts, uid === null ? null : { provider: 'ldap', uid }, input.body.username)
      const onMatch = (matched: string): void => {
        uid = matched
      }
      const user = await logFailure(parts, { method: 'ldap', address, findAccount }, async () => {
        const identity = await findInDirectory(parts, input.body, onMatch)
        return signInExternally(parts, identity, findLinkingUser(session))
      })
      await context.forgive()
      return beginSession(parts, context, { userId: user.id, provenAt: Date.now(), byProvider: true })
    },
  })
}

/** Returns the person with this name and password from the directory. */
async function findInDirectory(
  { ldap, limits: { logins } }: IdentityParts,
  request: z.infer<typeof ldapCredentials>,
  noteMatch: (uid: string) => void,
): Promise<ExternalIdentity> {
  if (ldap === null) throw notFound()
  const { signInWithLdap } = await import('../identity-providers/ldap.ts')
  const username = z.string().max(1000).safeParse(request.username)
  const password = z.string().max(1000).safeParse(request.password)
  if (!username.success || !password.success) throw invalidCredentials()
  const key = `ldap ${spellingOf(username.data)}`
  await logins.count(key)
  // Directories accept several spellings of a name, so attempts are also counted by the entry.
  const onMatch = (dn: string): Promise<void> => {
    noteMatch(dn.toLowerCase())
    return logins.count(`ldap entry ${dn.toLowerCase()}`)
  }
  const identity = await signInWithLdap({ ...ldap, onMatch }, username.data, password.data)
  if (identity === null) throw invalidCredentials()
  await logins.forgive(key)
  await logins.forgive(`ldap entry ${identity.uid}`)
  return identity
}

function requireOidc({ oidc }: IdentityParts): OidcProvider {
  if (oidc === null) throw notFound()
  return oidc
}

/** Returns only paths of this service, so that a link cannot redirect people to another host. */
function localPath(returnTo: string | undefined, baseUrl: string): string {
  if (returnTo === undefined || !/^\/(?![/\\])/.test(returnTo) || !URL.canParse(returnTo, baseUrl)) return '/'
  const { origin, pathname, search, hash } = new URL(returnTo, baseUrl)
  // `/.//host` becomes `//host`, which names a host.
  if (origin !== new URL(baseUrl).origin || pathname.startsWith('//')) return '/'
  return `${pathname}${search}${hash}`
}
