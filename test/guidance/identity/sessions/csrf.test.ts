import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { accountOf, continuing, logIn, sending } from '../../../support/accounts.ts'
import { clientOf, guidanceService, type SessionClient } from '../../../support/guidance.ts'

const guidance = guidanceService()

describe('The CSRF token', () => {
  it('is the same in the sign-in, in "me" and at its own path', async () => {
    const session = await guidance().signUp('Ada')
    const answer = await session.call('GET', '/api/auth/csrf')
    expect(z.object({ csrf_token: z.string() }).parse(answer.body).csrf_token).toBe(session.csrfToken)
    const me = await session.call('GET', '/api/auth/me')
    expect(me.headers['x-csrf-token']).toBe(session.csrfToken)
  })

  it('differs between sessions', async () => {
    const session = await guidance().signUp('Ben')
    const again = await guidance().signIn('ben@example.org')
    expect(again.csrfToken).not.toBe(session.csrfToken)
    const { cookie: Cookie } = again
    const third = continuing(guidance(), await logIn(sending(guidance().nobody, { Cookie }), 'ben@example.org'))
    expect(new Set([session, again, third].map(({ csrfToken }) => csrfToken)).size).toBe(3)
    expect((await rename(third, again.csrfToken)).status).toBe(403)
  })

  it('is not returned to a token', async () => {
    const cleo = await guidance().person('Cleo')
    const client = await guidance().token(cleo, ['read'])
    const { headers } = await client.call('GET', '/api/auth/me')
    expect(headers).not.toHaveProperty('x-csrf-token')
  })
})

describe('A write within a session', () => {
  it.each([
    ['nothing', () => undefined],
    ['an empty value', () => ''],
    ['another value', (token: string) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['a longer value', (token: string) => `${token}=`],
    ['characters of several bytes', (token: string) => Buffer.from('é'.repeat(token.length)).toString('latin1')],
    ['two values', (token: string) => `${token}, ${token}`],
  ])('is refused with %s in X-CSRF-Token and changes nothing', async (what, forge) => {
    const session = await guidance().signUp(`Dora with ${what}`)
    const sent = forge(session.csrfToken)
    const answer = await rename(session, sent)
    expect(answer).toMatchObject({ status: 403, body: { code: 'invalid_csrf_token' } })
    expect((await accountOf(guidance(), session)).name).toBe(session.name)
  })

  it('is refused with the token in the body or the query', async () => {
    const session = await guidance().signUp('Gus')
    const user = { name: 'Gone' }
    const { csrfToken } = session
    const answer = await bare(session).call('PUT', `/users?csrf_token=${csrfToken}`, {
      body: { user, authenticity_token: csrfToken, csrf_token: csrfToken },
    })
    expect(answer).toMatchObject({ status: 403, body: { code: 'invalid_csrf_token' } })
  })
})

/** The session without its CSRF token. */
function bare({ cookie: Cookie }: SessionClient) {
  return clientOf(guidance().service, { Cookie })
}

function rename(session: SessionClient, csrfToken: string | undefined) {
  const headers = csrfToken === undefined ? {} : { 'X-CSRF-Token': csrfToken }
  return bare(session).call('PUT', '/users', { body: { user: { name: 'Renamed' } }, headers })
}
