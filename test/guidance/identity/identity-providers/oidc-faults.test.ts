// @module-tag long

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import type { OidcFlow } from '../../../../src/guidance/identity/identity-providers/oidc-flow.ts'
import type { OidcProvider } from '../../../../src/guidance/identity/identity-providers/oidc.ts'
import { builtModule } from '../../../support/build.ts'
import { canMakeCertificates, makeCertificate, runTrusting } from '../../../support/certificate.ts'
import { temporaryFolder } from '../../../support/folder.ts'
import {
  clientOf,
  listen,
  signInThrough,
  startOidcServer,
  startOwnServer,
  stop,
  type OidcServer,
  type OidcServerOptions,
  type Rewrite,
} from '../../../support/oidc-server.ts'
import { refusalOf } from '../../../support/refusal.ts'
import { startServer } from '../../../support/server.ts'

let shared: OidcServer

beforeAll(async () => {
  shared = await startOidcServer()
})

afterAll(() => shared.close())

describe('The answer of an OpenID provider', () => {
  const strange = 'x'.repeat(43)

  it.each<[string, Partial<OidcFlow>]>([
    ['another code verifier', { codeVerifier: strange }],
    ['another state', { state: strange }],
    ['another nonce', { nonce: strange }],
  ])('is refused with %s', async (_, changes) => {
    const { provider, flow, callback } = await comeBack(shared)
    const refusal = await refusalOf(() => provider.finish(callback, { ...flow, ...changes }))
    expect(refusal.code).toBe('identity_provider_refused')
  })

  it('is refused the second time', async () => {
    const { provider, flow, callback } = await comeBack(shared)
    await provider.finish(callback, flow)
    const refusal = await refusalOf(() => provider.finish(callback, flow))
    expect(refusal.code).toBe('identity_provider_refused')
    expect(refusal.message).toContain('invalid_grant')
  })

  it('is a refusal when the person declines', async () => {
    const refusal = await refusalOf(() => signInThrough(shared, { account: null }))
    expect(refusal.code).toBe('identity_provider_refused')
    expect(refusal.message).toContain('access_denied')
  })

  it('is a refusal for any query of the callback', async () => {
    const { provider, flow, callback } = await comeBack(shared)
    const [state, iss] = [`state=${flow.state}`, `iss=${encodeURIComponent(shared.issuer)}`]
    const queries = [
      '',
      '?',
      '?code=x',
      `?${state}`,
      `?${state}&${iss}`,
      `?${state}&${iss}&code=`,
      `?${state}&${iss}&code=x&code=y`,
      `?${state}&${iss}&code=%00%ff`,
      `?${state}&${iss}&code=${'x'.repeat(5000)}`,
      `?${state}&${iss}&error=`,
      `?${state}&${iss}&error=%3Cscript%3E`,
      `?${state}&${iss}&error=a&error=b`,
      `?${state}&${iss}&code=x&id_token=x`,
      `?${state}&${iss}&code=x&token=x`,
      `?${state}&${iss}&response=x.y.z`,
      `?${state}&iss=https%3A%2F%2Fevil.example&code=x`,
      `${callback.search}&code=other`,
      `${callback.search}&state=other`,
      callback.search.replace('iss=', 'ssi='),
      '?%E0%A4%A',
      '?__proto__=1&code[]=2',
    ]
    for (const query of queries) {
      const refusal = await refusalOf(() => provider.finish(new URL(callback.pathname + query, callback), flow))
      expect(refusal.code, query).toBe('identity_provider_refused')
      expect(refusal.message, query).not.toMatch(/[<>]/)
    }
    // None of that has used the code up.
    await expect(provider.finish(callback, flow)).resolves.toBeDefined()
  })

  it('is valid for any host name that the proxy reports', async () => {
    const { provider, flow, callback } = await comeBack(shared)
    const inside = new URL(`http://inside.example/other/path${callback.search}`)
    await expect(provider.finish(inside, flow)).resolves.toBeDefined()
  })

  it.each<[string, (parts: JwtParts) => string]>([
    ['a broken signature', ({ header, claims }) => `${header}.${claims}.${'A'.repeat(342)}`],
    ['no signature', ({ claims }) => `${encode({ alg: 'none' })}.${claims}.`],
    [
      'other claims',
      ({ header, claims, signature }) =>
        `${header}.${encode({ ...decode(claims), email: 'boss@example.org' })}.${signature}`,
    ],
    ['no form at all', () => 'not a token'],
  ])('is refused when the ID token has %s', async (_, forge) => {
    const server = await startOwnServer({
      claimsInIdToken: true,
      rewrite: only('/token', (body) => forged(body, forge)),
    })
    const refusal = await refusalOf(() => signInThrough(server, { account: 'verified' }))
    expect(refusal.code).toBe('identity_provider_refused')
  })

  it.each<[string, string, OidcServerOptions]>([
    ['with an invalid subject', 'jürg', { accounts: { jürg: { email: 'j@example.org' } } }],
    ['without an ID token', 'verified', { rewrite: withMember('/token', { id_token: undefined }) }],
    ['if the userinfo has another subject', 'verified', { rewrite: withMember('/me', { sub: 'unverified' }) }],
  ])('is refused %s', async (_, account, options) => {
    const server = await startOwnServer(options)
    const refusal = await refusalOf(() => signInThrough(server, { account }))
    expect(refusal.code).toBe('identity_provider_refused')
  })

  it.each(['/token', '/me', '/jwks'])(
    'is reported as unavailable, not as a refusal, when %s is broken',
    async (broken) => {
      const server = await startOwnServer({ rewrite: only(broken, () => '<h1>Sorry</h1>') })
      const refusal = await refusalOf(() => signInThrough(server, { account: 'verified' }))
      expect(refusal.code).toBe('identity_provider_unavailable')
    },
  )
})

