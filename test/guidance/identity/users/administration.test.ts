import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addRow, ago, dumpDatabase } from '../../../support/guidance-records.ts'
import { guidanceService, PASSWORD, signedIn } from '../../../support/guidance.ts'

const guidance = guidanceService()
const root = signedIn(guidance, 'Root', { admin: true })

describe('User administration', () => {
  const OPERATIONS: readonly (readonly [string, string, unknown])[] = [
    ['GET', '/users', undefined],
    ['POST', '/users/admin_create', { user: { name: 'X', email: 'x@example.org' } }],
    ['PUT', '/users/ID', { user: { admin: true } }],
    ['PATCH', '/users/ID', { user: { admin: true } }],
    ['DELETE', '/users/ID', undefined],
    ['POST', '/users/ID/lock', undefined],
    ['POST', '/users/ID/unlock', undefined],
    ['POST', '/users/ID/send_password_reset', undefined],
    ['POST', '/users/ID/generate_reset_link', undefined],
    ['POST', '/users/ID/set_password', { user: { password: PASSWORD } }],
  ]

  it.each(OPERATIONS.slice(2))('returns 404 for an unknown account: %s %s', async (method, path, body) => {
    const sent = body === undefined ? {} : { body }
    for (const id of ['999999', '0', '-1', 'abc', '1.0', '99999999999'])
      expect(await root.call(method, path.replace('ID', id), sent)).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      })
  })
})

describe('GET /users', () => {
  it('lists all accounts by name', async () => {
    const zoe = await guidance().person('zoe')
    const abel = await guidance().person('Abel')
    const { body } = await root.call('GET', '/users')
    const rows = list.parse(body)
    const names = rows.map(({ name }) => name)
    expect(names.indexOf('Abel')).toBeLessThan(names.indexOf('Root'))
    expect(names.indexOf('Root')).toBeLessThan(names.indexOf('zoe'))
    expect(rows.find(({ id }) => id === abel.id)).toMatchObject({
      email: 'abel@example.org',
      admin: false,
      provider: null,
      last_sign_in_at: null,
      failed_attempts: 0,
      locked_at: null,
      slack_user_id: null,
      has_password: true,
      identities: [],
      last_site_admin: false,
      only_admin_of: [],
    })
    expect(rows.find(({ id }) => id === root.id)).toMatchObject({ admin: true })
    expect(rows.find(({ id }) => id === zoe.id)?.confirmed_at).not.toBeNull()
  })

  it('lists the ways to sign in for any number of identities', async () => {
    const { id } = await guidance().person('Linked')
    const common = { user_id: id, created_at: ago(0) }
    await addRow(guidance(), 'identities', { ...common, provider: 'ldap', uid: 'secret-uid-1', email: 'l@x.org' })
    await addRow(guidance(), 'identities', { ...common, provider: 'oidc', uid: 'secret-uid-2', email: 'o@x.org' })
    const rows = list.parse((await root.call('GET', '/users')).body)
    expect(rows.find((row) => row.id === id)).toMatchObject({
      provider: 'ldap',
      identities: [
        // The password is left.
        { provider: 'ldap', email: 'l@x.org', only_way_in: false, can_unlink: true, title: null },
        { provider: 'oidc', email: 'o@x.org', only_way_in: false, last_sign_in_at: null },
      ],
    })
  })
})

