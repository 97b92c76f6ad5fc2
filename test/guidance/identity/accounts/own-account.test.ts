import { describe, expect, it } from 'vitest'
import { accountOf, logIn, NEW_PASSWORD, statusOf, WRONG_PASSWORD } from '../../../support/accounts.ts'
import { addRow, ago, entriesOf, makeToken, messagesOf } from '../../../support/guidance-records.ts'
import { guidanceService, PASSWORD, type Person, type SessionClient } from '../../../support/guidance.ts'

const BY_SESSION: unknown = expect.stringMatching(/^session \d+$/)

const guidance = guidanceService()

describe('The own account', () => {
  it('lists its identities', async () => {
    const session = await guidance().signUp('Ada')
    await addIdentity(session)
    expect(await session.call('GET', '/users/edit')).toMatchObject({
      status: 200,
      body: {
        id: session.id,
        name: 'Ada',
        email: 'ada@example.org',
        provider: 'ldap',
        identities: [{ provider: 'ldap', email: 'ada@example.org' }],
      },
    })
    expect(JSON.stringify(await session.call('GET', '/users/edit'))).not.toContain('argon2')
  })

  it('changes its name without a password', async () => {
    const session = await guidance().signUp('Ben')
    expect(await update(session, { name: ' Benjamin ', slack_user_id: 'U1' })).toMatchObject({
      status: 200,
      body: { toast: { title: 'Account updated.' } },
    })
    expect(await accountOf(guidance(), session)).toMatchObject({
      name: 'Benjamin',
      slack_user_id: 'U1',
      search_key: 'benjamin\nben@example.org',
    })
  })

  it.each([
    ['an empty name', { name: ' ' }, "Name can't be blank"],
    ['a long name', { name: 'x'.repeat(256) }, 'Name is too long (maximum is 255 characters)'],
    ['an odd address', { email: 'nonsense' }, 'Email is invalid'],
    ['a weak password', { password: 'Aa1!' }, 'Password is too short (minimum is 15 characters)'],
    [
      'another confirmation',
      { password: NEW_PASSWORD, password_confirmation: PASSWORD },
      "Password confirmation doesn't match",
    ],
  ])('rejects %s', async (what, changes, message) => {
    const session = await guidance().signUp(`Cleo with ${what}`)
    const before = await accountOf(guidance(), session)
    const answer = await update(session, { ...changes, current_password: PASSWORD })
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(messagesOf(answer)).toContain(message)
    expect(await accountOf(guidance(), session)).toEqual(before)
  })

  it('cannot make itself an administrator', async () => {
    const session = await guidance().signUp('Dora')
    await update(session, { name: 'Dora', admin: true })
    expect((await accountOf(guidance(), session)).admin).toBe(0)
  })

  it('cannot be changed with a token', async () => {
    const emil = await guidance().person('Emil')
    const token = await guidance().token(emil, ['admin'])
    const user = { name: 'Gone', current_password: PASSWORD }
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { user }],
      ['DELETE', { user }],
    ] as const) {
      const path = method === 'GET' ? '/users/edit' : '/users'
      expect(await token.call(method, path, { body })).toMatchObject({
        status: 403,
        body: { code: 'session_authentication_required' },
      })
    }
  })
})

describe('A new password of the own account', () => {
  it('requires the current one', async () => {
    const session = await guidance().signUp('Fred')
    for (const current_password of [undefined, WRONG_PASSWORD, ''])
      expect(await update(session, { password: NEW_PASSWORD, current_password })).toMatchObject({
        status: 422,
        body: { code: 'incorrect_password' },
      })
    expect((await accountOf(guidance(), session)).failed_attempts).toBe(2)
    expect((await logIn(guidance().nobody, session.email)).status).toBe(200)
  })

  it('ends other sessions and tokens, but not this session and tokens that are kept', async () => {
    const session = await guidance().signUp('Gus')
    const other = await guidance().signIn(session.email)
    const token = await makeToken(guidance(), session)
    const stranger = await guidance().signUp('Hal')
    const clients = [session, other, token.client, stranger]
    const keeping = { password: PASSWORD, current_password: PASSWORD, revoke_tokens: false }
    expect((await update(session, keeping)).status).toBe(200)
    expect(await Promise.all(clients.map(statusOf))).toEqual([200, 401, 200, 200])
    const changed = await update(session, { password: NEW_PASSWORD, current_password: PASSWORD })
    expect(changed.status).toBe(200)
    expect(await Promise.all(clients.map(statusOf))).toEqual([200, 401, 401, 200])
    expect((await logIn(guidance().nobody, session.email, PASSWORD)).status).toBe(401)
    expect((await logIn(guidance().nobody, session.email, NEW_PASSWORD)).status).toBe(200)
  })

  it('is recorded without its text', async () => {
    const session = await guidance().signUp('Ida')
    const { last_sign_in_at } = await accountOf(guidance(), session)
    const user = { password: NEW_PASSWORD, current_password: PASSWORD }
    const entries = await entriesOf(guidance(), () => update(session, user))
    expect(entries).toMatchObject([
      {
        action: 'update',
        auditable_type: 'User',
        auditable_id: session.id,
        name: 'Ida',
        via: BY_SESSION,
        changes: [{ field: 'password', prev_value: 'hidden', new_value: 'changed' }],
      },
    ])
    expect((await accountOf(guidance(), session)).last_sign_in_at).toBe(last_sign_in_at)
  })
})

