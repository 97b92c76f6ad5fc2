import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ClientAuth,
  type Configuration,
  type IDToken,
} from 'openid-client'
import { Refusal } from '../../../platform/errors.ts'
import type { OidcSettings } from '../../../platform/settings/guidance-settings.ts'
import type { ExternalIdentity } from './identity.ts'
import { refuseExchange, unavailableRefusal } from './oidc-faults.ts'
import type { OidcFlow } from './oidc-flow.ts'
import { emailOf, nameOf } from './person.ts'

const TIMEOUT_SECONDS = 10
/** How far the provider's clock may be behind ours. */
const CLOCK_TOLERANCE_MS = 30_000

export interface OidcOptions {
  readonly settings: OidcSettings
  /** Null for a public client, which only has PKCE. */
  readonly clientSecret: string | null
  readonly redirectUri: string
}

export interface OidcResult {
  readonly identity: ExternalIdentity
  /** The time of the authentication (epoch ms) according to the provider; by default now. */
  readonly authenticatedAt: number
}

/**
 * Sign-in at an OpenID provider: the authorization code flow with PKCE (S256), state and nonce (OpenID Connect Core
 * 1.0, 3.1; RFC 7636). ID tokens must be signed with a key that the provider publishes. All failures are refusals.
 */
export class OidcProvider {
  readonly #options: OidcOptions
  /** Cached after success; after a failure, the next call tries again. */
  #configuration: Promise<Configuration> | null = null

  constructor(options: OidcOptions) {
    this.#options = options
  }

  /**
   * Begins a sign-in and returns the URL to redirect the browser to. With `reauthenticate`, the provider requests
   * credentials again.
   */
  async begin(reauthenticate = false): Promise<{ readonly location: string; readonly flow: OidcFlow }> {
    const configuration = await this.#discover()
    const flow: OidcFlow = {
      state: randomState(),
      nonce: randomNonce(),
      codeVerifier: randomPKCECodeVerifier(),
      notBefore: reauthenticate ? Date.now() : null,
    }
    const parameters = {
      redirect_uri: this.#options.redirectUri,
      scope: this.#options.settings.scopes,
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await calculatePKCECodeChallenge(flow.codeVerifier),
      code_challenge_method: 'S256',
      ...(reauthenticate ? { prompt: 'login', max_age: '0' } : {}),
    }
    try {
      return { location: buildAuthorizationUrl(configuration, parameters).href, flow }
    } catch (error) {
      throw unavailableRefusal(error)
    }
  }

  /** Returns the person who signed in. Uses only the query of the callback, because its host may be that of a proxy. */
  async finish(callback: URL, flow: OidcFlow): Promise<OidcResult> {
    const configuration = await this.#discover()
    const answer = new URL(this.#options.redirectUri)
    answer.search = callback.search
    const { claims, accessToken } = await exchange(configuration, answer, flow)
    const authenticatedAt = authenticationTime(claims, flow)
    const identity = await this.#identify(configuration, claims, accessToken)
    return { identity, authenticatedAt }
  }

  #discover(): Promise<Configuration> {
    this.#configuration ??= discover(this.#options).catch((error: unknown) => {
      this.#configuration = null
      throw unavailableRefusal(error)
    })
    return this.#configuration
  }

  async #identify(configuration: Configuration, claims: IDToken, accessToken: string): Promise<ExternalIdentity> {
    const fromToken = profileOf(claims)
    const complete = fromToken.email !== null && fromToken.name !== null
    const fromUserinfo = complete ? null : await userinfo(configuration, claims, accessToken)
    // An address and whether it is verified must come from the same source.
    const source = fromToken.email === null ? fromUserinfo : fromToken
    if (source?.email == null)
      throw new Refusal('identity_provider_refused', 'The identity provider gives no usable e-mail address for you.')
    return {
      provider: 'oidc',
      uid: `${claims.iss} ${subjectOf(claims)}`,
      email: source.email,
      emailVerified: source.emailVerified || this.#options.settings.trustEmail,
      name: fromToken.name ?? fromUserinfo?.name ?? source.email,
    }
  }
}

function discover({ settings, clientSecret }: OidcOptions): Promise<Configuration> {
  const issuer = new URL(settings.issuer)
  // oxlint-disable-next-line typescript/no-deprecated -- marked as deprecated only to draw attention
  const insecure = issuer.protocol === 'http:' ? [allowInsecureRequests] : []
  return discovery(issuer, settings.clientId, undefined, clientAuthentication(clientSecret), {
    timeout: TIMEOUT_SECONDS,
    execute: [enableNonRepudiationChecks, ...insecure],
  })
}

/** HTTP Basic, which every provider must support (RFC 6749, 2.3.1), unless its metadata says otherwise. */
function clientAuthentication(clientSecret: string | null): ClientAuth {
  if (clientSecret === null) return None()
  const basic = ClientSecretBasic(clientSecret)
  const post = ClientSecretPost(clientSecret)
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const authenticate = methods.includes('client_secret_basic') ? basic : post
    authenticate(server, ...request)
  }
}

async function exchange(
  configuration: Configuration,
  answer: URL,
  flow: OidcFlow,
): Promise<{ readonly claims: IDToken; readonly accessToken: string }> {
  try {
    const tokens = await authorizationCodeGrant(configuration, answer, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.codeVerifier,
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new Error('There is no ID token')
    return { claims, accessToken: tokens.access_token }
  } catch (error) {
    throw refuseExchange(error)
  }
}

/** Checks the age of the sign-in, because the browser may have removed the request for a new one. */
function authenticationTime({ auth_time: seconds }: IDToken, { notBefore }: OidcFlow): number {
  const authenticatedAt = seconds === undefined ? null : seconds * 1000
  if (notBefore === null) return authenticatedAt ?? Date.now()
  if (authenticatedAt !== null && authenticatedAt >= notBefore - CLOCK_TOLERANCE_MS) return authenticatedAt
  throw new Refusal(
    'identity_provider_refused',
    'The identity provider does not confirm that you have signed in again.',
  )
}

async function userinfo(configuration: Configuration, { sub }: IDToken, accessToken: string): Promise<Profile | null> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return null
  try {
    return profileOf(await fetchUserInfo(configuration, accessToken, sub))
  } catch (error) {
    throw refuseExchange(error)
  }
}

interface Profile {
  readonly email: string | null
  readonly emailVerified: boolean
  readonly name: string | null
}

/** Standard claims (OpenID Connect Core 1.0, 5.1); some providers write booleans as texts. */
function profileOf(claims: Readonly<Record<string, unknown>>): Profile {
  return {
    email: emailOf(claims['email']),
    emailVerified: claims['email_verified'] === true || claims['email_verified'] === 'true',
    name: nameOf(claims['name'], claims['preferred_username']),
  }
}

/** At most 255 ASCII characters (OpenID Connect Core 1.0, 2). */
function subjectOf({ sub }: IDToken): string {
  if (/^[\x20-\x7e]{1,255}$/.test(sub)) return sub
  throw new Refusal('identity_provider_refused', 'The identity provider sends no usable identifier for you.')
}
