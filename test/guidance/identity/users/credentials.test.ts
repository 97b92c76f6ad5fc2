import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { temporaryFolder } from '../../../support/folder.ts'
import { ago, entriesOf, makeToken, messagesOf, setRows, rowsOf } from '../../../support/guidance-records.ts'
import {
  type Answer,
  type Client,
  guidanceService,
  PASSWORD,
  signedIn,
  startGuidance,
} from '../../../support/guidance.ts'
import { startMailServer } from '../../../support/mail-server.ts'

const OTHER = 'Other-Horse-42-!Staple'
const ME = '/api/auth/me'

const guidance = guidanceService()

const admin = signedIn(guidance, 'Root', { admin: true })

describe('POST /users/{id}/lock', () => {
  it('ends the sessions of an account and blocks its sign-in', async () => {
    const { id, email } = await guidance().person('Locked')
    const sessions = [await guidance().signIn(email), await guidance().signIn(email)]
    const { status, body } = await admin.call('POST', `/users/${id}/lock`)
    expect(status).toBe(200)
    const { user } = z.object({ user: z.object({ locked_at: z.string() }) }).parse(body)
    expect(Math.abs(Date.parse(user.locked_at) - Date.now())).toBeLessThan(5000)
    for (const session of sessions) expect((await session.call('GET', ME)).status).toBe(401)
    await expect(guidance().signIn(email)).rejects.toThrow('account_locked')
  })

  it('ends a session that began while the account was being locked', async () => {
    const late = await guidance().signUp('Late', { admin: true })
    const locked = { locked_at: ago(0), locked_by: 'administrator' } as const
    await setRows(guidance(), 'users', locked, { id: late.id })
    expect((await late.call('GET', ME)).status).toBe(401)
  })

  it('remains after failed attempts are forgotten and after a new password', async () => {
    const { id, email } = await guidance().person('Banned')
    await admin.call('POST', `/users/${id}/lock`)
    await setRows(guidance(), 'users', { locked_at: ago(86_400_000) }, { id })
    await expect(guidance().signIn(email)).rejects.toThrow('account_locked')
    await admin.call('POST', `/users/${id}/set_password`, { body: { user: { password: OTHER } } })
    await expect(guidance().signIn(email, OTHER)).rejects.toThrow('account_locked')
    const { reset_url } = urlOf(await admin.call('POST', `/users/${id}/generate_reset_link`))
    expect((await choosePassword(guidance().nobody, reset_url, PASSWORD)).status).toBe(200)
    await expect(guidance().signIn(email)).rejects.toThrow('account_locked')
  })

  it('is refused for the own account', async () => {
    const entries = await entriesOf(guidance(), async () => {
      const refused = await admin.call('POST', `/users/${admin.id}/lock`)
      expect(refused.status).toBe(422)
      expect(messagesOf(refused)).toEqual(['You cannot lock your own account'])
    })
    expect(entries).toEqual([])
    expect((await admin.call('GET', ME)).status).toBe(200)
  })

  it('is shown in the navigation of administrators', async () => {
    const { id, name, email } = await guidance().person('Seen')
    await admin.call('POST', `/users/${id}/lock`)
    const { body } = await admin.call('GET', '/api/navigation')
    const { locked_users } = z.object({ locked_users: z.array(z.unknown()) }).parse(body)
    expect(locked_users).toContainEqual({ id, name, email })
  })
})

describe('POST /users/{id}/unlock', () => {
  it('removes a lock set by an administrator, but does not restore old sessions', async () => {
    const session = await guidance().signUp('Pardoned')
    await admin.call('POST', `/users/${session.id}/lock`)
    const { body } = await admin.call('POST', `/users/${session.id}/unlock`)
    expect(body).toMatchObject({ toast: { title: 'User unlocked.' }, user: { locked_at: null } })
    expect((await session.call('GET', ME)).status).toBe(401)
    await guidance().signIn(session.email)
  })

  it('removes a lock after failed attempts and resets their counter', async () => {
    const { id, email } = await guidance().person('Forgetful')
    for (const guess of ['a', 'b', 'c']) await expect(guidance().signIn(email, guess)).rejects.toThrow()
    await expect(guidance().signIn(email)).rejects.toThrow('account_locked')
    const { body } = await admin.call('POST', `/users/${id}/unlock`)
    expect(body).toMatchObject({ user: { locked_at: null, failed_attempts: 0 } })
    await expect(guidance().signIn(email, 'd')).rejects.toThrow('invalid_credentials')
    await guidance().signIn(email)
  })

  it('does not change or record anything for an account without a lock', async () => {
    const { id } = await guidance().person('Open')
    const entries = await entriesOf(guidance(), () => admin.call('POST', `/users/${id}/unlock`))
    expect(entries).toEqual([])
  })
})