describe('A new address of the own account, without mail', () => {
  it('requires the current password and takes effect immediately', async () => {
    const session = await guidance().signUp('Jo')
    const email = 'JOANNA@example.org'
    expect(await update(session, { email })).toMatchObject({ body: { code: 'incorrect_password' } })
    expect((await update(session, { email, current_password: PASSWORD })).status).toBe(200)
    expect((await logIn(guidance().nobody, session.email)).status).toBe(401)
    expect((await logIn(guidance().nobody, 'joanna@example.org')).status).toBe(200)
    // Nobody has shown that the address is theirs.
    expect((await accountOf(guidance(), session)).confirmed_at).toBeNull()
  })

  it('requires no password if it is unchanged', async () => {
    const session = await guidance().signUp('Kim')
    expect((await update(session, { email: 'KIM@example.org' })).status).toBe(200)
    expect((await accountOf(guidance(), session)).confirmed_at).not.toBeNull()
  })

  it('is refused if it is in use, and nothing else changes', async () => {
    const session = await guidance().signUp('Lea')
    const answer = await update(session, {
      name: 'Leah',
      email: 'kim@example.org',
      password: NEW_PASSWORD,
      current_password: PASSWORD,
    })
    expect(messagesOf(answer)).toEqual(['Email has already been taken'])
    expect(await accountOf(guidance(), session)).toMatchObject({ name: 'Lea', email: session.email })
    expect((await logIn(guidance().nobody, session.email)).status).toBe(200)
  })
})

describe('Deleting the own account', () => {
  it('requires the password and removes sessions and tokens', async () => {
    const session = await guidance().signUp('Max')
    const token = await makeToken(guidance(), session)
    for (const user of [{}, { current_password: WRONG_PASSWORD }])
      expect(await session.call('DELETE', '/users', { body: { user } })).toMatchObject({
        status: 422,
        body: { code: 'incorrect_password' },
      })
    const user = { current_password: PASSWORD }
    expect((await session.call('DELETE', '/users', { body: { user } })).status).toBe(200)
    expect([await statusOf(session), await statusOf(token.client)]).toEqual([401, 401])
    expect((await logIn(guidance().nobody, session.email)).status).toBe(401)
  })
})

describe('Unlinking an identity', () => {
  it('requires the password and an identity of the caller', async () => {
    const session = await guidance().signUp('Rosa')
    const identity_id = await addIdentity(session)
    const others = await addIdentity(await guidance().person('Sam'))
    const unlink = (id: unknown, current_password?: string) =>
      session.call('POST', '/users/unlink_identity', { body: { identity_id: id, current_password } })
    expect(await unlink(identity_id)).toMatchObject({ body: { code: 'incorrect_password' } })
    expect((await unlink(others, PASSWORD)).status).toBe(404)
    for (const odd of ['1', 0, 1.5, null, 2 ** 40])
      expect((await unlink(odd, PASSWORD)).status).toBeGreaterThanOrEqual(400)
    expect((await unlink(identity_id, PASSWORD)).status).toBe(200)
    expect((await session.call('GET', '/api/auth/me')).body).toMatchObject({ provider: null })
    expect((await unlink(identity_id, PASSWORD)).status).toBe(404)
  })
})

function update(session: SessionClient, user: Readonly<Record<string, unknown>>) {
  return session.call('PUT', '/users', { body: { user } })
}

function addIdentity({ id: user_id, email }: Person): Promise<number> {
  return addRow(guidance(), 'identities', { user_id, provider: 'ldap', uid: email, email, created_at: ago(0) })
}
