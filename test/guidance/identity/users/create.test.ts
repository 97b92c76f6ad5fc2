import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { entriesOf, messagesOf } from '../../../support/guidance-records.ts'
import { guidanceService, PASSWORD, signedIn, type Answer } from '../../../support/guidance.ts'

const guidance = guidanceService()
const root = signedIn(guidance, 'Root', { admin: true })

describe('POST /users/admin_create', () => {
  it('creates an account that can sign in at once', async () => {
    const user = { name: ' Grace ', email: ' Grace@Example.ORG ', admin: true, slack_user_id: 'U1', password: PASSWORD }
    const { status, body } = await create(user)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      toast: { title: 'User created.', variant: 'success' },
      user: { name: 'Grace', email: 'grace@example.org', admin: true, slack_user_id: 'U1' },
    })
    expect(body).not.toHaveProperty('reset_url')
    const session = await guidance().signIn('GRACE@example.org')
    expect((await session.call('GET', '/users')).status).toBe(200)
  })

  it('returns a link to choose a password if none is given and mail is disabled', async () => {
    const { body } = await create({ name: 'Linus', email: 'linus@example.org' })
    const { reset_url } = z.object({ reset_url: z.string() }).parse(body)
    await expect(guidance().signIn('linus@example.org', '')).rejects.toThrow('invalid_credentials')
    expect((await choosePassword(reset_url, 'Other-Horse-42-!Staple')).status).toBe(200)
    await guidance().signIn('linus@example.org', 'Other-Horse-42-!Staple')
    expect((await choosePassword(reset_url, PASSWORD)).body).toMatchObject({ code: 'link_invalid' })
  })

  it.each([
    ['name', undefined, "Name can't be blank"],
    ['name', '  ', "Name can't be blank"],
    ['name', 'x'.repeat(256), 'Name is too long (maximum is 255 characters)'],
    ['name', 'a\0b', 'Name has characters that cannot be stored (U+0000 at position 2)'],
    ['name', 'half \ud83d', 'Name has characters that cannot be stored (U+D83D at position 6)'],
    ['email', undefined, "Email can't be blank"],
    ['email', '', "Email can't be blank"],
    ['email', 'nobody', 'Email is invalid'],
    ['email', 'a@b@c', 'Email is invalid'],
    ['email', 'a b@example.org', 'Email is invalid'],
    ['email', `${'x'.repeat(65)}@example.org`, 'Email is invalid'],
    ['email', 'a\0@example.org', 'Email is invalid'],
    ['email', 5, 'Email must be a text'],
    ['admin', 'true', 'Admin must be true or false'],
    ['admin', 1, 'Admin must be true or false'],
    ['password', 'short', /^Password is too short/],
    ['password', 'x'.repeat(129), /Password is too long/],
    ['password', 5, 'Password must be a text'],
    ['slack_user_id', 'x'.repeat(256), 'Slack user id is too long (maximum is 255 characters)'],
  ])('refuses %s %j', async (field, value, message) => {
    const answer = await create({ name: 'Good', email: 'good@example.org', password: PASSWORD, [field]: value })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ toast: { title: 'Could not create user.' } })
    expect(messagesOf(answer).join('\n')).toMatch(message)
    expect(JSON.stringify((await root.call('GET', '/users')).body)).not.toContain('good@example')
  })

  it.each([
    ['emoji', '👩‍💻 Ada 🏳️‍🌈'],
    ['right to left', 'עדה لوفلايس'],
    ['a decomposed letter', 'Rene\u0301'],
    ['255 characters', 'é'.repeat(255)],
    ['SQL and wildcards', `Robert'); drop table users;-- %_\\`],
    ['markup', '<script>alert(1)</script>'],
    ['an override of the direction', 'evil\u202Egpj.exe'],
  ])('keeps a name of %s unchanged', async (what, name) => {
    const email = `${what.replaceAll(' ', '.')}@example.org`
    const { status, body } = await create({ name, email, password: PASSWORD })
    expect(status).toBe(200)
    expect(body).toMatchObject({ user: { name } })
    const session = await guidance().signIn(email)
    expect((await session.call('GET', '/api/auth/me')).body).toMatchObject({ name })
  })
})

describe('An e-mail address', () => {
  it.each(['taken@example.org', 'TAKEN@EXAMPLE.ORG', ' Taken@Example.org'])(
    'belongs to one account, ignoring letter case: %s',
    async (email) => {
      if (email === 'taken@example.org') await guidance().person('Taken')
      const entries = await entriesOf(guidance(), async () => {
        const created = await create({ name: 'Second', email, password: PASSWORD })
        expect(created.status).toBe(422)
        expect(messagesOf(created)).toEqual(['Email has already been taken'])
        const changed = await root.call('PUT', `/users/${root.id}`, {
          body: { user: { email, current_password: PASSWORD } },
        })
        expect(changed.status).toBe(422)
        expect(messagesOf(changed)).toEqual(['Email has already been taken'])
      })
      expect(entries).toEqual([])
    },
  )

  it('is given to only one of many users who register it at the same time', async () => {
    const cases = ['race@example.org', 'RACE@example.org', 'Race@Example.Org', 'rAcE@example.org']
    const entries = await entriesOf(guidance(), async () => {
      const answers = await Promise.all(
        [...cases, ...cases].map((email, index) => create({ name: `Racer ${index}`, email, password: PASSWORD })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(422)])
    })
    expect(entries).toHaveLength(1)
  })

  it('is given to only one of two users who choose it at the same time', async () => {
    const people = [await guidance().person('Swap1'), await guidance().person('Swap2')]
    const answers = await Promise.all(
      people.map(({ id }) => root.call('PATCH', `/users/${id}`, { body: { user: { email: 'Swapped@example.org' } } })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })
})

function create(user: Readonly<Record<string, unknown>>): Promise<Answer> {
  return root.call('POST', '/users/admin_create', { body: { user } })
}

function choosePassword(url: string, password: string): Promise<Answer> {
  const body = { user: { reset_password_token: new URL(url).searchParams.get('reset_password_token'), password } }
  return guidance().nobody.call('PUT', '/users/password', { body })
}