describe('POST /users/{id}/generate_reset_link', () => {
  it('returns a link that works once, and only the newest', async () => {
    const session = await guidance().signUp('Reset')
    const make = (): Promise<Answer> => admin.call('POST', `/users/${session.id}/generate_reset_link`)
    const { reset_url: old } = urlOf(await make())
    const { reset_url } = urlOf(await make())
    expect(reset_url).toMatch(/^http:\/\/localhost:0\/users\/password\/edit\?reset_password_token=/)
    const dead = { status: 422, body: { code: 'link_invalid' } }
    expect(await choosePassword(guidance().nobody, old, OTHER)).toMatchObject(dead)
    expect((await choosePassword(guidance().nobody, reset_url, OTHER)).status).toBe(200)
    expect(await choosePassword(guidance().nobody, reset_url, PASSWORD)).toMatchObject(dead)
    expect((await session.call('GET', ME)).status).toBe(401)
    await guidance().signIn(session.email, OTHER)
  })

  it('invalidates the link when the address of the account changes', async () => {
    const { id } = await guidance().person('Moved')
    const { reset_url } = urlOf(await admin.call('POST', `/users/${id}/generate_reset_link`))
    await admin.call('PUT', `/users/${id}`, { body: { user: { email: 'moved.away@example.org' } } })
    expect(await choosePassword(guidance().nobody, reset_url, OTHER)).toMatchObject({
      status: 422,
      body: { code: 'link_invalid' },
    })
    await guidance().signIn('moved.away@example.org')
  })
})

describe('POST /users/{id}/set_password', () => {
  it('sets it, ends every session and invalidates reset links', async () => {
    const session = await guidance().signUp('Replaced')
    const { reset_url } = urlOf(await admin.call('POST', `/users/${session.id}/generate_reset_link`))
    const answer = await admin.call('POST', `/users/${session.id}/set_password`, {
      body: { user: { password: OTHER } },
    })
    expect(answer).toMatchObject({ status: 200, body: { toast: { title: 'Password set.' } } })
    expect(JSON.stringify(answer.body)).not.toContain(OTHER)
    expect((await session.call('GET', ME)).status).toBe(401)
    await expect(guidance().signIn(session.email)).rejects.toThrow('invalid_credentials')
    await guidance().signIn(session.email, OTHER)
    expect(await choosePassword(guidance().nobody, reset_url, PASSWORD)).toMatchObject({
      body: { code: 'link_invalid' },
    })
  })

  it('removes a lock after failed attempts', async () => {
    const { id, email } = await guidance().person('Helped')
    for (const guess of ['a', 'b', 'c']) await expect(guidance().signIn(email, guess)).rejects.toThrow()
    await admin.call('POST', `/users/${id}/set_password`, { body: { user: { password: OTHER } } })
    await guidance().signIn(email, OTHER)
  })

  it.each([
    ['short', /too short/],
    ['', /too short/],
    ['no-upper-case-or-digits!!', /2 upper-case letters\nPassword needs at least 2 digits/],
    ['x'.repeat(129), /too long/],
    [null, /must be a text/],
    [[PASSWORD], /must be a text/],
  ])('refuses %j', async (password, message) => {
    const body = { user: { password } }
    const entries = await entriesOf(guidance(), async () => {
      const refused = await admin.call('POST', `/users/${admin.id}/set_password`, { body })
      expect(refused.status).toBe(422)
      expect(refused.body).toMatchObject({ toast: { title: 'Could not set the password.' } })
      expect(messagesOf(refused).join('\n')).toMatch(message)
    })
    expect(entries).toEqual([])
    expect((await admin.call('GET', ME)).status).toBe(200)
  })
})

describe('POST /users/{id}/send_password_reset', () => {
  it('is refused if mail is disabled, without a link or an entry', async () => {
    const { id } = await guidance().person('Unmailed')
    const entries = await entriesOf(guidance(), async () => {
      const refused = await admin.call('POST', `/users/${id}/send_password_reset`)
      expect(refused).toMatchObject({ status: 422, body: { code: 'mail_not_configured' } })
    })
    expect(entries).toEqual([])
    const links = await rowsOf(guidance(), 'one_time_links', { user_id: id })
    expect(links).toEqual([])
  })

  it('mails a link like the one for a new account without a password', async () => {
    const mail = await startMailServer()
    onTestFinished(() => mail.close())
    const under = await startGuidance(await temporaryFolder(), { SERVICE_SMTP_URL: mail.url })
    onTestFinished(() => under.service.close())
    const session = await under.signUp('Root', { admin: true })
    const ada = await under.person('Ada')
    const entries = await entriesOf(under, async () => {
      const answer = await session.call('POST', `/users/${ada.id}/send_password_reset`)
      expect(answer).toMatchObject({ status: 200, body: { toast: { variant: 'success' } } })
      expect(answer.body).not.toHaveProperty('reset_url')
    })
    expect(entries).toMatchObject([
      { action: 'custom', auditable_id: ada.id, comment: 'A reset link was mailed', changes: [] },
    ])
    const first = await mail.next()
    expect(first.recipients).toEqual([ada.email])
    expect((await choosePassword(under.nobody, linkIn(first.text), OTHER)).status).toBe(200)
    await under.signIn(ada.email, OTHER)
    await mail.next()
    const created = await session.call('POST', '/users/admin_create', {
      body: { user: { name: 'Bob', email: 'bob@example.org' } },
    })
    expect(created.body).not.toHaveProperty('reset_url')
    const second = await mail.next()
    expect(second.recipients).toEqual(['bob@example.org'])
    expect((await choosePassword(under.nobody, linkIn(second.text), OTHER)).status).toBe(200)
    await under.signIn('bob@example.org', OTHER)
  })
})

