import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { continuing, resetPassword, secretIn, statusOf } from '../../../support/accounts.ts'
import { entriesOf, messagesOf, requestToken } from '../../../support/guidance-records.ts'
import { PASSWORD } from '../../../support/guidance.ts'
import { ownAccountOf, singleSignOn } from '../../../support/single-sign-on.ts'

const SOME_TEXT: unknown = expect.any(String)

const { guidance, enter, goThere, comeBack } = await singleSignOn(['ida', 'jo', 'kim', 'lou'])

describe('A person without a local password', () => {
  it('confirms their identity by a single sign-on in the last five minutes', async () => {
    const session = await enter('ida', { secondsAgo: 240 })
    expect((await requestToken(session, { current_password: undefined })).status).toBe(200)
    const late = await enter('ida', { secondsAgo: 301 })
    for (const current_password of [undefined, PASSWORD])
      expect(await requestToken(late, { current_password })).toMatchObject({
        status: 422,
        body: { code: 'incorrect_password' },
      })
  })

  it('may sign in again to confirm it', async () => {
    const answer = await comeBack(await goThere('ida', { query: { prompt: 'login', return_to: '/tokens' } }))
    expect(answer.headers.location).toBe('/tokens')
    const session = continuing(guidance(), answer)
    expect((await requestToken(session, { current_password: undefined })).status).toBe(200)
  })

  it('cannot unlink their only identity until there is a password', async () => {
    const session = await enter('jo')
    const { id, identities } = await ownAccountOf(session)
    const unlinked = { identity_id: identities[0]?.id }
    const refused = await session.call('POST', '/users/unlink_identity', { body: unlinked })
    expect(messagesOf(refused)).toEqual(['Set a password first. Otherwise nobody can sign in to the account'])
    const boss = await guidance().signUp('Boss', { admin: true })
    const created = await boss.call('POST', `/users/${id}/generate_reset_link`)
    const { reset_url } = z.object({ reset_url: z.string() }).parse(created.body)
    expect((await resetPassword(guidance().nobody, secretIn(reset_url), PASSWORD)).status).toBe(200)
    const local = await guidance().signIn('jo@example.org')
    const done = await local.call('POST', '/users/unlink_identity', {
      body: { ...unlinked, current_password: PASSWORD },
    })
    expect(done.status).toBe(200)
    expect((await local.call('GET', '/api/auth/me')).body).toMatchObject({ provider: null })
  })

  it('deletes the account only after a recent sign-on', async () => {
    const late = await enter('kim', { secondsAgo: 600 })
    const body = { user: {} }
    expect((await late.call('DELETE', '/users', { body })).status).toBe(422)
    const fresh = await enter('kim')
    expect((await fresh.call('DELETE', '/users', { body })).status).toBe(200)
    expect(await statusOf(late)).toBe(401)
  })
})

describe('An administrator', () => {
  const trace = { action: 'update', changes: [{ field: 'identity', prev_value: 'oidc', new_value: null }] }

  it('unlinks an identity of another person unless it is the only one', async () => {
    const session = await enter('lou')
    const { id, identities } = await ownAccountOf(session)
    const root = await guidance().signUp('Root', { admin: true })
    const body = { identity_id: identities[0]?.id }
    const unlink = () => root.call('POST', `/users/${id}/unlink_identity`, { body })
    const shown = async () => {
      const { body: found } = await root.call('GET', '/users')
      return z
        .array(z.looseObject({ id: z.int() }))
        .parse(found)
        .find((account) => account.id === id)
    }
    expect(await shown()).toMatchObject({
      has_password: false,
      identities: [{ only_way_in: true, can_unlink: false, last_sign_in_at: SOME_TEXT }],
    })
    expect(messagesOf(await unlink())).toEqual(['Set a password first. Otherwise nobody can sign in to the account'])
    await root.call('POST', `/users/${id}/set_password`, { body: { user: { password: PASSWORD } } })
    expect(await shown()).toMatchObject({ has_password: true, identities: [{ only_way_in: false }] })
    const again = await enter('lou')
    const entries = await entriesOf(guidance(), async () => {
      expect(await unlink()).toMatchObject({ status: 200, body: { provider: 'oidc', user: { identities: [] } } })
    })
    expect(entries).toMatchObject([{ ...trace, auditable_id: id, actor_id: root.id }])
    expect(await statusOf(again)).toBe(401)
    expect((await unlink()).status).toBe(404)
    expect(await statusOf(await guidance().signIn('lou@example.org'))).toBe(200)
  })

  it('needs the password for another administrator, and uses their own page for themselves', async () => {
    const [first, second] = [
      await guidance().person('One', { admin: true }),
      await guidance().person('Other', { admin: true }),
    ]
    const boss = await guidance().signIn(first.email)
    const ask = (id: number, user?: object) =>
      boss.call('POST', `/users/${id}/unlink_identity`, { body: { identity_id: 1, user } })
    expect(await ask(second.id)).toMatchObject({ body: { code: 'incorrect_password' } })
    expect((await ask(second.id, { current_password: PASSWORD })).status).toBe(404)
    expect(messagesOf(await ask(first.id, { current_password: PASSWORD }))).toEqual([
      'Unlink your own identity on your account page, or ask another administrator',
    ])
  })
})
