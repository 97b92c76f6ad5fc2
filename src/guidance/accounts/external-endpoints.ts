import { z } from 'zod'
import { Refusal } from '../../platform/errors.ts'
import { everyone } from '../access.ts'
import { REDIRECTION } from '../answers.ts'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { signInWithLdap } from '../identity-providers/ldap.ts'
import { oidcFlow, type OidcProvider } from '../identity-providers/oidc.ts'
import { notFound } from '../input.ts'
import type { Parts } from '../parts.ts'
import { currentUser } from '../users/schemas.ts'
import { beginSession } from './endpoints.ts'
import { signInExternally } from './external.ts'
import { invalidCredentials } from './sign-in.ts'

const TAG = 'Authentication'

/** Signing in through a provider outside. */
export function externalEndpoints(parts: Parts): readonly Endpoint[] {
  return [beginOidc(parts), finishOidc(parts), ldap(parts)]
}

const beginning = z.object({
  return_to: z.string().optional().meta({ description: 'A path here to go to afterwards' }),
  prompt: z.string().optional().meta({ description: '"login" asks for the password again' }),
})

function beginOidc(parts: Parts): Endpoint {
  return endpoint({
    method: ['get', 'post'],
    path: '/users/auth/oidc',
    operation: 'beginSingleSignOn',
    tag: TAG,
    summary: 'Go to the OpenID provider to sign in',
    access: everyone,
    limited: true,
    input: z.object({ query: beginning }),
    answer: REDIRECTION,
    handle: async ({ input, session, forgive }) => {
      const provider = requireOidc(parts)
      const { return_to: wanted, prompt } = input.query
      const { location, flow } = await provider.begin(prompt === 'login')
      await session.remember({ oidc: { flow, returnTo: localPath(wanted, parts.baseUrl) } })
      await forgive()
      return { location }
    },
  })
}

function finishOidc(parts: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/users/auth/oidc/callback',
    operation: 'finishSingleSignOn',
    tag: TAG,
    summary: 'Where the OpenID provider sends people back to',
    access: everyone,
    limited: true,
    input: z.object({ query: z.record(z.string(), z.unknown()) }),
    answer: REDIRECTION,
    handle: async (asked) => {
      const provider = requireOidc(parts)
      const { oidc } = asked.session.data
      const flow = oidcFlow.safeParse(oidc?.flow)
      if (oidc === undefined || !flow.success)
        throw new Refusal('identity_provider_refused', 'No single sign-on was begun here.')
      // Used up, whatever becomes of it.
      await asked.session.remember({ oidc: undefined })
      const callback = new URL('/users/auth/oidc/callback', parts.baseUrl)
      for (const [name, value] of Object.entries(asked.input.query))
        callback.searchParams.set(name, String(value))
      const { identity, authenticatedAt } = await provider.finish(callback, flow.data)
      const user = await signInExternally(parts.database, identity)
      await asked.forgive()
      await beginSession(parts, asked, { userId: user.id, provenAt: authenticatedAt })
      return { location: oidc.returnTo }
    },
  })
}

const ldapCredentials = z
  .object({
    username: z.unknown().optional().meta({ type: 'string' }),
    password: z.unknown().optional().meta({ type: 'string', format: 'password' }),
  })
  .meta({ required: ['username', 'password'] })

function ldap(parts: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/users/auth/ldap/callback',
    operation: 'signInWithLdap',
    tag: TAG,
    summary: 'Sign in with the password of the directory',
    access: everyone,
    limited: true,
    input: z.object({ body: ldapCredentials }),
    answer: currentUser,
    handle: async (asked) => {
      if (parts.ldap === null) throw notFound()
      const username = z.string().max(1000).safeParse(asked.input.body.username)
      const password = z.string().max(1000).safeParse(asked.input.body.password)
      if (!username.success || !password.success) throw invalidCredentials()
      const key = `ldap ${username.data.toLowerCase()}`
      await parts.limits.logins.count(key)
      const identity = await signInWithLdap(parts.ldap, username.data, password.data)
      if (identity === null) throw invalidCredentials()
      const user = await signInExternally(parts.database, identity)
      await parts.limits.logins.forgive(key)
      await asked.forgive()
      return beginSession(parts, asked, { userId: user.id, provenAt: Date.now() })
    },
  })
}

function requireOidc({ oidc }: Parts): OidcProvider {
  if (oidc === null) throw notFound()
  return oidc
}

/** Only a path of this service, so that a link to here never leads elsewhere. */
function localPath(wanted: string | undefined, baseUrl: string): string {
  if (wanted === undefined || !/^\/(?![/\\])/.test(wanted) || !URL.canParse(wanted, baseUrl))
    return '/'
  const { origin, pathname, search, hash } = new URL(wanted, baseUrl)
  // `/.//host` becomes `//host`, which is a host and no path.
  if (origin !== new URL(baseUrl).origin || pathname.startsWith('//')) return '/'
  return `${pathname}${search}${hash}`
}
