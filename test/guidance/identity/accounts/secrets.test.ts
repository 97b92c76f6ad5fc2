import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  linkIn,
  logIn,
  NEW_PASSWORD,
  resetPassword,
  secretIn,
  useSecret,
  WRONG_PASSWORD,
} from '../../../support/accounts.ts'
import { dumpDatabase, makeToken, requestToken } from '../../../support/guidance-records.ts'
import { PASSWORD, type SessionClient } from '../../../support/guidance.ts'
import { LDAP_PASSWORD, slapdPath, startLdapServer } from '../../../support/ldap-server.ts'
import { startMailServer } from '../../../support/mail-server.ts'
import { singleSignOn } from '../../../support/single-sign-on.ts'

const CLIENT_SECRET = 'a secret: 100% + & ='

const mail = await startMailServer()
const directory = slapdPath() === null ? null : await startLdapServer()
const lines: string[] = []
const { guidance, goThere, comeBack } = await singleSignOn(['ada'], {
  log: pino({ level: 'trace' }, { write: (line) => void lines.push(line) }),
  env: {
    SERVICE_SMTP_URL: mail.url,
    SERVICE_LDAP_URL: directory?.url ?? 'ldap://127.0.0.1:1',
    SERVICE_LDAP_BASE_DN: directory?.baseDn ?? 'dc=example',
    SERVICE_LDAP_BIND_DN: directory?.bindDn ?? 'cn=service',
    SERVICE_LDAP_BIND_PASSWORD: directory?.bindPassword ?? 'service password',
  },
})
afterAll(async () => {
  await mail.close()
  await directory?.close()
})

/** Everything that must stand nowhere. */
const secrets = new Set([PASSWORD, NEW_PASSWORD, WRONG_PASSWORD, LDAP_PASSWORD, CLIENT_SECRET])

describe('A secret', () => {
  it('appears neither in the log nor in the database after any operation', async () => {
    await register('ben')
    await useEverything('ben')
    await singleSign()
    await ldapSign()
    await stumble()
    const logged = lines.join('')
    expect(logged).toContain('Signed in')
    expect(logged).toContain('A request failed')
    const kept = await dumpDatabase(guidance())
    expect(secrets.size).toBeGreaterThan(15)
    for (const secret of secrets) {
      expect(logged).not.toContain(secret)
      expect(kept).not.toContain(secret)
    }
  })
})

describe('A failed sign-in', () => {
  it('is logged with method, client and account, but without the password', async () => {
    const { nobody, service } = guidance()
    const session = await guidance().signUp('Failing')
    lines.length = 0
    await requestToken(session, { current_password: WRONG_PASSWORD })
    for (const who of [session.email, session.email, ' Typed-Password-1! ', 'TYPED-password-1!', 'x', null])
      await logIn(nobody, who, WRONG_PASSWORD)
    await nobody.call('GET', '/api/auth/me', { headers: { Authorization: 'Token svc_unknown' } })
    await service.get('/users/auth/oidc/callback?code=x')
    const found = z.array(failure).parse(lines.map((line): unknown => JSON.parse(line)))
    const failed = found.filter(({ msg }) => msg === 'A sign-in failed')
    const invalid = { level: 40, way: 'password', code: 'invalid_credentials', address: HERE }
    const unknown: unknown = expect.stringMatching(/^[\w-]{16}$/)
    expect(failed).toMatchObject([
      { way: 'proof', code: 'incorrect_password', user: session.id, address: HERE },
      { ...invalid, user: session.id },
      { ...invalid, user: session.id, code: 'account_locked' },
      { ...invalid, unknown },
      { ...invalid, unknown },
      { ...invalid, unknown },
      invalid,
      { way: 'token', code: 'invalid_token', address: HERE },
      { way: 'oidc', code: 'identity_provider_refused', address: HERE },
    ])
    const [, , , first, same, other] = failed.map((line) => line.unknown)
    expect(same).toBe(first)
    expect(other).not.toBe(first)
    const locks = found.filter(({ msg }) => msg.includes('is locked after'))
    expect(locks).toMatchObject([{ level: 40, user: session.id }])
    expect(lines.join('')).not.toMatch(/typed-password/i)
  })

  it.skipIf(directory === null)('is logged for a directory as well', async () => {
    lines.length = 0
    for (const username of ['ann', 'nobody there'])
      await guidance().nobody.call('POST', '/users/auth/ldap/callback', {
        body: { username, password: WRONG_PASSWORD },
      })
    const found = z.array(failure).parse(lines.map((line): unknown => JSON.parse(line)))
    const attempt = { way: 'ldap', code: 'invalid_credentials', address: HERE }
    const user: unknown = expect.any(Number)
    const unknown: unknown = expect.any(String)
    const failed = found.filter(({ msg }) => msg === 'A sign-in failed')
    expect(failed).toMatchObject([
      { ...attempt, user },
      { ...attempt, unknown },
    ])
  })
})

