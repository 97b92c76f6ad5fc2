import { generateKeyPairSync } from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import Provider, { type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider'
import { onTestFinished } from 'vitest'
import { OidcProvider, type OidcResult } from '../../src/guidance/identity/identity-providers/oidc.ts'

/** Changes the provider's answer at this path. */
export type Rewrite = (path: string, body: unknown, asked: IncomingHttpHeaders) => unknown

type Claims = Readonly<Record<string, unknown>>

export interface OidcServerOptions {
  /** URIs of loopback addresses by http match any port. The default is the URI of `clientOf`. */
  readonly redirectUris?: readonly string[]
  /** Claims by subject; without them, `OIDC_ACCOUNTS`. */
  readonly accounts?: Readonly<Record<string, Claims>>
  /** Whether the ID token has profile and e-mail address, and not only the userinfo. */
  readonly claimsInIdToken?: boolean
  /** Whether the ID token always has the time of the sign-in. */
  readonly authTime?: boolean
  readonly clientAuthentication?: 'client_secret_basic' | 'client_secret_post' | 'none'
  readonly port?: number
  readonly rewrite?: Rewrite
}

/** The browser of a person keeps its cookies between two sign-ins. */
export interface Browser {
  readonly cookies: Map<string, string>
}

export interface SignIn {
  /** The subject of an account; null declines. */
  readonly account: string | null
  readonly browser?: Browser
  /** Pretends that the person typed the password this long ago. */
  readonly secondsAgo?: number
}

export interface OidcServer {
  readonly issuer: string
  readonly port: number
  readonly clientId: string
  readonly clientSecret: string
  /** Passes login and consent as a browser does, and returns the final address. */
  signInAt(location: string, signIn: SignIn): Promise<URL>
  close(): Promise<void>
}

export const OIDC_ACCOUNTS = {
  verified: { name: 'Vera Verified', email: 'Vera@Example.org', email_verified: true },
  unverified: { name: 'Una Unverified', email: 'una@example.org', email_verified: false },
  mailless: { name: 'Max Mailless' },
} as const

const REDIRECT_URI = 'http://127.0.0.1:4711/auth/callback'

const CLIENT_ID = 'guidance'
/** A secret with characters that must be escaped in every way of sending it. */
const CLIENT_SECRET = 'a secret: 100% + & ='

/** A real OpenID provider on a free port of this machine. */
export async function startOidcServer(options: OidcServerOptions = {}): Promise<OidcServer> {
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const server = createServer((request, response) => {
    answer(request, response)
  })
  const port = await listen(server, options.port ?? 0)
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, configurationOf(options))
  const { rewrite } = options
  if (rewrite !== undefined)
    provider.use(async (context, next) => {
      await next()
      context.body = rewrite(context.path, context.body, context.headers)
    })
  const handle = provider.callback()
  answer = (request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    const page = { request, response, parameters: url.searchParams }
    const done = url.pathname.startsWith('/interaction/') ? interact(provider, page) : handle(request, response)
    done.catch((error: unknown) => response.writeHead(500).end(String(error)))
  }
  return {
    issuer,
    port,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    signInAt: (location, signIn) => follow(new URL(location), signIn),
    close: () => stop(server),
  }
}

/** The settings of the service for this provider. */
export function clientOf(
  { issuer, clientId, clientSecret }: Pick<OidcServer, 'issuer' | 'clientId' | 'clientSecret'>,
  changes: { readonly trustEmail?: boolean; readonly clientSecret?: string | null } = {},
): OidcProvider {
  const { trustEmail = false } = changes
  return new OidcProvider({
    settings: { issuer, clientId, trustEmail, title: 'Single sign-on', scopes: 'openid email profile' },
    clientSecret,
    redirectUri: REDIRECT_URI,
    ...changes,
  })
}

/** Both steps of a sign-in, and what the person does between them. */
export async function signInThrough(
  server: OidcServer,
  signIn: SignIn,
  client = clientOf(server),
): Promise<OidcResult> {
  const { location, flow } = await client.begin()
  return client.finish(await server.signInAt(location, signIn), flow)
}

