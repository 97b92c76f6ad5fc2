// @module-tag database

import { describe, expect, it, onTestFinished } from 'vitest'
import { openGuidance } from '../../../src/guidance/index.ts'
import { createLog } from '../../../src/platform/log.ts'
import { readSecrets, readSettings } from '../../../src/platform/settings/settings.ts'
import { createSearch } from '../../../src/search/search.ts'
import { endpointsFor } from '../../../src/services.ts'
import { logIn, secretIn } from '../../support/accounts.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { environmentOf, freshDatabase, type FreshDatabase } from '../../support/fresh-database.ts'
import { ago, rowsOf, setRows } from '../../support/guidance-records.ts'
import { PASSWORD, startGuidance, type GuidanceUnderTest } from '../../support/guidance.ts'
import { refusalOf } from '../../support/refusal.ts'

describe('The link of the first start', () => {
  it('creates the first administrator once, also after other people have registered', async () => {
    const guidance = await start()
    await guidance.person('Early')
    const link = linkOf(guidance)
    expect(link).toMatch(/^http:\/\/localhost:0\/setup\?token=[\w-]{43}$/)
    expect(await setUp(guidance, secretIn(link))).toMatchObject({
      status: 200,
      body: { toast: { title: 'Administrator created.' } },
    })
    expect(await logIn(guidance.nobody, 'root@example.org')).toMatchObject({
      status: 200,
      body: { name: 'Root', admin: true },
    })
    expect(await setUp(guidance, secretIn(link), { email: 'second@example.org' })).toMatchObject({
      status: 422,
      body: { code: 'link_invalid' },
    })
  })

  it('is refused with a reason once there is a site administrator', async () => {
    const guidance = await start()
    await guidance.person('Early', { admin: true })
    expect(await setUp(guidance, secretIn(linkOf(guidance)))).toMatchObject({
      status: 422,
      body: { code: 'link_invalid' },
    })
    expect(await people(guidance)).toEqual(['early@example.org'])
  })

  it('survives refused values and expires after a day', async () => {
    const guidance = await start()
    const secret = secretIn(linkOf(guidance))
    for (const wrong of ['', 'x'.repeat(43), null]) expect((await setUp(guidance, wrong)).status).toBe(422)
    expect((await setUp(guidance, secret, { password: 'weak' })).status).toBe(422)
    await setRows(guidance, 'one_time_links', { expires_at: ago(1) })
    expect((await setUp(guidance, secret)).status).toBe(422)
    expect(await people(guidance)).toEqual([])
  })

  it('is replaced at the next start while there are no accounts', async () => {
    const fresh = await freshDatabase()
    const first = await open(fresh)
    const second = await open(fresh)
    if (first === null || second === null || !('link' in first) || !('link' in second))
      throw new Error('There is no link')
    const guidance = await start(fresh)
    expect((await setUp(guidance, secretIn(first.link))).status).toBe(422)
    expect((await setUp(guidance, secretIn(linkOf(guidance)))).status).toBe(200)
    expect(await open(fresh)).toBeNull()
  })
})

describe('Without local passwords', () => {
  it('creates no administrator with a password at the setup', async () => {
    const guidance = await start(undefined, {
      SERVICE_LOCAL_LOGIN_ENABLED: 'false',
      SERVICE_ADMIN_EMAIL: 'chief@example.org',
      SERVICE_ADMIN_PASSWORD: PASSWORD,
    })
    expect(guidance.service.guidance.firstSteps).toEqual({ byProvider: true })
    expect(await setUp(guidance, 'x'.repeat(43))).toMatchObject({ status: 403, body: { code: 'local_login_disabled' } })
    expect(await people(guidance)).toEqual([])
  })
})

describe('The first administrator of the settings', () => {
  const ADMIN = { SERVICE_ADMIN_EMAIL: 'Chief@Example.org', SERVICE_ADMIN_PASSWORD: PASSWORD }

  it('is created only if there are no accounts', async () => {
    const fresh = await freshDatabase()
    expect(await open(fresh, ADMIN)).toEqual({ email: 'Chief@Example.org' })
    const guidance = await start(fresh, { ...ADMIN, SERVICE_ADMIN_EMAIL: 'other@example.org' })
    expect(guidance.service.guidance.firstSteps).toBeNull()
    expect(await people(guidance)).toEqual(['chief@example.org'])
    expect(await logIn(guidance.nobody, 'chief@example.org')).toMatchObject({
      body: { name: 'Administrator', admin: true },
    })
  })

  it('is made once by two processes that start at once', async () => {
    const fresh = await freshDatabase()
    const steps = await Promise.all([1, 2].map(() => open(fresh, ADMIN)))
    expect(steps.filter((step) => step !== null).length).toBeGreaterThan(0)
    expect(await people(await start(fresh))).toEqual(['chief@example.org'])
  })

  it('stops the start when the password is too weak, without repeating it', async () => {
    const fresh = await freshDatabase()
    const weak = { ...ADMIN, SERVICE_ADMIN_PASSWORD: 'Swordfish' }
    const refusal = await refusalOf(() => open(fresh, weak))
    expect(refusal.code).toBe('validation_failed')
    expect(refusal.message).toContain('SERVICE_ADMIN_PASSWORD')
    expect(JSON.stringify([refusal, refusal.message])).not.toContain('Swordfish')
  })
})

/** Starts the service and stops it again; what the start had to say. */
async function open(database: FreshDatabase, env: Readonly<Record<string, string>> = {}) {
  const environment = { ...environmentOf(database), ...env }
  const settings = readSettings(environment)
  const service = await openGuidance({
    ...settings,
    ontology: null,
    search: (sources) => createSearch({ ...sources, ontology: null }),
    endpoints: endpointsFor(null),
    settings: settings.guidance,
    secrets: readSecrets(environment),
    version: '0.0.0',
    frameworkVersion: '0.0.0',
    log: createLog('silent'),
  })
  await service.close()
  return service.firstSteps
}

async function start(database?: FreshDatabase, env: Readonly<Record<string, string>> = {}): Promise<GuidanceUnderTest> {
  const guidance =
    database === undefined
      ? await startGuidance(await temporaryFolder(), env)
      : await startGuidance(database.dataDir, { ...environmentOf(database), ...env })
  onTestFinished(() => guidance.service.close())
  return guidance
}

function linkOf({ service }: GuidanceUnderTest): string {
  const { firstSteps } = service.guidance
  if (firstSteps === null || !('link' in firstSteps)) throw new Error('There is no link')
  return firstSteps.link
}

function setUp(
  { nobody }: GuidanceUnderTest,
  token: unknown,
  changes: { readonly email?: string; readonly password?: string } = {},
) {
  const user = { name: 'Root', email: 'root@example.org', password: PASSWORD, ...changes }
  return nobody.call('POST', '/api/setup', { body: { token, user } })
}

async function people(guidance: GuidanceUnderTest): Promise<readonly string[]> {
  return (await rowsOf(guidance, 'users')).map(({ email }) => email)
}
