import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ago, alter, makeToken, setRows, rowOf } from '../../../support/guidance-records.ts'
import { clientOf, guidanceService, PASSWORD, signedIn, type Answer, type Client } from '../../../support/guidance.ts'

const ME = '/api/auth/me'
const WORDS: unknown = expect.stringMatching(/\w+ \w+/)

const guidance = guidanceService()
const ada = signedIn(guidance, 'Ada')
let project: number

beforeAll(async () => {
  project = await guidance().project(ada)
})

/** Nobody may have more than 20. */
beforeEach(() =>
  alter(guidance(), (writer) => writer.deleteFrom('personal_access_tokens').where('user_id', '=', ada.id).execute()),
)

describe('The scopes of a token', () => {
  const WRITES: readonly (readonly [string, () => string, unknown])[] = [
    ['POST', () => '/projects', { project: { name: 'By a token' } }],
    ['PUT', () => `/projects/${project}`, { project: { description: 'put' } }],
    ['PATCH', () => `/projects/${project}`, { project: { description: 'patched' } }],
  ]

  it.each([
    [['read'], 200, 403],
    [['write'], 403, 200],
    [['read', 'write'], 200, 200],
    [['admin'], 200, 200],
    [['admin', 'read'], 200, 200],
  ])('%j permit reads with %i and writes with %i', async (scopes, reading, writing) => {
    const { client } = await makeToken(guidance(), ada, { scopes })
    for (const method of ['GET', 'HEAD']) {
      const answer = await client.call(method, ME)
      expect(answer.status).toBe(reading)
      if (method === 'GET' && reading === 403) expectScopeError(answer, 'read')
    }
    for (const [method, path, body] of WRITES) {
      const answer = await client.call(method, path(), { body })
      expect(answer.status).toBe(writing)
      if (writing === 403) expectScopeError(answer, 'write')
    }
    const doomed = await guidance().project(ada)
    const removal = await client.call('DELETE', `/projects/${doomed}`)
    expect(removal.status).toBe(writing)
  })

  it('grant no rights that the owner lacks: admin makes no site administrator', async () => {
    const { client } = await makeToken(guidance(), ada, { scopes: ['admin'] })
    for (const path of ['/users', '/api/audits']) {
      const answer = await client.call('GET', path)
      expect(answer).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
    }
    const stranger = await guidance().signUp('Stranger')
    const hidden = await guidance().project(stranger, { name: 'Hidden' })
    expect((await client.call('GET', `/projects/${hidden}`)).status).toBe(404)
  })

  it('grant the rights of the owner: a token of a site administrator reads everything', async () => {
    const admin = await guidance().signUp('Root', { admin: true })
    const { client } = await makeToken(guidance(), admin, { scopes: ['read'] })
    expect((await client.call('GET', '/users')).status).toBe(200)
    expect((await client.call('GET', `/projects/${project}`)).status).toBe(200)
    await setRows(guidance(), 'users', { admin: 0 }, { id: admin.id })
    expect((await client.call('GET', '/users')).status).toBe(403)
    expect((await client.call('GET', `/projects/${project}`)).status).toBe(404)
    expect((await client.call('GET', ME)).body).toMatchObject({ admin: false })
  })

  it('are checked before the requested record', async () => {
    const { client } = await makeToken(guidance(), ada, { scopes: ['read'] })
    const answer = await client.call('POST', '/projects', { body: '{ no JSON' })
    expectScopeError(answer, 'write')
  })
})

