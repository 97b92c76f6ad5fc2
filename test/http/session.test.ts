// @module-tag node

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { continuing, cookieOf, logIn, sending, statusOf } from '../support/accounts.ts'
import { ago, dumpDatabase, entriesOf, setRows } from '../support/guidance-records.ts'
import { clientOf, guidanceService, type SessionClient } from '../support/guidance.ts'

const SOME_TEXT: unknown = expect.any(String)

const guidance = guidanceService()
const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('A session', () => {
  it('has a cookie that is hidden from scripts and other sites', async () => {
    const ada = await guidance().person('Ada')
    const { headers } = await logIn(guidance().nobody, ada.email)
    const [line = ''] = headers['set-cookie'] ?? []
    const [value = '', ...attributes] = line.split('; ')
    expect(value).toMatch(/^parapet=s%3A[\w-]{32}\.[\w%]+$/)
    expect(attributes.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax'])
  })

  it('is one of several of a person, and signing out ends only it', async () => {
    const ben = await guidance().person('Ben')
    const [first, second] = [await guidance().signIn(ben.email), await guidance().signIn(ben.email)]
    expect(first.cookie).not.toBe(second.cookie)
    expect(await first.call('DELETE', '/api/auth/logout')).toMatchObject({
      status: 200,
      body: { message: 'Signed out successfully' },
    })
    expect(await statusOf(first)).toBe(401)
    expect(await statusOf(second)).toBe(200)
    expect(await rowOf(first)).toBeNull()
    expect(await first.call('DELETE', '/api/auth/logout')).toMatchObject({
      status: 401,
      body: { code: 'not_authenticated' },
    })
  })

  it('is listed for its owner, who can end it elsewhere, one by one or all', async () => {
    const una = await guidance().person('Una')
    const foreign = await guidance().signUp('Vic')
    const agent = sending(guidance().nobody, { 'User-Agent': `Browser ${'x'.repeat(400)}` })
    const agentSession = continuing(guidance(), await logIn(agent, una.email))
    const [second, third] = [await guidance().signIn(una.email), await guidance().signIn(una.email)]
    const listed = async () => {
      const { body } = await agentSession.call('GET', '/users/sessions')
      return z.object({ sessions: z.array(z.looseObject({ id: z.int() })) }).parse(body).sessions
    }
    const sessions = await listed()
    expect(sessions).toHaveLength(3)
    const ownSession = sessions.find(({ current }) => current === true)
    expect(ownSession).toEqual({
      id: ownSession?.id,
      current: true,
      address: '127.0.0.1',
      user_agent: `Browser ${'x'.repeat(292)}`,
      created_at: SOME_TEXT,
      last_used_at: SOME_TEXT,
    })
    const endIt = (client: SessionClient, id: unknown) => client.call('DELETE', `/users/sessions/${String(id)}`)
    expect((await endIt(foreign, ownSession?.id)).status).toBe(404)
    expect((await endIt(agentSession, 2_000_000_000)).status).toBe(404)
    const [newest] = sessions
    expect((await endIt(agentSession, newest?.id)).status).toBe(200)
    expect((await listed()).map(({ id }) => id)).not.toContain(newest?.id)
    const entries = await entriesOf(guidance(), () => agentSession.call('DELETE', '/users/sessions'))
    expect(entries).toMatchObject([{ comment: 'All other sessions were ended' }])
    expect(await Promise.all([agentSession, second, third, foreign].map(statusOf))).toEqual([200, 401, 401, 200])
    expect((await endIt(agentSession, ownSession?.id)).status).toBe(200)
    expect(await statusOf(agentSession)).toBe(401)
  })

  it('is stored without the secrets that it needs', async () => {
    const cleo = await guidance().person('Cleo')
    const { cookie, csrfToken } = await guidance().signIn(cleo.email)
    const value = decodeURIComponent(cookie)
    const dump = await dumpDatabase(guidance())
    for (const secret of [sidOf(cookie), value.split('.')[1], csrfToken]) expect(dump).not.toContain(secret)
    expect(await rowOf({ cookie })).not.toBeNull()
  })

  it.each([
    ['without its signature', (cookie: string) => cookie.split('.')[0] ?? ''],
    ['unsigned', (cookie: string) => `parapet=${sidOf(cookie)}`],
    ['with another signature', (cookie: string) => `${cookie.slice(0, -6)}AAAAAA`],
    ['with the digest of the database', (cookie: string) => `parapet=${digestOf(cookie)}`],
    ['by another name', (cookie: string) => cookie.replace('parapet', '__Host-parapet')],
    ['as an object', (cookie: string) => `parapet=j%3A${JSON.stringify({ sid: sidOf(cookie) })}`],
  ])('is not opened by its cookie %s', async (_how, forge) => {
    const dora = await guidance()
      .person('Dora')
      .catch(() => ({ email: 'dora@example.org' }))
    const session = await guidance().signIn(dora.email)
    const forged = clientOf(guidance().service, { Cookie: forge(session.cookie) })
    expect(await forged.call('GET', '/api/auth/me')).toMatchObject({
      status: 401,
      body: { code: 'not_authenticated', how_to_authenticate: { session: SOME_TEXT } },
    })
    expect(await statusOf(session)).toBe(200)
  })
})

describe('A planted session cookie', () => {
  it('is invalid after the sign-in, even if the service issued it', async () => {
    const emil = await guidance().person('Emil')
    const planted = cookieOf(await guidance().nobody.call('POST', '/consent/acknowledge'))
    expect(planted).toMatch(/^parapet=/)
    const signedIn = await logIn(sending(guidance().nobody, { Cookie: planted }), emil.email)
    expect(cookieOf(signedIn)).toMatch(/^parapet=/)
    expect(sidOf(cookieOf(signedIn))).not.toBe(sidOf(planted))
    expect(await statusOf(clientOf(guidance().service, { Cookie: planted }))).toBe(401)
    expect(await statusOf(continuing(guidance(), signedIn))).toBe(200)
  })

  it('is invalid after another sign-in as well', async () => {
    const fred = await guidance().signUp('Fred')
    const { cookie: Cookie } = fred
    const again = await logIn(sending(guidance().nobody, { Cookie }), fred.email)
    expect(sidOf(cookieOf(again))).not.toBe(sidOf(Cookie))
    expect(await statusOf(fred)).toBe(401)
  })

  it('does not become an id by being sent', async () => {
    const gus = await guidance().person('Gus')
    const Cookie = 'parapet=s%3Achosen-by-somebody-else.signature'
    const answer = await logIn(sending(guidance().nobody, { Cookie }), gus.email)
    expect(cookieOf(answer)).not.toContain('chosen-by-somebody-else')
  })
})

describe('The time of a session', () => {
  it('expires without requests after the time of the setting', async () => {
    const session = await signedIn('Hal')
    await age(session, { touched_at: ago(9 * MINUTE) })
    expect(await statusOf(session)).toBe(200)
    await age(session, { touched_at: ago(10 * MINUTE) })
    expect(await session.call('GET', '/api/auth/me')).toMatchObject({
      status: 401,
      body: { code: 'session_timed_out', how_to_authenticate: { token: SOME_TEXT } },
    })
  })

  it('is extended by a request, but writes rarely', async () => {
    const session = await signedIn('Ida')
    await age(session, { touched_at: ago(9 * MINUTE) })
    await statusOf(session)
    const touched = (await rowOf(session))?.touched_at ?? ''
    expect(Date.now() - Date.parse(touched)).toBeLessThan(MINUTE)
    await statusOf(session)
    expect((await rowOf(session))?.touched_at).toBe(touched)
  })

  it('is extended by a request that changes it', async () => {
    const session = await signedIn('Jo')
    await age(session, { touched_at: ago(9 * MINUTE) })
    await session.call('POST', '/consent/acknowledge')
    const touched = (await rowOf(session))?.touched_at ?? ''
    expect(Date.now() - Date.parse(touched)).toBeLessThan(MINUTE)
  })

  it('is not revived by a request after it has expired', async () => {
    const session = await signedIn('Kim')
    await age(session, { touched_at: ago(11 * MINUTE) })
    await statusOf(session)
    expect(await session.call('GET', '/api/auth/me')).toMatchObject({ body: { code: 'session_timed_out' } })
  })

  it('ends after the maximum lifetime of the setting', async () => {
    const session = await signedIn('Lea')
    const { created_at = '', expires_at = '' } = (await rowOf(session)) ?? {}
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(12 * HOUR)
    await age(session, { expires_at: ago(1) })
    expect(await session.call('GET', '/api/auth/me')).toMatchObject({
      status: 401,
      body: { code: 'session_timed_out' },
    })
  })

  it('allows another sign-in in the same browser after the session has expired', async () => {
    const session = await signedIn('Max')
    await age(session, { touched_at: ago(11 * MINUTE) })
    const { cookie: Cookie } = session
    const again = await logIn(sending(guidance().nobody, { Cookie }), 'max@example.org')
    expect(await statusOf(continuing(guidance(), again))).toBe(200)
  })
})

describe('An anonymous session', () => {
  it('lasts a quarter of an hour, then a new one begins', async () => {
    const first = await guidance().nobody.call('POST', '/consent/acknowledge')
    const cookie = cookieOf(first)
    const { created_at = '', expires_at = '' } = (await rowOf({ cookie })) ?? {}
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(15 * MINUTE)
    const browser = clientOf(guidance().service, { Cookie: cookie })
    const { body } = await browser.call('GET', '/api/auth/csrf')
    const { csrf_token } = z.object({ csrf_token: z.string() }).parse(body)
    const headers = { 'X-CSRF-Token': csrf_token }
    expect(cookieOf(await browser.call('POST', '/consent/acknowledge', { headers }))).toBe('')
    await age({ cookie }, { expires_at: ago(1) })
    const renewed = await browser.call('POST', '/consent/acknowledge')
    expect(renewed.status).toBe(200)
    expect(sidOf(cookieOf(renewed))).not.toBe(sidOf(cookie))
  })

  it('is not begun by reading', async () => {
    for (const path of ['/api/settings', '/api/version', '/api/auth/csrf', '/api/auth/me'])
      expect(cookieOf(await guidance().nobody.call('GET', path))).toBe('')
  })

  it('gives no access', async () => {
    const Cookie = cookieOf(await guidance().nobody.call('POST', '/consent/acknowledge'))
    expect(await statusOf(clientOf(guidance().service, { Cookie }))).toBe(401)
  })
})

async function signedIn(name: string): Promise<SessionClient> {
  return guidance().signUp(name)
}

interface Cookied {
  readonly cookie: string
}

function sidOf(cookie: string): string {
  return /=s:([^.]+)/.exec(decodeURIComponent(cookie))?.[1] ?? ''
}

function digestOf(cookie: string): string {
  return createHash('sha256').update(sidOf(cookie)).digest('base64url')
}

async function rowOf({ cookie }: Cookied) {
  const row = await guidance()
    .service.guidance.database.read.selectFrom('sessions')
    .selectAll()
    .where('digest', '=', digestOf(cookie))
    .executeTakeFirst()
  return row ?? null
}

function age(
  { cookie }: Cookied,
  times: { readonly touched_at?: string; readonly expires_at?: string },
): Promise<unknown> {
  return setRows(guidance(), 'sessions', times, { digest: digestOf(cookie) })
}
