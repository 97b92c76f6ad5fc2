import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Endpoint } from '../../../src/http/endpoint.ts'
import { continuing, cookieOf, logIn, sending } from '../../support/accounts.ts'
import { ago, alter, entriesOf, rowOf, rowsOf, setRows } from '../../support/guidance-records.ts'
import { clientOf, guidanceService, PASSWORD, type Client, type SessionClient } from '../../support/guidance.ts'

const guidance = guidanceService({
  SERVICE_CONSENT_ENABLED: 'true',
  SERVICE_CONSENT_VERSION: '3',
  SERVICE_CONSENT_TTL: '3600',
})

const ACKNOWLEDGE = ['POST', '/consent/acknowledge'] as const
const REFUSED = { status: 403, body: { code: 'consent_required' } }
const SOME_ID: unknown = expect.any(Number)

const acknowledged = z.strictObject({ acknowledged_at: z.iso.datetime(), version: z.int() })

describe('Accepting the terms of use', () => {
  it('is remembered with the version, and survives the sign-in', async () => {
    const first = await guidance().nobody.call(...ACKNOWLEDGE)
    const { acknowledged_at: acceptedAt, version } = acknowledged.parse(first.body)
    expect(version).toBe(3)
    const { email } = await guidance().person('Ada')
    const headers = { Cookie: cookieOf(first) }
    const session = continuing(guidance(), await logIn(sending(guidance().nobody, headers), email))
    expect(await remembered()).toEqual([{ userId: SOME_ID, consent: { at: acceptedAt, version } }])
    expect((await session.call('GET', '/projects')).status).toBe(200)

    await session.call(...ACKNOWLEDGE)
    const [{ consent } = { consent: undefined }] = await remembered()
    expect(Date.parse(consent?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(acceptedAt))
    await session.call('DELETE', '/api/auth/logout')
    expect(await remembered()).toEqual([])
  })

  it('ends with its session, whoever signs in after that', async () => {
    const first = await guidance().nobody.call(...ACKNOWLEDGE)
    await setRows(guidance(), 'sessions', { expires_at: ago(1) })
    const { email } = await guidance().person('Abe')
    const browser = sending(guidance().nobody, { Cookie: cookieOf(first) })
    const session = continuing(guidance(), await logIn(browser, email))
    expect(await session.call('GET', '/projects')).toMatchObject(REFUSED)
  })

  it('requires the CSRF token of a session, with or without a signed-in person', async () => {
    const { email } = await guidance().person('Cora')
    const first = await guidance().nobody.call(...ACKNOWLEDGE)
    const { cookie } = await guidance().signIn(email)
    for (const Cookie of [cookieOf(first), cookie]) {
      const browser = clientOf(guidance().service, { Cookie })
      const refused = { status: 403, body: { code: 'invalid_csrf_token' } }
      expect(await browser.call(...ACKNOWLEDGE)).toMatchObject(refused)
      const { body } = await browser.call('GET', '/api/auth/csrf')
      const { csrf_token } = z.object({ csrf_token: z.string() }).parse(body)
      const headers = { 'X-CSRF-Token': csrf_token }
      expect((await browser.call(...ACKNOWLEDGE, { headers })).status).toBe(200)
    }
  })

  it('needs neither a body nor an account, and ignores a token', async () => {
    const client = clientOf(guidance().service, { Authorization: 'Token svc_nonsense' })
    expect((await client.call(...ACKNOWLEDGE)).status).toBe(200)
    expect((await client.call('POST', '/consent/acknowledge', { body: [1] })).status).toBe(200)
    expect((await client.call('GET', '/consent/acknowledge')).status).toBe(405)
  })
})

describe('Without accepted terms', () => {
  it('every operation that requires an account is refused, except sign-in and sign-out', async () => {
    const session = await guidance().signUp('Bea', { admin: true })
    const token = await tokenOf(session.email)
    await forget(session.email)
    const endpoints = guidance().service.guidance.endpoints
    const ask = (client: Client, { methods, path }: Endpoint) =>
      Promise.all(methods.map((method) => client.call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, '1'))))
    const closed = endpoints.filter(
      ({ access, beforeConsent }) => access.authentication !== 'none' && beforeConsent !== true,
    )
    for (const endpoint of closed)
      for (const client of endpoint.access.authentication === 'session' ? [session] : [session, token])
        for (const answer of await ask(client, endpoint)) expect(answer, endpoint.path).toMatchObject(REFUSED)
    const open = endpoints.filter(({ beforeConsent }) => beforeConsent === true)
    expect(open.map(({ path }) => path)).toEqual(['/api/auth/me', '/api/auth/logout'])
    expect((await session.call('GET', '/api/auth/me')).status).toBe(200)
    expect((await session.call('DELETE', '/api/auth/logout')).status).toBe(200)
  })

  it('anonymous requests and writes without a CSRF token are refused as usual', async () => {
    const { email } = await guidance().person('Cleo')
    const { cookie } = await guidance().signIn(email)
    expect(await guidance().nobody.call('GET', '/projects')).toMatchObject({ status: 401 })
    expect((await guidance().nobody.call('GET', '/api/search/unified?q=x')).status).toBe(200)
    const write = await sending(guidance().nobody, { Cookie: cookie }).call('POST', '/projects')
    expect(write).toMatchObject({ status: 403, body: { code: 'invalid_csrf_token' } })
  })
})

