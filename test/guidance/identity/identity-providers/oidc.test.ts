// @module-tag node

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { oidcFlow } from '../../../../src/guidance/identity/identity-providers/oidc-flow.ts'
import {
  clientOf,
  signInThrough,
  startOidcServer,
  startOwnServer,
  type OidcServer,
  type Rewrite,
} from '../../../support/oidc-server.ts'
import { refusalOf } from '../../../support/refusal.ts'

const object = z.looseObject({})

let shared: OidcServer

beforeAll(async () => {
  shared = await startOidcServer()
})

afterAll(() => shared.close())

describe('A sign-in at an OpenID provider', () => {
  it('returns the person with the e-mail address from the userinfo', async () => {
    const before = Date.now()
    const { identity, authenticatedAt } = await signInThrough(shared, { account: 'verified' })
    expect(identity).toEqual({
      provider: 'oidc',
      uid: `${shared.issuer} verified`,
      email: 'vera@example.org',
      emailVerified: true,
      name: 'Vera Verified',
    })
    expect(authenticatedAt).toBeGreaterThanOrEqual(before)
  })

  it('does without userinfo if the ID token is complete', async () => {
    const asked: string[] = []
    const server = await startOwnServer({
      claimsInIdToken: true,
      rewrite: (path, body) => {
        asked.push(path)
        return body
      },
    })
    const { identity } = await signInThrough(server, { account: 'verified' })
    expect(identity).toMatchObject({ email: 'vera@example.org', name: 'Vera Verified' })
    expect(asked).toContain('/token')
    expect(asked).not.toContain('/me')
  })

  it('takes from the userinfo only what the ID token lacks', async () => {
    const server = await startOwnServer({
      accounts: { someone: { email: 'a@example.org', email_verified: true } },
      claimsInIdToken: true,
      rewrite: (path, body) => (path === '/me' ? { ...object.parse(body), email: 'b@example.org', name: 'Bea' } : body),
    })
    const { identity } = await signInThrough(server, { account: 'someone' })
    expect(identity).toMatchObject({ email: 'a@example.org', emailVerified: true, name: 'Bea' })
  })

  it('treats an e-mail address as unverified if the provider has not verified it', async () => {
    const { identity } = await signInThrough(shared, { account: 'unverified' })
    expect(identity).toMatchObject({ email: 'una@example.org', emailVerified: false })
  })

  it('treats it as verified if the provider is trusted', async () => {
    const provider = clientOf(shared, { trustEmail: true })
    const { identity } = await signInThrough(shared, { account: 'unverified' }, provider)
    expect(identity.emailVerified).toBe(true)
  })

  it.each([
    [{ email: 'a@example.org', email_verified: 'true', preferred_username: 'ann' }, true, 'ann'],
    [{ email: 'a@example.org', email_verified: 'false', name: ' ' }, false, 'a@example.org'],
    [{ email: ' A@example.org ', email_verified: 1, name: 'A\u0000nn\n B' }, false, 'A nn B'],
  ])('turns %j, verified %s, into the name %s', async (claims, emailVerified, name) => {
    const server = await startOwnServer({ accounts: { someone: claims } })
    const { identity } = await signInThrough(server, { account: 'someone' })
    expect(identity).toMatchObject({ email: 'a@example.org', emailVerified, name })
  })

  it('truncates a long name between two characters', async () => {
    const claims = { email: 'a@example.org', name: '\u{1F511}'.repeat(1000) }
    const server = await startOwnServer({ accounts: { someone: claims } })
    const { identity } = await signInThrough(server, { account: 'someone' })
    expect(identity.name).toBe('\u{1F511}'.repeat(127))
  })

  it.each([
    {},
    { email: 'nobody' },
    { email: 'a b@example.org' },
    { email: 'a@example.org,b@example.org' },
    { email: ['a@example.org'] },
  ])('is refused without a valid e-mail address: %j', async (claims) => {
    const server = await startOwnServer({ accounts: { someone: claims } })
    const refusal = await refusalOf(() => signInThrough(server, { account: 'someone' }))
    expect(refusal.code).toBe('identity_provider_refused')
    expect(refusal.message).toContain('e-mail')
  })

  it.each([
    ['client_secret_basic', 'Basic'],
    ['client_secret_post', undefined],
    ['none', undefined],
  ] as const)('makes the service known by %s', async (clientAuthentication, scheme) => {
    const schemes: (string | undefined)[] = []
    const rewrite: Rewrite = (path, body, { authorization }) => {
      if (path === '/token') schemes.push(authorization?.split(' ')[0])
      return body
    }
    const server = await startOwnServer({ clientAuthentication, rewrite })
    const secret = clientAuthentication === 'none' ? null : server.clientSecret
    const provider = clientOf(server, { clientSecret: secret })
    const { identity } = await signInThrough(server, { account: 'verified' }, provider)
    expect(identity.uid).toBe(`${server.issuer} verified`)
    expect(schemes).toEqual([scheme])
  })

  it('reports a wrong client secret as a fault of the set-up without logging it', async () => {
    const provider = clientOf(shared, { clientSecret: 'another-secret' })
    const refusal = await refusalOf(() => signInThrough(shared, { account: 'verified' }, provider))
    expect(refusal.code).toBe('identity_provider_unavailable')
    expect(refusal.message).toContain('does not accept this service')
    expect(refusal.message).not.toContain('secret')
  })

  it('stores plain JSON between the steps and hides the code verifier from the browser', async () => {
    const { location, flow } = await clientOf(shared).begin()
    expect(oidcFlow.parse(JSON.parse(JSON.stringify(flow)))).toEqual(flow)
    expect(location).not.toContain(flow.codeVerifier)
    expect(Object.fromEntries(new URL(location).searchParams)).toEqual({
      client_id: shared.clientId,
      response_type: 'code',
      redirect_uri: 'http://127.0.0.1:4711/auth/callback',
      scope: 'openid email profile',
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: createHash('sha256').update(flow.codeVerifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
  })

  it('begins with other secrets each time', async () => {
    const provider = clientOf(shared)
    const flows = [(await provider.begin()).flow, (await provider.begin()).flow]
    for (const part of ['state', 'nonce', 'codeVerifier'] as const)
      expect(new Set(flows.map((flow) => flow[part])).size).toBe(2)
  })
})

describe('The time of a sign-in', () => {
  it('is the time that the provider states', async () => {
    const server = await startOwnServer({ authTime: true })
    const { authenticatedAt } = await signInThrough(server, { account: 'verified', secondsAgo: 3600 })
    expect(Math.abs(Date.now() - 3_600_000 - authenticatedAt)).toBeLessThan(10_000)
  })

  it('is new after a forced sign-in, even in a signed-in browser', async () => {
    const server = await startOwnServer({ authTime: true })
    const browser = { cookies: new Map<string, string>() }
    const old = await signInThrough(server, { account: 'verified', secondsAgo: 3600, browser })
    const provider = clientOf(server)
    const again = await signInThrough(server, { account: 'verified', browser }, provider)
    expect(again.authenticatedAt).toBe(old.authenticatedAt)
    const { location, flow } = await provider.begin(true)
    expect(new URL(location).searchParams.get('prompt')).toBe('login')
    expect(new URL(location).searchParams.get('max_age')).toBe('0')
    const callback = await server.signInAt(location, { account: 'verified', browser })
    const { authenticatedAt } = await provider.finish(callback, flow)
    expect(Math.abs(Date.now() - authenticatedAt)).toBeLessThan(10_000)
  })

  it.each([true, false])(
    'is refused if the browser removed the request for a new sign-in (auth_time: %s)',
    async (authTime) => {
      const server = await startOwnServer({ authTime })
      const provider = clientOf(server)
      const { location, flow } = await provider.begin(true)
      const lazy = new URL(location)
      lazy.searchParams.delete('prompt')
      lazy.searchParams.delete('max_age')
      const callback = await server.signInAt(lazy.href, { account: 'verified', secondsAgo: 3600 })
      const refusal = await refusalOf(() => provider.finish(callback, flow))
      expect(refusal.code).toBe('identity_provider_refused')
      expect(refusal.message).toContain('again')
    },
  )
})
