import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { continuing, cookieOf, logIn, sending } from '../../support/accounts.ts'
import { clientOf, guidanceService } from '../../support/guidance.ts'

const guidance = guidanceService({
  SERVICE_CONSENT_ENABLED: 'true',
  SERVICE_CONSENT_VERSION: '3',
})

const SOME_ID: unknown = expect.any(Number)

const acknowledged = z.strictObject({ acknowledged_at: z.iso.datetime(), version: z.int() })

describe('Accepting the terms of use', () => {
  it('is remembered with the version, and survives the sign-in', async () => {
    const first = await guidance().nobody.call('POST', '/consent/acknowledge')
    const { acknowledged_at: at, version } = acknowledged.parse(first.body)
    expect(version).toBe(3)
    const { email } = await guidance().person('Ada')
    const headers = { Cookie: cookieOf(first) }
    const session = continuing(guidance(), await logIn(sending(guidance().nobody, headers), email))
    expect(await remembered()).toEqual([{ userId: SOME_ID, consent: { at, version } }])

    await session.call('POST', '/consent/acknowledge')
    const [{ consent } = { consent: undefined }] = await remembered()
    expect(Date.parse(consent?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(at))
    await session.call('DELETE', '/api/auth/logout')
    expect(await remembered()).toEqual([])
  })

  it('needs neither a body nor an account, and ignores a token', async () => {
    const client = clientOf(guidance().service, { Authorization: 'Token svc_nonsense' })
    expect((await client.call('POST', '/consent/acknowledge')).status).toBe(200)
    expect((await client.call('POST', '/consent/acknowledge', { body: [1] })).status).toBe(200)
    expect((await client.call('GET', '/consent/acknowledge')).status).toBe(405)
  })
})

const kept = z.object({
  userId: z.int().optional(),
  consent: z.object({ at: z.string(), version: z.int() }).optional(),
})

/** What the sessions of the database hold. */
async function remembered() {
  const { read } = guidance().service.guidance.database
  const rows = await read.selectFrom('sessions').select('data').execute()
  return rows.map(({ data }) => kept.parse(JSON.parse(data)))
}