describe('A token in the Authorization header', () => {
  it.each([
    ['nothing', () => 'Token'],
    ['an unknown token', () => `Token svc_${'1'.repeat(36)}`],
    ['garbage', () => 'Token %_\\\'"; drop table users'],
    ['10,000 letters', () => `Token ${'x'.repeat(10_000)}`],
    ['a list', (raw: string) => `Token ${raw}, Token ${raw}`],
    ['another letter case', (raw: string) => `Token ${raw.toUpperCase()}`],
    ['one letter less', (raw: string) => `Token ${raw.slice(0, -1)}`],
    ['its shown part', (raw: string) => `Token ${raw.slice(0, 8)}`],
  ])('is refused with %s, even with the cookie of a valid session', async (_what, header) => {
    const { raw } = await makeToken(guidance(), ada)
    const Authorization = header(raw)
    const alone = await asking({ Authorization })
    const beside = await asking({ Authorization, Cookie: ada.cookie })
    for (const answer of [alone, beside]) {
      expect(answer.status).toBe(401)
      expect(answer.body).toMatchObject({
        code: 'invalid_token',
        error: 'The token is missing, unknown, revoked or expired.',
        how_to_authenticate: { session: WORDS, token: WORDS },
      })
    }
  })

  it.each(['Bearer x', ''])('is ignored in %j, and the session is used', async (Authorization) => {
    expect((await asking({ Authorization, Cookie: ada.cookie })).status).toBe(200)
    const answer = await asking({ Authorization })
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject({ code: 'not_authenticated', error: WORDS })
  })

  it('takes precedence over the session', async () => {
    const { raw } = await makeToken(guidance(), ada)
    const bob = await guidance().signUp('Bob')
    const answer = await asking({ Authorization: `Token ${raw}`, Cookie: bob.cookie })
    expect(answer.body).toMatchObject({ id: ada.id })
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.headers['x-csrf-token']).toBeUndefined()
  })

  it('needs no CSRF token to write, unlike a session', async () => {
    const body = { project: { name: 'Without CSRF' } }
    const { client } = await makeToken(guidance(), ada, { scopes: ['write'] })
    expect((await client.call('POST', '/projects', { body })).status).toBe(200)
    const bare = clientOf(guidance().service, { Cookie: ada.cookie })
    const refused = await bare.call('POST', '/projects', { body })
    expect(refused).toMatchObject({ status: 403, body: { code: 'invalid_csrf_token' } })
  })

  it('is ignored for public pages', async () => {
    const headers = { Authorization: 'Token svc_nonsense' }
    for (const path of ['/api/settings', '/api/version', '/api/auth/csrf'])
      expect((await guidance().nobody.call('GET', path, { headers })).status).toBe(200)
    const login = await guidance().nobody.call('POST', '/api/auth/login', {
      headers,
      body: { email: ada.email, password: PASSWORD },
    })
    expect(login.status).toBe(200)
    expect(login.headers['set-cookie']).toHaveLength(1)
  })
})

describe('Tokens', () => {
  it.each([
    ['GET', '/personal_access_tokens'],
    ['POST', '/personal_access_tokens'],
    ['DELETE', '/personal_access_tokens/1'],
    ['DELETE', '/personal_access_tokens/1/admin_revoke'],
  ])('cannot manage tokens: %s %s', async (method, path) => {
    const admin = await guidance().signUp(`Manager${method}${path.length}`, { admin: true })
    const { raw, client } = await makeToken(guidance(), admin, { scopes: ['admin'] })
    const beside = clientOf(guidance().service, {
      Authorization: `Token ${raw}`,
      Cookie: admin.cookie,
      'X-CSRF-Token': admin.csrfToken,
    })
    const body = { personal_access_token: {}, audit_comment: 'x' }
    for (const candidate of [client, beside]) {
      const answer = await candidate.call(method, path, method === 'GET' ? {} : { body })
      expect(answer.status).toBe(403)
      expect(answer.body).toMatchObject({ code: 'session_authentication_required', error: WORDS })
    }
  })

  it('return the same error, valid or not, on paths for sessions only', async () => {
    const headers = { Authorization: 'Token svc_nonsense' }
    const answer = await ada.call('GET', '/personal_access_tokens', { headers })
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_token', error: WORDS } })
  })

  it('record their use at most once a minute', async () => {
    const { id, client } = await makeToken(guidance(), ada)
    expect(await lastUse(id)).toBeNull()
    await client.call('GET', ME)
    const first = await lastUse(id)
    expect(Math.abs(Date.parse(first ?? '') - Date.now())).toBeLessThan(5000)
    await client.call('GET', ME)
    expect(await lastUse(id)).toBe(first)
    const old = await setLastUse(id, ago(58_000))
    await client.call('GET', ME)
    expect(await lastUse(id)).toBe(old)
    await setLastUse(id, ago(60_100))
    await client.call('GET', ME)
    expect(Date.parse((await lastUse(id)) ?? '')).toBeGreaterThan(Date.now() - 5000)
  })

  it('do not record a request that was refused', async () => {
    const { id, client } = await makeToken(guidance(), ada, { scopes: ['write'] })
    expect((await client.call('GET', ME)).status).toBe(403)
    expect(await lastUse(id)).toBeNull()
  })
})

function expectScopeError({ status, body }: Answer, scope: 'read' | 'write'): void {
  const detail = `This request requires the ${scope} scope, and the token does not grant it.`
  expect(status).toBe(403)
  expect(body).toMatchObject({ code: 'insufficient_token_scope', detail, error: detail })
}

function asking(headers: Readonly<Record<string, string>>): ReturnType<Client['call']> {
  return guidance().nobody.call('GET', ME, { headers })
}

async function lastUse(id: number): Promise<string | null> {
  const row = await rowOf(guidance(), 'personal_access_tokens', { id })
  return row.last_used_at
}

async function setLastUse(id: number, last_used_at: string): Promise<string> {
  await setRows(guidance(), 'personal_access_tokens', { last_used_at }, { id })
  return last_used_at
}
