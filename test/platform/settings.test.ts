import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  readSecrets,
  readSettings,
  SETTING_NAMES,
  unknownSettings,
} from '../../src/platform/settings.ts'

describe('The settings', () => {
  it('have defaults for everything', () => {
    const { guidance, ...settings } = readSettings({})
    expect(settings).toEqual({
      host: '127.0.0.1',
      port: 3000,
      baseUrl: 'http://localhost:3000',
      dataDir: './var',
      logLevel: 'info',
      cacheBytes: 64 * 1024 * 1024,
    })
    expect(guidance).toMatchObject({
      tokensEnabled: true,
      localLogin: true,
      registration: true,
      lockout: { enabled: true, maximumAttempts: 3, lastAttemptWarning: true, unlockMs: 900_000 },
      password: { minLength: 15, minUppercase: 2, minLowercase: 2, minNumber: 2, minSpecial: 2 },
      session: { idleMs: 600_000 },
      rateLimit: {
        ...{ logins: 5, tokenRequests: 300, uploads: 10, comments: 10, commentsPerHour: 100 },
        ...{ reactions: 60, reactionReads: 300 },
      },
      ...{ oidc: null, ldap: null, smtp: null, trustedProxies: [] },
    })
  })

  it('keep secrets apart from everything that may be shown', () => {
    const secret = 'a secret of at least thirty-two characters'
    const env = {
      SERVICE_SECRET_KEY: secret,
      SERVICE_DATABASE_URL: `postgres://x:${secret}@db`,
      SERVICE_ADMIN_EMAIL: 'ada@example.org',
      SERVICE_ADMIN_PASSWORD: secret,
      SERVICE_OIDC_CLIENT_SECRET: secret,
      SERVICE_LDAP_BIND_PASSWORD: secret,
      SERVICE_SMTP_URL: `smtp://x:${secret}@mail`,
    }
    expect(JSON.stringify(readSettings(env))).not.toContain(secret)
    expect(JSON.stringify(readSecrets(env)).split(secret)).toHaveLength(7)
  })

  it('take an empty variable for one that is not set', () => {
    expect(readSettings({ SERVICE_PORT: '' }).port).toBe(3000)
  })

  it('drop the final slash of the base URL', () => {
    expect(readSettings({ SERVICE_BASE_URL: 'https://x.example/' }).baseUrl).toBe(
      'https://x.example',
    )
  })

  it.each([
    { SERVICE_PORT: '1.5' },
    { SERVICE_PORT: '-1' },
    { SERVICE_CACHE_MB: '0' },
    { SERVICE_LOG_LEVEL: 'loud' },
    { SERVICE_BASE_URL: 'ftp://x.example' },
    { SERVICE_DATABASE_URL: 'mysql://x' },
    { SERVICE_DATABASE_URL: 'file::memory:' },
    { SERVICE_API_TOKENS_ENABLED: 'no' },
    { SERVICE_TRUSTED_PROXIES: '10.0.0.0/8, proxy.example' },
    { SERVICE_SECRET_KEY: 'short' },
    { SERVICE_OIDC_CLIENT_ID: '', SERVICE_OIDC_ISSUER: 'https://id.example' },
    { SERVICE_LDAP_URL: 'ldap://x.example' },
    { SERVICE_ADMIN_EMAIL: 'ada@example.org' },
  ])('refuse %j by its name', (env) => {
    const [name = ''] = Object.keys(env)
    expect(() => readSettings(env)).toThrow(name)
  })

  it('name a variable that only looks like one of them', () => {
    const env = { SERVICE_PORT: '1', SERVICE_PROT: '2', HOME: '/' }
    expect(unknownSettings(env)).toEqual(['SERVICE_PROT'])
  })

  it('are listed one by one in .env.example', () => {
    const example = readFileSync('.env.example', 'utf8')
    const listed = [...example.matchAll(/^#? ?(SERVICE_[A-Z_]+)=/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual([...SETTING_NAMES].sort())
  })
})