const HERE = '127.0.0.1'

const failure = z.looseObject({ msg: z.string(), unknown: z.string().optional() })

async function register(name: string): Promise<void> {
  const user = { name, email: `${name}@example.org`, password: PASSWORD, password_confirmation: PASSWORD }
  const { nobody } = guidance()
  await nobody.call('POST', '/users', { body: { user } })
  await useSecret(nobody, 'confirmation', await mailedSecret())
  await nobody.call('POST', '/users', { body: { user } })
  await mail.next()
}

async function useEverything(name: string): Promise<void> {
  const email = `${name}@example.org`
  const { nobody } = guidance()
  for (let attempt = 0; attempt < 3; attempt += 1) await logIn(nobody, email, WRONG_PASSWORD)
  await nobody.call('POST', '/users/unlock', { body: { user: { email } } })
  await useSecret(nobody, 'unlock', await mailedSecret())
  const session = note(await guidance().signIn(email))
  const { raw, client } = await makeToken(guidance(), session)
  secrets.add(raw)
  await client.call('GET', '/api/auth/me')
  await requestToken(session, { current_password: WRONG_PASSWORD })
  await nobody.call('POST', '/users/password', { body: { user: { email } } })
  const secret = await mailedSecret()
  await nobody.call('GET', `/users/password/edit?reset_password_token=${secret}`)
  await resetPassword(nobody, secret)
  await resetPassword(nobody, secret)
  await mail.next()
  const again = note(await guidance().signIn(email, NEW_PASSWORD))
  const user = { email: 'moved@example.org', password: PASSWORD, current_password: NEW_PASSWORD }
  await again.call('PUT', '/users', { body: { user } })
  const messages = [await mail.next(), await mail.next()]
  const link = messages.find(({ text }) => text.includes('confirmation_token'))
  if (link === undefined) throw new Error('No link was mailed')
  await useSecret(nobody, 'confirmation', keep(secretIn(linkIn(link))))
}

async function singleSign(): Promise<void> {
  const returning = await goThere('ada')
  keep(returning.back.searchParams.get('code') ?? '')
  keep(sidOf(returning.cookie))
  keep(sidOf(String((await comeBack(returning)).headers['set-cookie'])))
  await comeBack(returning)
}

async function ldapSign(): Promise<void> {
  for (const password of [LDAP_PASSWORD, WRONG_PASSWORD])
    await guidance().nobody.call('POST', '/users/auth/ldap/callback', { body: { username: 'ann', password } })
}

/** Requests that fail in ways that nobody has thought of. */
async function stumble(): Promise<void> {
  const { nobody } = guidance()
  await nobody.call('POST', '/api/auth/login', { body: `{"password": "${PASSWORD}", "email` })
  const session = note(await guidance().signIn('moved@example.org'))
  const { database } = guidance().service.guidance
  const whole = { ...database }
  Object.assign(database, { transact: () => Promise.reject(new Error('A bug')) })
  const user = { name: 'x', password: NEW_PASSWORD, current_password: PASSWORD }
  expect((await session.call('PUT', '/users', { body: { user } })).status).toBe(500)
  const secret = keep('a secret that is none of ours, but looks like one')
  expect((await resetPassword(nobody, secret)).status).toBe(500)
  Object.assign(database, whole)
}

async function mailedSecret(): Promise<string> {
  return keep(secretIn(linkIn(await mail.next())))
}

function note(session: SessionClient): SessionClient {
  keep(sidOf(session.cookie))
  keep(session.csrfToken)
  return session
}

function sidOf(cookie: string): string {
  return /=s:([^.]+)/.exec(decodeURIComponent(cookie))?.[1] ?? ''
}

function keep(secret: string): string {
  if (secret === '') throw new Error('There is no secret')
  secrets.add(secret)
  return secret
}
