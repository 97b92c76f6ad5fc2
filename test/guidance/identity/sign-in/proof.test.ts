import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { continuing, resetPassword, secretIn, statusOf } from '../../../support/accounts.ts'
import { messagesOf, requestToken } from '../../../support/guidance-records.ts'
import { PASSWORD } from '../../../support/guidance.ts'
import { ownAccountOf, singleSignOn } from '../../../support/single-sign-on.ts'

const { guidance, enter, goThere, comeBack } = await singleSignOn(['ida', 'jo', 'kim'])

describe('Somebody without a local password', () => {
  it('proves who they are by a sign-on of the last five minutes', async () => {
    const session = await enter('ida', { secondsAgo: 240 })
    expect((await requestToken(session, { current_password: undefined })).status).toBe(200)
    const late = await enter('ida', { secondsAgo: 301 })
    for (const current_password of [undefined, PASSWORD])
      expect(await requestToken(late, { current_password })).toMatchObject({
        status: 422,
        body: { code: 'incorrect_password' },
      })
  })

  it('can sign in anew for it', async () => {
    const query = { prompt: 'login', return_to: '/tokens' }
    const answer = await comeBack(await goThere('ida', { query }))
    expect(answer.headers.location).toBe('/tokens')
    const session = continuing(guidance(), answer)
    expect((await requestToken(session, { current_password: undefined })).status).toBe(200)
  })

  it('cannot unlink their only way in, until there is a password', async () => {
    const session = await enter('jo')
    const { id, identities } = await ownAccountOf(session)
    const unlinked = { identity_id: identities[0]?.id }
    const refused = await session.call('POST', '/users/unlink_identity', { body: unlinked })
    expect(messagesOf(refused)).toEqual(['Set a password first, or nobody can sign in any more'])
    const boss = await guidance().signIn((await guidance().person('Boss', { admin: true })).email)
    const made = await boss.call('POST', `/users/${id}/generate_reset_link`)
    const { reset_url } = z.object({ reset_url: z.string() }).parse(made.body)
    expect((await resetPassword(guidance().nobody, secretIn(reset_url), PASSWORD)).status).toBe(200)
    const local = await guidance().signIn('jo@example.org')
    const done = await local.call('POST', '/users/unlink_identity', {
      body: { ...unlinked, current_password: PASSWORD },
    })
    expect(done.status).toBe(200)
    expect((await local.call('GET', '/api/auth/me')).body).toMatchObject({ provider: null })
  })

  it('deletes the account after a fresh sign-on only', async () => {
    const late = await enter('kim', { secondsAgo: 600 })
    const body = { user: {} }
    expect((await late.call('DELETE', '/users', { body })).status).toBe(422)
    const fresh = await enter('kim')
    expect((await fresh.call('DELETE', '/users', { body })).status).toBe(200)
    expect(await statusOf(late)).toBe(401)
  })
})