describe('An administrator’s session without the password', () => {
  const PROOF = { current_password: PASSWORD }
  const boss = signedIn(guidance, 'Boss', { admin: true })
  const other = signedIn(guidance, 'Other Boss', { admin: true })

  it('changes access neither of the own account nor of another administrator', async () => {
    const entries = await entriesOf(guidance(), async () => {
      for (const id of [boss.id, other.id])
        for (const [method, path, user] of [
          ['POST', `/users/${id}/set_password`, { password: OTHER }],
          ['POST', `/users/${id}/generate_reset_link`, {}],
          ['POST', `/users/${id}/generate_reset_link`, undefined],
          ['PUT', `/users/${id}`, { email: 'elsewhere@example.org' }],
          ['PATCH', `/users/${id}`, { name: 'X', email: 'elsewhere@example.org' }],
        ] as const)
          expect(await boss.call(method, path, user === undefined ? {} : { body: { user } })).toMatchObject({
            status: 422,
            body: { code: 'incorrect_password' },
          })
    })
    expect(entries.filter(({ comment }) => comment !== null)).toEqual([])
    const renamed = { user: { name: 'Boss', email: 'BOSS@example.org' } }
    expect((await boss.call('PUT', `/users/${boss.id}`, { body: renamed })).status).toBe(200)
    await boss.call('POST', `/users/${boss.id}/unlock`)
  })

  it('requires a recent sign-in for administrator rights and for deleting the own account', async () => {
    const { id } = await guidance().person('Plain')
    const third = await guidance().person('Third Boss', { admin: true })
    const data = JSON.stringify({ userId: other.id, provenAt: Date.now() - 301_000 })
    await setRows(guidance(), 'sessions', { data }, { user_id: other.id })
    const account = { name: 'Made', email: 'made@example.org', password: OTHER, admin: true }
    for (const proof of [{}, PROOF]) {
      const status = proof === PROOF ? 200 : 422
      const create = { body: { user: { ...account, ...proof } } }
      expect((await other.call('POST', '/users/admin_create', create)).status).toBe(status)
      const grant = { body: { user: { admin: true, ...proof } } }
      expect((await other.call('PUT', `/users/${id}`, grant)).status).toBe(status)
      const demotion = { body: { user: { admin: false, ...proof } } }
      expect((await other.call('PUT', `/users/${third.id}`, demotion)).status).toBe(status)
      expect((await other.call('DELETE', `/users/${other.id}`, { body: { user: proof } })).status).toBe(status)
    }
  })

  it('helps other people, and itself together with the password', async () => {
    const robbed = await guidance().signUp('Robbed')
    const token = await makeToken(guidance(), robbed)
    const body = { user: { password: OTHER } }
    expect((await boss.call('POST', `/users/${robbed.id}/set_password`, { body })).status).toBe(200)
    expect((await token.client.call('GET', ME)).status).toBe(401)
    const link = await boss.call('POST', `/users/${boss.id}/generate_reset_link`, { body: { user: PROOF } })
    expect(link.status).toBe(200)
    const ownPassword = { body: { user: { password: OTHER, ...PROOF } } }
    expect((await boss.call('POST', `/users/${boss.id}/set_password`, ownPassword)).status).toBe(200)
    expect((await boss.call('GET', ME)).status).toBe(401)
  })
})

function urlOf({ body }: Answer): { readonly reset_url: string } {
  return z.object({ reset_url: z.string() }).parse(body)
}

function linkIn(text: string): string {
  return /https?:\/\/\S+reset_password_token=\S+/.exec(text)?.[0] ?? ''
}

function choosePassword(client: Client, url: string, password: string): Promise<Answer> {
  const reset_password_token = new URL(url).searchParams.get('reset_password_token')
  return client.call('PUT', '/users/password', { body: { user: { reset_password_token, password } } })
}
