import { describe, expect, it } from 'vitest'
import { createLimits, networkOf } from '../../src/guidance/limits.ts'
import { logIn, sending, WRONG_PASSWORD } from '../support/accounts.ts'
import { guidanceService, PASSWORD, type Answer } from '../support/guidance.ts'
import { refusalOf } from '../support/refusal.ts'

const ON = { SERVICE_RATE_LIMIT_ENABLED: 'true', SERVICE_LOCKOUT_ENABLED: 'false' }
/** Each client of these tests has an address of its own. */
const PROXIED = { ...ON, SERVICE_TRUSTED_PROXIES: '127.0.0.1' }

describe('Failed attempts to sign in', () => {
  const guidance = guidanceService(PROXIED)

  it('from one address are refused after five, for whichever account', async () => {
    const ada = await guidance().person('Ada')
    const answers: Answer[] = []
    for (let attempt = 0; attempt < 7; attempt += 1)
      answers.push(await attemptFrom('192.0.2.1', `nobody-${attempt}@example.org`))
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429])
    expect((await attemptFrom('192.0.2.1', ada.email, PASSWORD)).status).toBe(429)
    expect((await attemptFrom('192.0.2.2', ada.email, PASSWORD)).status).toBe(200)
  })

  it('for one account are refused after five, from whichever address', async () => {
    const ben = await guidance().person('Ben')
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await attemptFrom(`198.51.100.${attempt}`, ben.email)).status).toBe(401)
    for (const email of [ben.email, ' BEN@example.org'])
      expect((await attemptFrom('198.51.100.9', email, PASSWORD)).status).toBe(429)
  })

  it('are refused with the time to wait, in the header and for the user', async () => {
    const answers: Answer[] = []
    for (let attempt = 0; attempt < 6; attempt += 1)
      answers.push(await attemptFrom('192.0.2.3', `no-${attempt}@example.org`))
    const seconds = Number(answers[5]?.headers['retry-after'])
    expect(seconds).toBeGreaterThan(50)
    expect(seconds).toBeLessThanOrEqual(60)
    expect(answers[5]).toMatchObject({
      status: 429,
      body: {
        ...{ code: 'rate_limited', retry_after: seconds },
        toast: {
          title: 'Rate limited',
          message: `Too many requests. Please wait ${seconds} seconds and try again.`,
          variant: 'danger',
        },
      },
    })
  })

  it('are told from successes, which do not count', async () => {
    const cleo = await guidance().person('Cleo')
    for (let attempt = 0; attempt < 8; attempt += 1)
      expect((await attemptFrom('192.0.2.4', cleo.email, PASSWORD)).status).toBe(200)
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await attemptFrom('192.0.2.4', cleo.email)).status).toBe(401)
    expect((await attemptFrom('192.0.2.4', cleo.email, PASSWORD)).status).toBe(429)
  })

  it('from one network of IPv6 count together', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1)
      await attemptFrom(`2001:db8:1:2:${attempt}::1`, `v6-${attempt}@example.org`)
    expect((await attemptFrom('2001:db8:1:2:ffff::2', 'v6@example.org')).status).toBe(429)
    expect((await attemptFrom('2001:db8:1:3::1', 'v6@example.org')).status).toBe(401)
  })

  it('with links count as well, for each kind by itself', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.5' }
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const body = { unlock_token: `guess ${attempt}` }
      statuses.push(
        (await guidance().nobody.call('PUT', '/users/unlock', { body, headers })).status,
      )
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
    expect((await attemptFrom('192.0.2.5', 'somebody@example.org')).status).toBe(401)
  })

  it('count where a password is asked for within a session', async () => {
    const dora = await guidance().person('Dora')
    const session = await guidance().signIn(dora.email)
    const user = { email: 'other@example.org', current_password: WRONG_PASSWORD }
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt += 1)
      statuses.push((await session.call('PUT', '/users', { body: { user } })).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
  })

  function attemptFrom(address: string, email: string, password = WRONG_PASSWORD) {
    return logIn(sending(guidance().nobody, { 'X-Forwarded-For': address }), email, password)
  }
})

describe('An address that a client makes up', () => {
  const guidance = guidanceService(ON)

  it('does not get around the limit where no proxy is trusted', async () => {
    const statuses: number[] = []
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const headers = { 'X-Forwarded-For': `192.0.2.${attempt}` }
      const email = `made-up-${attempt}@example.org`
      const client = sending(guidance().nobody, headers)
      statuses.push((await logIn(client, email, WRONG_PASSWORD)).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
  })
})

describe('Requests with a token', () => {
  const guidance = guidanceService({ ...PROXIED, SERVICE_RATE_LIMIT_TOKEN_REQUESTS: '3' })

  it('are counted by address, whether the token is right or not', async () => {
    const ada = await guidance().person('Ada')
    const token = await guidance().token(ada, ['read'])
    const ask = async (address: string, headers: Readonly<Record<string, string>> = {}) =>
      (
        await token.call('GET', '/api/auth/me', {
          headers: { 'X-Forwarded-For': address, ...headers },
        })
      ).status
    const wrong = { Authorization: 'Token svc_wrong' }
    expect([
      ...[await ask('192.0.2.1'), await ask('192.0.2.1', wrong), await ask('192.0.2.1')],
      await ask('192.0.2.1'),
    ]).toEqual([200, 401, 200, 429])
    expect(await ask('192.0.2.1', wrong)).toBe(429)
    expect(await ask('192.0.2.2')).toBe(200)
  })

  it('do not count what is asked without one', async () => {
    const headers = { 'X-Forwarded-For': '192.0.2.3' }
    for (let request = 0; request < 10; request += 1)
      expect((await guidance().nobody.call('GET', '/api/auth/me', { headers })).status).toBe(401)
  })
})

describe('The limits', () => {
  it('are none where they are switched off', async () => {
    const { logins, tokenRequests } = createLimits(null)
    for (let request = 0; request < 1000; request += 1) {
      await logins.count('one')
      await tokenRequests.count('one')
    }
    await logins.forgive('one')
  })

  it('take back what is forgiven, and no more', async () => {
    const { logins } = createLimits({ logins: 2, tokenRequests: 1 })
    for (let round = 0; round < 5; round += 1) {
      await logins.count('one')
      await logins.forgive('one')
    }
    await logins.count('one')
    await logins.count('one')
    const refusal = await refusalOf(() => logins.count('one'))
    expect(refusal.code).toBe('rate_limited')
    await logins.count('another')
  })

  it('are counted for each kind by itself', async () => {
    const { logins, tokenRequests } = createLimits({ logins: 1, tokenRequests: 1 })
    await logins.count('one')
    await tokenRequests.count('one')
    expect((await refusalOf(() => tokenRequests.count('one'))).code).toBe('rate_limited')
  })
})

describe('The network of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['', ''],
    ['nonsense', 'nonsense'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