function configurationOf(options: OidcServerOptions): Configuration {
  const redirectUris = options.redirectUris ?? [REDIRECT_URI]
  const accounts: Readonly<Record<string, Claims>> = options.accounts ?? OIDC_ACCOUNTS
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const authentication = options.clientAuthentication ?? 'client_secret_basic'
  return {
    adapter: memoryAdapters(),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['not a secret'] },
    clientAuthMethods: [authentication],
    clients: [
      {
        client_id: CLIENT_ID,
        ...(authentication === 'none' ? {} : { client_secret: CLIENT_SECRET }),
        token_endpoint_auth_method: authentication,
        // Only native clients may come back to any port (RFC 8252, 7.3).
        application_type: redirectUris.every(isLoopback) ? 'native' : 'web',
        redirect_uris: redirectUris,
        require_auth_time: options.authTime ?? false,
      },
    ],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'preferred_username'] },
    conformIdTokenClaims: options.claimsInIdToken !== true,
    // The provider prints a notice for each lifetime that is not set.
    ttl: { AccessToken: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: false } },
    findAccount: (_context, sub) => {
      const claims = accounts[sub]
      return claims && { accountId: sub, claims: () => ({ sub, ...claims }) }
    },
    // All people have consented to everything.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: CLIENT_ID, accountId: oidc.session?.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

interface Page {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly parameters: URLSearchParams
}

/** Signs in or declines, as the person would on the page of the provider. */
async function interact(provider: Provider, { request, response, parameters }: Page): Promise<void> {
  const { prompt } = await provider.interactionDetails(request, response)
  const accountId = parameters.get('account')
  const ts = Math.floor(Date.now() / 1000) - Number(parameters.get('seconds_ago'))
  const login = prompt.name === 'login' && accountId !== null ? { login: { accountId, ts } } : {}
  const result =
    accountId === null ? { error: 'access_denied', error_description: 'Declined' } : { ...login, consent: {} }
  await provider.interactionFinished(request, response, result)
}

async function follow(start: URL, signIn: SignIn): Promise<URL> {
  const cookies = signIn.browser?.cookies ?? new Map<string, string>()
  let url = start
  for (let step = 0; step < 10; step += 1) {
    if (url.origin !== start.origin) return url
    if (url.pathname.startsWith('/interaction/')) {
      if (signIn.account !== null) url.searchParams.set('account', signIn.account)
      url.searchParams.set('seconds_ago', String(signIn.secondsAgo ?? 0))
    }
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    const location = response.headers.get('location')
    if (location === null) throw new Error(`The provider stops with ${response.status}: ${await reasonOf(response)}`)
    url = new URL(location, url)
  }
  throw new Error('The provider never comes back')
}

async function reasonOf(response: Response): Promise<string> {
  const page = await response.text()
  return Array.from(page.matchAll(/<pre>.*?<\/pre>/g), ([line]) => line).join(' ')
}

function keep(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (value === '') cookies.delete(name)
  else cookies.set(name, value)
}

/** Without an adapter, the provider prints a warning at each start. */
function memoryAdapters(): (model: string) => Adapter {
  const records = new Map<string, AdapterPayload>()
  const find = (wanted: (record: AdapterPayload) => boolean): AdapterPayload | undefined =>
    [...records.values()].find(wanted)
  return (model) => ({
    upsert: (id, payload) => {
      records.set(`${model} ${id}`, payload)
      return Promise.resolve()
    },
    find: (id) => Promise.resolve(records.get(`${model} ${id}`)),
    findByUid: (uid) => Promise.resolve(find((record) => record.uid === uid)),
    findByUserCode: (code) => Promise.resolve(find((record) => record.userCode === code)),
    consume: (id) => {
      const record = records.get(`${model} ${id}`)
      if (record !== undefined) record.consumed = Math.floor(Date.now() / 1000)
      return Promise.resolve()
    },
    destroy: (id) => {
      records.delete(`${model} ${id}`)
      return Promise.resolve()
    },
    revokeByGrantId: (grantId) => {
      for (const [key, record] of records) if (record.grantId === grantId) records.delete(key)
      return Promise.resolve()
    },
  })
}

function isLoopback(uri: string): boolean {
  const { protocol, hostname } = new URL(uri)
  return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
}

export async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port')
  return address.port
}

export async function stop(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => {
      resolve()
    })
    server.closeAllConnections()
  })
}

/** A provider of its own for the test that asks for it. */
export async function startOwnServer(options: OidcServerOptions): Promise<OidcServer> {
  const server = await startOidcServer(options)
  onTestFinished(() => server.close())
  return server
}
