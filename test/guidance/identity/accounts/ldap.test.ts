import { afterAll, describe, expect, it } from 'vitest'
import { continuing, cookieOf, logIn, sending, statusOf } from '../../../support/accounts.ts'
import { requestToken, setRows } from '../../../support/guidance-records.ts'
import { guidanceService, PASSWORD, type GuidanceUnderTest } from '../../../support/guidance.ts'
import { LDAP_PASSWORD, slapdPath, startLdapServer } from '../../../support/ldap-server.ts'
import { ownAccountOf } from '../../../support/single-sign-on.ts'

const hasDirectory = slapdPath() !== null
const directory = hasDirectory ? await startLdapServer() : null
afterAll(() => directory?.close())

const SETTINGS = {
  SERVICE_LDAP_URL: directory?.url ?? 'ldap://127.0.0.1:1',
  SERVICE_LDAP_BASE_DN: directory?.baseDn ?? 'dc=example,dc=org',
  SERVICE_LDAP_BIND_DN: directory?.bindDn ?? '',
  SERVICE_LDAP_BIND_PASSWORD: directory?.bindPassword ?? '',
  SERVICE_LDAP_TITLE: 'Staff',
}

describe.skipIf(!hasDirectory)('A sign-in with the password of the directory', () => {
  const guidance = guidanceService(SETTINGS)

  it('creates an account at the first sign-in and finds it again', async () => {
    const answer = await signIn(guidance(), 'ann')
    expect(answer).toMatchObject({
      status: 200,
      body: { name: 'ann of Example', email: 'ann@example.org', admin: false, provider: 'ldap' },
    })
    const session = continuing(guidance(), answer)
    expect((await session.call('GET', '/api/auth/me')).body).toEqual(answer.body)
    expect((await signIn(guidance(), 'ANN')).body).toEqual(answer.body)
    expect((await logIn(guidance().nobody, 'ann@example.org', LDAP_PASSWORD)).status).toBe(401)
    expect((await guidance().nobody.call('GET', '/api/settings')).body).toMatchObject({
      ldap: { enabled: true, title: 'Staff' },
    })
  })

  it('is recent enough to create a token', async () => {
    const session = continuing(guidance(), await signIn(guidance(), 'ann'))
    expect((await requestToken(session, { current_password: undefined })).status).toBe(200)
  })

  it('links the account with the same address', async () => {
    const person = await guidance().person('Jörg', { email: 'joerg@example.org' })
    const answer = await signIn(guidance(), 'jörg')
    expect(answer.body).toMatchObject({ id: person.id, name: 'Jörg', provider: 'ldap' })
    const { identities } = await ownAccountOf(continuing(guidance(), answer))
    expect(identities).toMatchObject([{ provider: 'ldap' }])
    expect((await logIn(guidance().nobody, person.email)).status).toBe(200)
  })

  it("links an administrator's account only after its owner has confirmed with the password", async () => {
    const boss = await guidance().person('Twin', { admin: true, email: 'odd@example.org' })
    const refused = { status: 403, body: { code: 'identity_not_linked' } }
    const session = await guidance().signIn(boss.email)
    const name = 'o(d)*d\\2a'
    for (const nobody of [guidance().nobody, session]) expect(await signIn({ nobody }, name)).toMatchObject(refused)
    const ask = (current_password?: string) =>
      session.call('POST', '/users/link_identity', { body: { current_password } })
    expect(await ask()).toMatchObject({ status: 422, body: { code: 'incorrect_password' } })
    expect(await signIn({ nobody: session }, name)).toMatchObject(refused)
    expect(await ask(PASSWORD)).toMatchObject({ status: 200 })
    expect(await signIn(guidance(), name)).toMatchObject(refused)
    expect(await signIn({ nobody: session }, name)).toMatchObject({
      status: 200,
      body: { id: boss.id, admin: true, provider: 'ldap' },
    })
    expect((await signIn(guidance(), name)).status).toBe(200)
    await setRows(guidance(), 'users', { admin: 0 }, { id: boss.id })
  })

  it.each([
    ['a wrong password', { username: 'ann', password: 'wrong' }],
    ['no password', { username: 'ann' }],
    ['an empty password', { username: 'ann', password: '' }],
    ['an unknown name', { username: 'nobody', password: LDAP_PASSWORD }],
    ['a wild card', { username: '*', password: LDAP_PASSWORD }],
    ['a filter', { username: 'ann)(uid=*', password: LDAP_PASSWORD }],
    ['nothing', {}],
    ['odd values', { username: ['ann'], password: { $ne: 1 } }],
    ['NUL', { username: 'ann\0', password: LDAP_PASSWORD }],
    ['very long values', { username: 'x'.repeat(2000), password: 'x'.repeat(2000) }],
  ])('is refused for %s', async (_what, body) => {
    const answer = await guidance().nobody.call('POST', '/users/auth/ldap/callback', { body })
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    expect(cookieOf(answer)).toBe('')
  })

  it('is refused without an e-mail address', async () => {
    expect(await signIn(guidance(), 'mailless')).toMatchObject({
      status: 401,
      body: { code: 'identity_provider_refused' },
    })
  })

  it('is refused for an account that an administrator has locked', async () => {
    const root = await guidance().signUp('Root', { admin: true })
    const session = continuing(guidance(), await signIn(guidance(), 'o(d)*d\\2a'))
    const { id } = await ownAccountOf(session)
    expect((await root.call('POST', `/users/${id}/lock`)).status).toBe(200)
    expect(await statusOf(session)).toBe(401)
    expect(await signIn(guidance(), 'o(d)*d\\2a')).toMatchObject({ status: 401, body: { code: 'account_locked' } })
  })
})