describe('PUT and PATCH /users/{id}', () => {
  it('change only the given values', async () => {
    const { id } = await guidance().person('Before')
    const put = await root.call('PUT', `/users/${id}`, { body: { user: { name: 'After', slack_user_id: 'U2' } } })
    expect(put.body).toMatchObject({
      toast: { title: 'User updated.' },
      user: { id, name: 'After', email: 'before@example.org', admin: false, slack_user_id: 'U2' },
    })
    const patch = await root.call('PATCH', `/users/${id}`, {
      body: { user: { email: 'After@example.org', admin: true, slack_user_id: ' ' } },
    })
    expect(patch.body).toMatchObject({
      user: { name: 'After', email: 'after@example.org', admin: true, slack_user_id: null },
    })
    const session = await guidance().signIn('after@example.org')
    expect((await session.call('GET', '/users')).status).toBe(200)
    await expect(guidance().signIn('before@example.org')).rejects.toThrow('invalid_credentials')
  })

  it('ignore read-only values', async () => {
    const { id } = await guidance().person('Fixed')
    const odd = { id: 1, password_hash: 'x', locked_at: null, password: 'x', confirmed_at: null }
    const user = JSON.stringify(odd).replace('{', '{"__proto__":{"admin":true},')
    const { status } = await root.call('PUT', `/users/${id}`, { body: `{"user":${user}}` })
    expect(status).toBe(200)
    const session = await guidance().signIn('fixed@example.org')
    expect((await session.call('GET', '/api/auth/me')).body).toMatchObject({ id, admin: false })
  })

  it('keep changes of name and address at the same time', async () => {
    const session = await guidance().signUp('Own')
    const user = { name: 'Owned', email: 'owned@example.org', current_password: PASSWORD }
    expect((await session.call('PUT', '/users', { body: { user } })).status).toBe(200)
    expect((await session.call('GET', '/users/edit')).body).toMatchObject({ name: 'Owned', email: 'owned@example.org' })
  })

  it('remove the rights of a site administrator immediately', async () => {
    const demoted = await guidance().signUp('Demoted', { admin: true })
    expect((await demoted.call('GET', '/users')).status).toBe(200)
    await root.call('PUT', `/users/${demoted.id}`, { body: { user: { admin: false } } })
    expect((await demoted.call('GET', '/users')).status).toBe(403)
  })
})

describe('DELETE /users/{id}', () => {
  it('removes an account with its own data', async () => {
    const session = await guidance().signUp('Gone')
    const project = await guidance().project(root)
    await guidance().member(project, session, 'viewer')
    await root.call('POST', `/users/${session.id}/generate_reset_link`)
    expect((await root.call('DELETE', `/users/${session.id}`)).body).toMatchObject({
      toast: { title: 'User removed.' },
    })
    expect((await session.call('GET', '/api/auth/me')).status).toBe(401)
    await expect(guidance().signIn(session.email)).rejects.toThrow('invalid_credentials')
    expect((await root.call('DELETE', `/users/${session.id}`)).status).toBe(404)
    const dump = await dumpDatabase(guidance())
    const [rest = ''] = dump.split('{"audits"')
    expect(rest).not.toContain(`"user_id":${session.id},`)
    expect(rest).not.toContain(session.email)
    await guidance().person('Gone')
  })
})

describe('Answers about accounts', () => {
  it('contain no digest of a password, a token or a link', async () => {
    const watched = await guidance().person('Watched')
    await guidance().token(watched, ['read'])
    await root.call('POST', `/users/${watched.id}/generate_reset_link`)
    const { read } = guidance().service.guidance.database
    const hashes = await read.selectFrom('users').select('password_hash').execute()
    const tokens = await read.selectFrom('personal_access_tokens').select('digest').execute()
    const links = await read.selectFrom('one_time_links').select('digest').execute()
    const answers = [
      await root.call('GET', '/users'),
      await root.call('GET', '/users/edit'),
      await root.call('PUT', `/users/${watched.id}`, { body: { user: { name: 'Watched' } } }),
      await root.call('POST', `/users/${watched.id}/lock`),
      await root.call('POST', `/users/${watched.id}/unlock`),
      await root.call('GET', `/personal_access_tokens?user_id=${watched.id}`),
      await root.call('GET', '/api/audits?per_page=100'),
      await root.call('GET', '/api/navigation'),
    ]
    const secrets = [
      ...hashes.map(({ password_hash }) => password_hash ?? 'argon2'),
      ...tokens.map(({ digest }) => digest),
      ...links.map(({ digest }) => digest),
    ]
    expect(secrets.length).toBeGreaterThan(10)
    for (const { status, body } of answers) {
      expect(status).toBe(200)
      const text = JSON.stringify(body)
      expect(text).not.toMatch(/argon2|password_hash|digest|search_key/)
      for (const secret of secrets) expect(text).not.toContain(secret)
    }
  })
})

const list = z.array(z.looseObject({ id: z.int(), name: z.string(), confirmed_at: z.string().nullable() }))
