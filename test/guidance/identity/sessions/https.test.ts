import { describe, expect, it } from 'vitest'
import { accountOf, continuing, cookieOf, logIn, sending, statusOf } from '../../../support/accounts.ts'
import { clientOf, guidanceService } from '../../../support/guidance.ts'

const guidance = guidanceService({ SERVICE_BASE_URL: 'https://parapet.example/' })
const HTTPS = { 'X-Forwarded-Proto': 'https' }

describe('A sign-in to a service with an https address', () => {
  it.each(['https', 'HTTPS', ' https , http'])(
    'sets a cookie for https and this host only when the proxy says %j',
    async (proto) => {
      const email = 'ada@example.org'
      await guidance()
        .person('Ada')
        .catch(() => null)
      const headers = { 'X-Forwarded-Proto': proto }
      const answer = await logIn(sending(guidance().nobody, headers), email)
      expect(answer.status).toBe(200)
      const [line = ''] = answer.headers['set-cookie'] ?? []
      const [value = '', ...attributes] = line.split('; ')
      expect(value).toMatch(/^__Host-parapet=s%3A/)
      expect(attributes.sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure'])
      expect(await statusOf(continuing(guidance(), answer))).toBe(200)
    },
  )

  it.each([{}, { 'X-Forwarded-Proto': 'http' }, { 'X-Forwarded-Proto': 'http, https' }])(
    'is refused with the reason when the proxy says %j',
    async (headers) => {
      const ben = await guidance()
        .person('Ben')
        .catch(() => ({ email: 'ben@example.org' }))
      const answer = await logIn(sending(guidance().nobody, headers), ben.email)
      expect(answer).toMatchObject({ status: 400, body: { code: 'insecure_transport' } })
      expect(JSON.stringify(answer.body)).toContain('X-Forwarded-Proto')
      expect(cookieOf(answer)).toBe('')
    },
  )

  it('refuses the session of a visitor who accepts the terms', async () => {
    const { nobody } = guidance()
    expect(await nobody.call('POST', '/consent/acknowledge')).toMatchObject({
      status: 400,
      body: { code: 'insecure_transport' },
    })
    const answer = await nobody.call('POST', '/consent/acknowledge', { headers: HTTPS })
    expect(answer.status).toBe(200)
    expect(cookieOf(answer)).toMatch(/^__Host-parapet=/)
  })

  it('ignores a cookie with the name that is used over http', async () => {
    const cleo = await guidance().person('Cleo')
    const answer = await logIn(sending(guidance().nobody, HTTPS), cleo.email)
    const Cookie = cookieOf(answer).replace('__Host-', '')
    expect(await statusOf(clientOf(guidance().service, { Cookie }))).toBe(401)
    expect((await accountOf(guidance(), cleo)).last_sign_in_at).not.toBeNull()
  })
})