describe.skipIf(!hasDirectory)('Failed attempts with the password of the directory', () => {
  const limited = guidanceService({ ...SETTINGS, SERVICE_RATE_LIMIT_ENABLED: 'true' })

  it('are refused after five, for the name in any letter case', async () => {
    for (let success = 0; success < 6; success += 1) expect((await signIn(limited(), 'ann')).status).toBe(200)
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await signIn(limited(), 'Ann', PASSWORD)).status).toBe(401)
    expect(await signIn(limited(), 'ann')).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  })
})

describe.skipIf(!hasDirectory)('Guesses at one person of the directory', () => {
  const proxied = guidanceService({
    ...SETTINGS,
    SERVICE_RATE_LIMIT_ENABLED: 'true',
    SERVICE_TRUSTED_PROXIES: '127.0.0.1',
  })

  it('are counted together for every spelling of the name and every client', async () => {
    const spellings = ['ann', ' Ann  ', '\uff21\uff2e\uff2e', 'a\u00adnn', 'ann\t']
    const from = (index: number) => sending(proxied().nobody, { 'X-Forwarded-For': `198.51.100.${index}` })
    for (const [index, username] of spellings.entries())
      expect(await signIn({ nobody: from(index) }, username, PASSWORD)).toMatchObject({ status: 401 })
    expect(await signIn({ nobody: from(9) }, 'ann')).toMatchObject({ status: 429 })
    expect(await signIn({ nobody: from(9) }, 'jörg')).toMatchObject({ status: 200 })
  })
})

describe('A directory that does not answer', () => {
  const gone = guidanceService({ ...SETTINGS, SERVICE_LDAP_URL: 'ldap://127.0.0.1:1' })

  it('is reported as unavailable', async () => {
    expect(await signIn(gone(), 'ann')).toMatchObject({ status: 502, body: { code: 'identity_provider_unavailable' } })
  })
})

function signIn({ nobody }: Pick<GuidanceUnderTest, 'nobody'>, username: string, password = LDAP_PASSWORD) {
  return nobody.call('POST', '/users/auth/ldap/callback', { body: { username, password } })
}