describe('A consent', () => {
  it('is valid for its version until it expires, in each session', async () => {
    const { email } = await guidance().person('Dora')
    const session = await accepted(email)
    expect((await session.call('GET', '/projects')).status).toBe(200)
    const now = new Date().toISOString()
    for (const consent of [
      { at: now, version: 2 },
      { at: now, version: 4 },
      { at: ago(3_601_000), version: 3 },
    ]) {
      await rewrite(email, consent)
      expect(await session.call('GET', '/projects')).toMatchObject(REFUSED)
    }
    await rewrite(email, { at: ago(3_500_000), version: 3 })
    expect((await session.call('GET', '/projects')).status).toBe(200)
    // The notice is shown to whoever sits there now.
    expect(await (await guidance().signIn(email)).call('GET', '/projects')).toMatchObject(REFUSED)
  })

  it('is valid for tokens of the account without expiry and is audited once', async () => {
    const { email, name } = await guidance().person('Elsa')
    const entries = await entriesOf(guidance(), async () => {
      await accepted(email)
      await accepted(email)
    })
    const comment = 'Accepted version 3 of the terms of use'
    expect(entries).toMatchObject([{ name, audited_name: name, comment }])
    const token = await tokenOf(email)
    await rewrite(email, { at: ago(9_000_000), version: 3 })
    expect((await token.call('GET', '/projects')).status).toBe(200)
    for (const version of [2, 4]) {
      await setRows(guidance(), 'consents', { version })
      expect(await token.call('GET', '/projects')).toMatchObject(REFUSED)
    }
    await forget(email)
    expect(await token.call('GET', '/projects')).toMatchObject(REFUSED)
  })
})

async function accepted(email: string): Promise<SessionClient> {
  const session = await guidance().signIn(email)
  await session.call(...ACKNOWLEDGE)
  return session
}

async function tokenOf(email: string): Promise<Client> {
  const session = await accepted(email)
  const expires_at = new Date(Date.now() + 86_400_000 * 9).toISOString().slice(0, 10)
  const token = { name: 'T', scopes: ['admin'], expires_at, current_password: PASSWORD }
  const answer = await session.call('POST', '/personal_access_tokens', { body: { personal_access_token: token } })
  const answered = z.object({ token: z.string() }).parse(answer.body)
  return clientOf(guidance().service, { Authorization: `Token ${answered.token}` })
}

/** As if the account had never accepted anything. */
async function forget(email: string): Promise<void> {
  const { id } = await userOf(email)
  await alter(guidance(), (writer) => writer.deleteFrom('consents').where('user_id', '=', id).execute())
}

/** Replaces the consent that all sessions of a person remember. */
async function rewrite(email: string, consent: z.infer<typeof kept>['consent']): Promise<void> {
  const { id: userId } = await userOf(email)
  const data = JSON.stringify({ userId, consent })
  await setRows(guidance(), 'sessions', { data }, { user_id: userId })
}

function userOf(email: string): Promise<{ readonly id: number }> {
  return rowOf(guidance(), 'users', { email })
}

const kept = z.object({
  userId: z.int().optional(),
  consent: z.object({ at: z.string(), version: z.int() }).optional(),
})

/** The data of all sessions in the database. */
async function remembered() {
  const rows = await rowsOf(guidance(), 'sessions')
  return rows.map(({ data }) => kept.parse(JSON.parse(data)))
}
