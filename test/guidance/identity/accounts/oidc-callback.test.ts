import { describe, expect, it } from 'vitest'
import { cleanUp } from '../../../../src/guidance/service/housekeeping.ts'
import { cookieOf, statusOf } from '../../../support/accounts.ts'
import { ago, setRows } from '../../../support/guidance-records.ts'
import { clientOf, guidanceService } from '../../../support/guidance.ts'
import { BASE_URL, singleSignOn } from '../../../support/single-sign-on.ts'

const { guidance, signOn, enter, goThere, comeBack } = await singleSignOn(['gus', 'hal'])

describe('The callback of the provider', () => {
  it('begins a new session and ends the previous one', async () => {
    const returning = await goThere('gus')
    const answer = await comeBack(returning)
    expect(cookieOf(answer)).not.toBe(returning.cookie)
    expect(await statusOf(clientOf(guidance().service, { Cookie: returning.cookie }))).toBe(401)
  })

  it('works once', async () => {
    const returning = await goThere('gus')
    expect((await comeBack(returning)).status).toBe(303)
    expect(await comeBack(returning)).toMatchObject({ status: 401, body: { code: 'identity_provider_refused' } })
  })

  it('works only in the browser that began the sign-in', async () => {
    const { back } = await goThere('gus')
    const { cookie: another } = await goThere('hal')
    for (const cookie of [another, ''])
      expect(await comeBack({ back, cookie })).toMatchObject({
        status: 401,
        body: { code: 'identity_provider_refused' },
      })
  })

  it('is used up by a failed attempt', async () => {
    const returning = await goThere('gus')
    const forged = new URL(returning.back)
    forged.searchParams.set('state', 'forged')
    expect((await comeBack({ ...returning, back: forged })).status).toBe(401)
    expect((await comeBack(returning)).status).toBe(401)
  })

  it('works after the session of the caller has expired', async () => {
    const session = await enter('hal')
    await setRows(guidance(), 'sessions', { touched_at: ago(3_600_000) })
    const returning = await goThere('hal', { cookie: session.cookie })
    expect(returning.cookie).not.toBe(session.cookie)
    await cleanUp(guidance().service.guidance)
    expect((await comeBack(returning)).status).toBe(303)
  })

  it('reports that the user has declined', async () => {
    const answer = await signOn(null)
    expect(answer).toMatchObject({ status: 401, body: { code: 'identity_provider_refused' } })
  })
})

describe('The redirect after a single sign-on', () => {
  it.each([
    ['/projects', '/projects'],
    ['/projects/1?tab=members#top', '/projects/1?tab=members#top'],
    ['/a/../projects', '/projects'],
    [`/?next=https://evil.example`, '/?next=https://evil.example'],
    ['/%2F%2Fevil.example', '/%2F%2Fevil.example'],
    ['', '/'],
    ['projects', '/'],
    ['//evil.example', '/'],
    ['///evil.example', '/'],
    ['/\\evil.example', '/'],
    ['\\\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['/\n/evil.example', '/'],
    ['\t//evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/a/..//evil.example', '/'],
    ['/./\\evil.example', '/'],
    ['/%2e//evil.example', '/'],
    ['https://evil.example', '/'],
    ['https:evil.example', '/'],
    ['//127.0.0.1:4711@evil.example', '/'],
    ['javascript:alert(1)', '/'],
    [`${BASE_URL}/projects`, '/'],
    ['%2F%2Fevil.example', '/'],
  ])('leads to this service for %j', async (return_to, location) => {
    const answer = await comeBack(await goThere('gus', { query: { return_to } }))
    expect(answer.status).toBe(303)
    expect(answer.headers.location).toBe(location)
    expect(new URL(location, BASE_URL).origin).toBe(BASE_URL)
  })

  it('uses one target if several are given', async () => {
    const path = '/users/auth/oidc?return_to=/one&return_to=//evil.example&return_to[x]=y'
    const begun = await guidance().nobody.call('GET', path)
    expect(begun.status).toBe(303)
    expect(String(begun.headers.location)).not.toContain('evil')
  })
})

describe('The redirect to the provider', () => {
  it('contains no secrets for the browser and differs each time', async () => {
    const [first, second] = [
      await guidance().nobody.call('GET', '/users/auth/oidc'),
      await guidance().nobody.call('POST', '/users/auth/oidc'),
    ].map(({ headers }) => new URL(String(headers.location)).searchParams)
    for (const name of ['state', 'nonce', 'code_challenge']) expect(first?.get(name)).not.toBe(second?.get(name))
    expect(first?.get('code_challenge_method')).toBe('S256')
    expect(first?.has('code_verifier')).toBe(false)
    expect(first?.get('redirect_uri')).toBe(`${BASE_URL}/users/auth/oidc/callback`)
  })
})

describe('A service without a provider', () => {
  const without = guidanceService()

  it.each([
    ['GET', '/users/auth/oidc'],
    ['GET', '/users/auth/oidc/callback?code=a&state=b'],
    ['POST', '/users/auth/ldap/callback'],
  ])('returns 404 for %s %s', async (method, path) => {
    const body = method === 'POST' ? { username: 'ann', password: 'x' } : undefined
    expect(await without().nobody.call(method, path, { body })).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    })
  })
})