describe('A faulty OpenID provider', () => {
  it('is unavailable while it is down and is contacted again later', async () => {
    const gone = await startOidcServer()
    await gone.close()
    const provider = clientOf(gone)
    for (const task of [() => provider.begin(), () => provider.begin()]) {
      const refusal = await refusalOf(task)
      expect(refusal.code).toBe('identity_provider_unavailable')
      expect(refusal.message).toContain('ECONNREFUSED')
    }
    const server = await startOwnServer({ port: gone.port })
    const { identity } = await signInThrough(server, { account: 'verified' }, provider)
    expect(identity.email).toBe('vera@example.org')
  })

  it('is unavailable when it fails between the two steps', async () => {
    const server = await startOidcServer()
    const { provider, flow, callback } = await comeBack(server)
    await server.close()
    const refusal = await refusalOf(() => provider.finish(callback, flow))
    expect(refusal.code).toBe('identity_provider_unavailable')
  })

  it('is contacted once for many simultaneous sign-ins', async () => {
    let asked = 0
    const server = await startOwnServer({
      rewrite: only('/.well-known/openid-configuration', (body) => {
        asked += 1
        return body
      }),
    })
    const provider = clientOf(server)
    await Promise.all(Array.from({ length: 5 }, () => provider.begin()))
    await provider.begin()
    expect(asked).toBe(1)
  })

  it.each<[string, object | null]>([
    ['is no JSON', null],
    ['names another issuer', { issuer: 'https://other.example' }],
    ['has no endpoints', {}],
    ['wants other protocols', { authorization_endpoint: 'javascript:alert(1)' }],
  ])('is unavailable when its metadata %s', async (_, changes) => {
    const url = await startServer((request, response) => {
      const issuer = `http://${String(request.headers.host)}`
      response.setHeader('content-type', 'application/json')
      response.end(changes === null ? '<h1>' : JSON.stringify({ issuer, ...changes }))
    })
    const refusal = await refusalOf(() => clientOf({ ...shared, issuer: url }).begin())
    expect(refusal.code).toBe('identity_provider_unavailable')
  })

  it.runIf(canMakeCertificates()).each([
    ['https', 'usable'],
    ['http', 'identity_provider_unavailable'],
  ])('with an https address and %s endpoints is %s', async (scheme, outcome) => {
    const { certificate, key } = await makeCertificate(await temporaryFolder())
    const tls = { cert: await readFile(certificate), key: await readFile(key) }
    const secure = createServer(tls, ({ headers: { host = '' } }, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ issuer: `https://${host}`, authorization_endpoint: `${scheme}://${host}/` }))
    })
    const port = await listen(secure, 0)
    onTestFinished(() => stop(secure))
    const program = `
      import { OidcProvider } from '${builtModule('src/guidance/identity/identity-providers/oidc.ts')}'
      new OidcProvider(JSON.parse(process.argv[1])).begin()
        .then(() => console.log('usable'), (error) => console.log(error.code))`
    const settings = { issuer: `https://127.0.0.1:${port}`, clientId: 'x', scopes: 'openid' }
    const options = { settings, clientSecret: 'x', redirectUri: 'http://127.0.0.1/' }
    expect(await runTrusting(certificate, program, options)).toBe(outcome)
  })

  it('times out after ten seconds', async () => {
    const url = await startServer(() => undefined)
    const begin = Date.now()
    const refusal = await refusalOf(() => clientOf({ ...shared, issuer: url }).begin())
    expect(refusal.code).toBe('identity_provider_unavailable')
    expect(Date.now() - begin).toBeLessThan(15_000)
  })
})

async function comeBack(server: OidcServer): Promise<{ provider: OidcProvider; flow: OidcFlow; callback: URL }> {
  const provider = clientOf(server)
  const { location, flow } = await provider.begin()
  return { provider, flow, callback: await server.signInAt(location, { account: 'verified' }) }
}

interface JwtParts {
  readonly header: string
  readonly claims: string
  readonly signature: string
}

const answer = z.looseObject({})
const tokenAnswer = z.looseObject({ id_token: z.string() })

function only(changedPath: string, change: (body: unknown) => unknown): Rewrite {
  return (path, body) => (path === changedPath ? change(body) : body)
}

function withMember(path: string, member: object): Rewrite {
  return only(path, (body) => ({ ...answer.parse(body), ...member }))
}

function forged(body: unknown, forge: (parts: JwtParts) => string): object {
  const tokens = tokenAnswer.parse(body)
  const [header = '', claims = '', signature = ''] = tokens.id_token.split('.')
  return { ...tokens, id_token: forge({ header, claims, signature }) }
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}

function decode(part: string): object {
  return answer.parse(JSON.parse(Buffer.from(part, 'base64url').toString('utf8')))
}
