import { describe, expect, it } from 'vitest'
import { makeToken } from '../../../support/guidance-records.ts'
import { guidanceService, type Answer, type Client } from '../../../support/guidance.ts'

const ME = '/api/auth/me'
const WORDS: unknown = expect.stringMatching(/\w+ \w+/)

describe('An allow-list', () => {
  const guidance = guidanceService()

  it.each([
    ['the address of the caller', ['127.0.0.1'], 200],
    ['its IPv6 form', ['::ffff:127.0.0.1'], 200],
    ['nothing', [], 200],
    ['another address', ['127.0.0.2'], 403],
  ])('of %s returns the expected status', async (what, allowed_ips, status) => {
    const session = await guidance().signUp(what.replaceAll(' ', '-'))
    const { client } = await makeToken(guidance(), session, { allowed_ips })
    const answer = await client.call('GET', ME)
    expect(answer.status).toBe(status)
    if (status === 403) expectRefusal(answer)
  })

  it('is checked before the scope', async () => {
    const session = await guidance().signUp('Order')
    const values = { allowed_ips: ['192.0.2.1'], scopes: ['write'] }
    const { client } = await makeToken(guidance(), session, values)
    expectRefusal(await client.call('GET', ME))
  })

  it('ignores headers if no proxy is trusted', async () => {
    const session = await guidance().signUp('Forger')
    const outside = await makeToken(guidance(), session, { allowed_ips: ['192.0.2.1'] })
    for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Client-IP', 'True-Client-IP'])
      for (const value of ['192.0.2.1', 'for=192.0.2.1', '127.0.0.1, 192.0.2.1'])
        expectRefusal(await outside.client.call('GET', ME, { headers: { [name]: value } }))
    const inside = await makeToken(guidance(), session, { allowed_ips: ['127.0.0.1'] })
    expect((await inside.client.call('GET', ME, { headers: { 'X-Forwarded-For': '192.0.2.1' } })).status).toBe(200)
  })
})

describe('Behind a trusted proxy, an allow-list', () => {
  const guidance = guidanceService({
    SERVICE_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, fd00::/8, linklocal, ::ffff:10.0.0.0/104',
  })
  let clients: Promise<Client> | null = null

  /** Whether a token for 192.0.2.0/24 and 2001:db8::/32 works with this X-Forwarded-For. */
  async function ask(forwarded?: string): Promise<Answer> {
    clients ??= (async () => {
      const session = await guidance().signUp('Proxied')
      const allowed_ips = ['192.0.2.0/24', '2001:db8::/32']
      return (await makeToken(guidance(), session, { allowed_ips })).client
    })()
    const headers = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
    return (await clients).call('GET', ME, { headers })
  }

  it.each([
    '192.0.2.7',
    ' 192.0.2.7 ',
    '2001:db8::7',
    '192.0.2.7, 10.1.2.3, 10.9.9.9',
    '192.0.2.7,fd00::1,10.1.2.3',
    '203.0.113.1, 192.0.2.7',
    'garbage, 192.0.2.7, 10.1.2.3',
    '[2001:db8::7]:443, 10.1.2.3:5555',
  ])('accepts the client that the proxies name: %j', async (forwarded) => {
    expect((await ask(forwarded)).status).toBe(200)
  })

  it.each([
    undefined,
    '',
    '203.0.113.1',
    '192.0.2.7, 203.0.113.1',
    '192.0.2.7, 127.0.0.1, 203.0.113.1',
    '192.0.2.7, 11.0.0.1, 10.1.2.3',
    '192.0.2.7, garbage, 10.1.2.3',
    '10.1.2.3',
    '192.0.2.7, '.repeat(500) + '203.0.113.1',
  ])('refuses every other client: %j', async (forwarded) => {
    expectRefusal(await ask(forwarded))
  })
})

describe('Behind an untrusted proxy, an allow-list', () => {
  const guidance = guidanceService({ SERVICE_TRUSTED_PROXIES: '10.0.0.1' })

  it('checks the address of the peer only', async () => {
    const session = await guidance().signUp('Peer')
    const { client } = await makeToken(guidance(), session, { allowed_ips: ['192.0.2.7'] })
    for (const forwarded of ['192.0.2.7', '192.0.2.7, 10.0.0.1'])
      expectRefusal(await client.call('GET', ME, { headers: { 'X-Forwarded-For': forwarded } }))
  })
})

function expectRefusal({ status, body }: Answer): void {
  expect(status).toBe(403)
  expect(body).toMatchObject({ code: 'ip_not_allowed', error: WORDS })
}
