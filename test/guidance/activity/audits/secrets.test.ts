import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeToken, requestToken, addRow } from '../../../support/guidance-records.ts'
import { guidanceService, PASSWORD, signedIn, type Answer, type SessionClient } from '../../../support/guidance.ts'

const CHOSEN = 'Chosen-Horse-43-!Staple'
const RESET = 'Reset-Horse-44-!Staple'
const GIVEN = 'Given-Horse-45-!Staple'
const WRONG = 'Wrong-Horse-46-!Staple'

const guidance = guidanceService()

/** Everything that was secret in what the people of this file did. */
const secrets = new Set([PASSWORD, CHOSEN, RESET, GIVEN, WRONG])

const admin = signedIn(guidance, 'Root', { admin: true })

beforeAll(async () => {
  keepSession(admin)
  await registerAndChange()
  await recoverAccount()
  await useTokens()
  await workOnProjects()
  await linkIdentity()
  for (const secret of await storedDigests()) secrets.add(secret)
  await admin.call('DELETE', `/users/${await idOf('nina@example.org')}`)
})

describe('No entry of the audit trail', () => {
  it('contains a password, a token, a link, a cookie or a digest of one after any operation', async () => {
    const { read } = guidance().service.guidance.database
    const entries = await read.selectFrom('audits').selectAll().execute()
    expect(entries.length).toBeGreaterThan(25)
    expect(secrets.size).toBeGreaterThan(25)
    const auditedTypes = new Set(entries.map(({ auditable_type }) => auditable_type))
    expect([...auditedTypes].sort()).toEqual([
      'Membership',
      'PersonalAccessToken',
      'Project',
      'ProjectAccessRequest',
      'User',
    ])
    const text = JSON.stringify(entries)
    expect(text).not.toMatch(/argon2|svc_|digest|csrf/i)
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(15)
      expect(text).not.toContain(secret)
      expect(text).not.toContain(Buffer.from(secret).toString('base64'))
    }
  })
})

async function registerAndChange(): Promise<void> {
  const user = { name: 'Nina', email: 'nina@example.org', password: PASSWORD }
  await ok(guidance().nobody.call('POST', '/users', { body: { user } }))
  const nina = await guidance().signIn(user.email)
  keepSession(nina)
  const changes = { name: 'Nina S.', password: CHOSEN, password_confirmation: CHOSEN }
  await ok(nina.call('PUT', '/users', { body: { user: { ...changes, current_password: PASSWORD } } }))
  await nina.call('PUT', '/users', { body: { user: { password: CHOSEN, current_password: WRONG } } })
  await requestToken(nina, { current_password: WRONG })
  const id = await idOf(user.email)
  await ok(admin.call('POST', `/users/${id}/lock`))
  await ok(admin.call('POST', `/users/${id}/unlock`))
  await ok(admin.call('POST', `/users/${id}/set_password`, { body: { user: { password: GIVEN } } }))
}

async function recoverAccount(): Promise<void> {
  const created = await ok(
    admin.call('POST', '/users/admin_create', { body: { user: { name: 'Otto', email: 'otto@example.org' } } }),
  )
  const id = await idOf('otto@example.org')
  keepLink(created)
  const renewed = await ok(admin.call('POST', `/users/${id}/generate_reset_link`))
  const body = { user: { reset_password_token: keepLink(renewed), password: RESET } }
  await ok(guidance().nobody.call('PUT', '/users/password', { body }))
  for (let guess = 0; guess < 4; guess += 1) {
    const attempt = { email: 'otto@example.org', password: WRONG }
    await guidance().nobody.call('POST', '/api/auth/login', { body: attempt })
  }
  keepLink(await ok(admin.call('POST', `/users/${id}/generate_reset_link`)))
  await ok(admin.call('PATCH', `/users/${id}`, { body: { user: { email: 'otto2@example.org' } } }))
}

async function useTokens(): Promise<void> {
  const ownToken = await makeToken(guidance(), admin, { scopes: ['admin'] })
  const otherToken = await makeToken(guidance(), admin)
  for (const { raw } of [ownToken, otherToken]) {
    secrets.add(raw)
    secrets.add(raw.slice('svc_'.length))
  }
  await ok(ownToken.client.call('POST', '/projects', { body: { project: { name: 'By token' } } }))
  await ok(admin.call('DELETE', `/personal_access_tokens/${ownToken.id}`))
  const path = `/personal_access_tokens/${otherToken.id}/admin_revoke`
  await ok(admin.call('DELETE', path, { body: { audit_comment: 'No longer needed' } }))
}

async function workOnProjects(): Promise<void> {
  const id = await guidance().project(admin, { name: 'Open', visibility: 'discoverable' })
  await ok(admin.call('PUT', `/projects/${id}`, { body: { project: { name: 'Opened' } } }))
  const stranger = await guidance().signUp('Petra')
  keepSession(stranger)
  await ok(stranger.call('POST', `/projects/${id}/project_access_requests`))
  const membership = { user_id: stranger.id, role: 'admin', membership_type: 'Project', membership_id: id }
  await ok(admin.call('POST', '/memberships', { body: { membership } }))
  await ok(admin.call('DELETE', `/projects/${id}`))
  await ok(stranger.call('DELETE', '/users', { body: { user: { current_password: PASSWORD } } }))
}

async function linkIdentity(): Promise<void> {
  const session = await guidance().signUp('Rita')
  const uid = 'a-secret-subject-of-the-provider'
  secrets.add(uid)
  await addRow(guidance(), 'identities', {
    user_id: session.id,
    provider: 'oidc',
    uid,
    email: session.email,
    created_at: new Date().toISOString(),
  })
  const { identities } = z
    .object({ identities: z.array(z.object({ id: z.int() })) })
    .parse((await session.call('GET', '/users/edit')).body)
  const body = { identity_id: identities[0]?.id, current_password: PASSWORD }
  await ok(session.call('POST', '/users/unlink_identity', { body }))
}

async function storedDigests(): Promise<readonly string[]> {
  const { read } = guidance().service.guidance.database
  const users = await read.selectFrom('users').select('password_hash').execute()
  const tokens = await read.selectFrom('personal_access_tokens').select('digest').execute()
  const sessions = await read.selectFrom('sessions').select('digest').execute()
  return [
    ...users.map(({ password_hash }) => password_hash ?? '').filter((hash) => hash !== ''),
    ...[...tokens, ...sessions].map(({ digest }) => digest),
  ]
}

async function idOf(email: string): Promise<number> {
  const rows = z.array(z.object({ id: z.int(), email: z.string() })).parse((await admin.call('GET', '/users')).body)
  return rows.find((row) => row.email === email)?.id ?? 0
}

function keepSession({ cookie, csrfToken }: SessionClient): void {
  const value = decodeURIComponent(cookie.split('=')[1] ?? '')
  for (const secret of [value, value.slice(2).split('.')[0] ?? '', csrfToken]) secrets.add(secret)
}

function keepLink({ body }: Answer): string {
  const { reset_url } = z.object({ reset_url: z.string() }).parse(body)
  const secret = new URL(reset_url).searchParams.get('reset_password_token') ?? ''
  secrets.add(secret)
  return secret
}

async function ok(answer: Promise<Answer>): Promise<Answer> {
  const given = await answer
  if (given.status !== 200) throw new Error(JSON.stringify(given.body))
  return given
}
