import { describe, expect, it } from 'vitest'
import { accountOf, continuing, cookieOf, logIn, statusOf } from '../../../support/accounts.ts'
import { addRow, ago, makeToken, rowsOf } from '../../../support/guidance-records.ts'
import { PASSWORD } from '../../../support/guidance.ts'
import { ownAccountOf, singleSignOn } from '../../../support/single-sign-on.ts'

const { guidance, signOn, enter } = await singleSignOn(['ada', 'ben', 'cleo', 'dora', 'emil', 'fred'], {
  accounts: {
    unverified: { name: 'Una', email: 'una@example.org', email_verified: false },
    'unverified ben': { name: 'Not Ben', email: 'ben@example.org', email_verified: false },
    mailless: { name: 'Max' },
  },
})

describe('A single sign-on', () => {
  it('creates an account without a password and without administrator rights', async () => {
    const answer = await signOn('ada')
    expect(answer).toMatchObject({ status: 303, headers: { location: '/' } })
    const session = continuing(guidance(), answer)
    const { body } = await session.call('GET', '/api/auth/me')
    expect(body).toMatchObject({ name: 'ada of Example', email: 'ada@example.org', admin: false, provider: 'oidc' })
    for (const password of ['', PASSWORD, 'null'])
      expect((await logIn(guidance().nobody, 'ada@example.org', password)).status).toBe(401)
    const again = await enter('ada')
    expect((await again.call('GET', '/api/auth/me')).body).toEqual(body)
    expect((await guidance().nobody.call('GET', '/api/settings')).body).toMatchObject({
      oidc: { enabled: true, title: 'OIDC Provider' },
    })
  })

  it('links the account with the same verified address, whose password still works', async () => {
    const ben = await guidance().person('Ben')
    const session = await enter('ben')
    expect((await session.call('GET', '/api/auth/me')).body).toMatchObject({
      id: ben.id,
      name: 'Ben',
      provider: 'oidc',
    })
    expect((await logIn(guidance().nobody, ben.email)).status).toBe(200)
  })

  it.each(['unverified', 'unverified ben', 'mailless'])(
    'neither links nor creates an account for the %s address',
    async (account) => {
      const before = await countPeople()
      const answer = await signOn(account)
      expect(answer).toMatchObject({ status: 401, body: { code: 'identity_provider_refused' } })
      expect(cookieOf(answer)).toBe('')
      expect(await countPeople()).toBe(before)
    },
  )

  it('finds the account by subject, not by address', async () => {
    const before = await enter('cleo')
    expect((await before.call('PUT', '/users', { body: { user: { email: 'renamed@example.org' } } })).status).toBe(200)
    const after = await enter('cleo')
    expect((await after.call('GET', '/api/auth/me')).body).toMatchObject({ email: 'renamed@example.org' })
  })

  it('takes over an unconfirmed account that somebody else registered', async () => {
    const { nobody } = guidance()
    const squatted = { name: 'Squatter', email: 'dora@example.org', password: PASSWORD }
    await nobody.call('POST', '/users', { body: { user: squatted } })
    const squatter = continuing(guidance(), await logIn(nobody, squatted.email))
    const token = await makeToken(guidance(), squatter)
    const { id } = await ownAccountOf(squatter)
    await addRow(guidance(), 'identities', {
      user_id: id,
      provider: 'ldap',
      uid: 'squatter',
      email: 'squatter@example.org',
      created_at: ago(0),
    })
    const session = await enter('dora')
    expect((await ownAccountOf(session)).id).toBe(id)
    expect([await statusOf(squatter), await statusOf(token.client)]).toEqual([401, 401])
    expect((await logIn(nobody, squatted.email)).status).toBe(401)
    const { body } = await session.call('GET', '/users/edit')
    expect(body).toMatchObject({ identities: [{ provider: 'oidc' }] })
    expect(await accountOf(guidance(), { id })).toMatchObject({ password_hash: null })
  })

  it('creates one account when a new person signs in twice at once', async () => {
    const answers = await Promise.all([signOn('emil'), signOn('emil')])
    expect(answers.map(({ status }) => status)).toEqual([303, 303])
    const [first, second] = await Promise.all(answers.map((answer) => ownAccountOf(continuing(guidance(), answer))))
    expect(first).toEqual(second)
  })

  it('is refused for an account that an administrator has locked', async () => {
    const root = await guidance().signUp('Root', { admin: true })
    const { id } = await ownAccountOf(await enter('fred'))
    expect((await root.call('POST', `/users/${id}/lock`)).status).toBe(200)
    const answer = await signOn('fred')
    expect(answer).toMatchObject({ status: 401, body: { code: 'account_locked' } })
    expect(cookieOf(answer)).toBe('')
  })
})

async function countPeople(): Promise<number> {
  return (await rowsOf(guidance(), 'users')).length
}
