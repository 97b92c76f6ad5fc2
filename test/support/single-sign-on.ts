import { afterAll } from 'vitest'
import { z } from 'zod'
import type { Log } from '../../src/platform/log.ts'
import { continuing, cookieOf } from './accounts.ts'
import { guidanceService, type Answer, type GuidanceUnderTest, type SessionClient } from './guidance.ts'
import { startOidcServer, type SignIn } from './oidc-server.ts'

export const BASE_URL = 'http://127.0.0.1:4711'

type Person = Pick<SignIn, 'secondsAgo'>

/** A person on the way back from the provider. */
export interface Returning {
  /** The cookie that was set on the way to the provider. */
  readonly cookie: string
  readonly back: URL
}

export interface SingleSignOn {
  readonly guidance: () => GuidanceUnderTest
  /** To the provider and back, as `account`; null declines. */
  readonly signOn: (account: string | null, person?: Person) => Promise<Answer>
  /** Signs on and returns a client with the new session. */
  readonly enter: (account: string, person?: Person) => Promise<SessionClient>
  readonly goThere: (account: string | null, options?: Leaving) => Promise<Returning>
  readonly comeBack: (returning: Returning) => Promise<Answer>
}

interface Leaving extends Person {
  /** Cookie of the request that starts the sign-in. */
  readonly cookie?: string
  readonly query?: Readonly<Record<string, string>>
}

interface Options {
  /** Claims of more accounts. */
  readonly accounts?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** More settings. */
  readonly env?: Readonly<Record<string, string>>
  readonly log?: Log
}

/**
 * A guidance service for all tests of a file, and a provider where the accounts with these names
 * have a verified address each: `name@example.org`.
 */
export async function singleSignOn(
  names: readonly string[],
  { accounts = {}, env = {}, log }: Options = {},
): Promise<SingleSignOn> {
  const oidc = await startOidcServer({
    redirectUris: [`${BASE_URL}/users/auth/oidc/callback`],
    authTime: true,
    accounts: { ...Object.fromEntries(names.map((name) => [name, verified(name)])), ...accounts },
  })
  afterAll(() => oidc.close())
  const settings = {
    SERVICE_BASE_URL: BASE_URL,
    SERVICE_OIDC_ISSUER: oidc.issuer,
    SERVICE_OIDC_CLIENT_ID: oidc.clientId,
    SERVICE_OIDC_CLIENT_SECRET: oidc.clientSecret,
  }
  const guidance = guidanceService({ ...settings, ...env }, log)
  const goThere: SingleSignOn['goThere'] = async (account, { cookie, query, ...person } = {}) => {
    const path = `/users/auth/oidc?${new URLSearchParams(query).toString()}`
    const headers = cookie === undefined ? {} : { Cookie: cookie }
    const begun = await guidance().nobody.call('GET', path, { headers })
    const back = await oidc.signInAt(String(begun.headers.location), { account, ...person })
    const set = cookieOf(begun)
    return { cookie: set === '' ? (cookie ?? '') : set, back }
  }
  const comeBack: SingleSignOn['comeBack'] = ({ cookie, back }) =>
    guidance().nobody.call('GET', `${back.pathname}${back.search}`, {
      headers: cookie === '' ? {} : { Cookie: cookie },
    })
  const signOn: SingleSignOn['signOn'] = async (account, person) => comeBack(await goThere(account, person))
  const enter: SingleSignOn['enter'] = async (account, person) => continuing(guidance(), await signOn(account, person))
  return { guidance, signOn, enter, goThere, comeBack }
}

function verified(name: string): Readonly<Record<string, unknown>> {
  return { name: `${name} of Example`, email: `${name}@example.org`, email_verified: true }
}

const identities = z.array(z.object({ id: z.int(), provider: z.string() }))
const ownAccount = z.object({ id: z.int(), email: z.string(), identities })

/** Reads the account of the person who is signed in. */
export async function ownAccountOf(client: SessionClient): Promise<z.infer<typeof ownAccount>> {
  return ownAccount.parse((await client.call('GET', '/users/edit')).body)
}
