// @module-tag node

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../../src/platform/errors.ts'
import {
  readSecrets,
  readSettings,
  readSyncProxy,
  SETTING_NAMES,
  unknownSettings,
} from '../../../src/platform/settings/settings.ts'

/** Wrong values of each variable. */
const WRONG: readonly (readonly [string, string])[] = [
  ...wrong('SERVICE_HOST SERVICE_METRICS_HOST SERVICE_ENVIRONMENT SERVICE_BANNER_TEXT SERVICE_CONSENT_TITLE', [
    'two\nlines',
    'x'.repeat(501),
  ]),
  ...wrong('SERVICE_PROCESSES', ['0', '65', '-1', '1.5', 'many', 'AUTO']),
  ...wrong('SERVICE_DATABASE_WAIT_SECONDS', ['-1', '3601', '1.5', 'soon']),
  ...SETTING_NAMES.filter((name) => name.endsWith('_FILE')).flatMap((name) =>
    wrong(name, ['/no/such/file', '/', '/dev/zero']),
  ),
  ...wrong('SERVICE_SECURITY_CONTACT', [
    'ada@example.org',
    'http://example.org/',
    'mailto:',
    'call us',
    'https://a b',
    'mailto:a@example.org\nExpires: never',
  ]),
  ...wrong('SERVICE_DRAIN_SECONDS', ['-1', '301', '1.5', 'soon']),
  ...wrong('SERVICE_OIDC_CLIENT_ID SERVICE_OIDC_CLIENT_SECRET SERVICE_OIDC_TITLE SERVICE_LDAP_TITLE', ['two\nlines']),
  ...wrong('SERVICE_LDAP_BIND_DN SERVICE_LDAP_BIND_PASSWORD SERVICE_LDAP_BASE_DN SERVICE_SMTP_FROM', ['two\nlines']),
  ...SETTING_NAMES.filter((name) =>
    /(_MB|_PORT|_MINUTES|_HOURS|_ATTEMPTS|_MIN_\w+|_VERSION|_TTL)$|SPARQL_|RATE_LIMIT_(?!ENABLED)/.test(name),
  ).flatMap((name) =>
    wrong(name, ['-1', '1.5', '1e3', '0x10', ' 5', 'NaN', 'Infinity', '24h', '9'.repeat(9), '9'.repeat(400)]),
  ),
  ...SETTING_NAMES.filter((name) =>
    /_(ENABLED|WARNING|STARTTLS|TRUST_EMAIL|ALLOW_PRIVATE|ACTIVATE|CATALOGUE_PUBLIC)$/.test(name),
  ).flatMap((name) => wrong(name, ['no', '1', 'TRUE', 'true '])),
  ...wrong('SERVICE_SYNC_HOURS', ['-1', '8761', '1.5', 'daily']),
  ...wrong('SERVICE_SYNC_PROXY', ['proxy:3128', 'socks5://x', 'http://x/path', 'http://x?a', 'x']),
  ...wrong('SERVICE_LIBRARY_URLS SERVICE_REFERENCE_URLS SERVICE_ONTOLOGY_URL', [
    'x.example',
    'ftp://x.example/a.zip',
    'https://me:pw@x.example/a.zip',
    'file:/etc/passwd',
    'http://x.example:22/a.zip',
  ]),
  ...wrong('SERVICE_SPARQL_URL', ['http://x.example:6000/sparql', 'http://x.example:0/sparql']),
  ...wrong('SERVICE_LIBRARY_URLS', ['https://x.example/a.zip,https://x.example/b.zip']),
  ...wrong('SERVICE_SLOW_MS', ['-1', '600001', 'soon']),
  ...wrong(
    'SERVICE_LOG_LEVEL SERVICE_ACCESS_LOG SERVICE_LOCKOUT_UNLOCK_STRATEGY SERVICE_USER_SEARCH SERVICE_SECOND_FACTOR_REQUIRED',
    ['loud'],
  ),
  ...wrong('SERVICE_BANNER_BACKGROUND_COLOR SERVICE_BANNER_TEXT_COLOR', ['red', '#fff', '#12345g']),
  ...wrong('SERVICE_LDAP_USERNAME_ATTRIBUTE SERVICE_LDAP_EMAIL_ATTRIBUTE SERVICE_LDAP_NAME_ATTRIBUTE', [
    '1x',
    'a=b',
    'a)(b',
  ]),
  ...wrong('SERVICE_BASE_URL', [
    'x.example',
    'ftp://x.example',
    'https://',
    'https://x.example/parapet/',
    '//x.example',
    'https://x.example?a=b',
    'https://x.example/?',
    'https://x.example/#a',
    'https://x .example',
    'https://me@x.example',
    'https://me:pw@x.example',
    'https://x.example:99999',
    'https:x.example',
  ]),
  ...wrong('SERVICE_TRUSTED_PROXIES', [
    '10.0.0.0/99',
    '10.0.0.0/0',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0',
    '::/129',
    '::/0',
    '10.0.0.0/8, proxy.example',
    '10.0.0.0/8 10.1.0.0/16',
    'true',
    '1',
    'fe80::1%eth0',
  ]),
  ...wrong('SERVICE_DATABASE_URL', [
    'mysql://x',
    'file::memory:',
    'file:',
    'parapet.db',
    'postgres://me:p#w@db',
    'postgres://me:p%w@db',
  ]),
  ...wrong('SERVICE_SECRET_KEY', ['short']),
  ...wrong('SERVICE_ADMIN_EMAIL', ['ada', `${'a'.repeat(255)}@example.org`]),
  ...wrong('SERVICE_CONSENT_CONTENT', ['x'.repeat(20_001)]),
  ...wrong('SERVICE_OIDC_ISSUER', [
    'id.example',
    'ftp://id.example',
    'https://id.example?a=b',
    'https://id.example#a',
    'https://me:pw@id.example',
    'https://',
    'https://id.example:636',
  ]),
  ...wrong('SERVICE_OIDC_SCOPES', ['email profile', 'openid,email']),
  ...wrong('SERVICE_LDAP_URL', [
    'x.example',
    'http://x.example',
    'ldap://',
    'ldap://[::1]',
    'ldap://x.example/dc=x',
    'ldap://x.example?a',
    'ldap://me:pw@x.example',
    'ldap://x.example:99999',
    'LDAP://x.example',
  ]),
  ...wrong('SERVICE_SMTP_URL', ['http://x.example', 'smtp:x.example', 'smtp://me:p#w@x.example']),
]

function wrong(names: string, values: readonly string[]): readonly (readonly [string, string])[] {
  return names.split(' ').flatMap((name) => values.map((value) => [name, value] as const))
}

function refusalFrom(env: NodeJS.ProcessEnv): Refusal {
  try {
    readSettings(env)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error(`Nothing was refused: ${JSON.stringify(env)}`)
}

describe('The settings', () => {
  it('have defaults for everything', () => {
    const { guidance, ...settings } = readSettings({})
    expect(settings).toEqual({
      host: '127.0.0.1',
      securityContact: null,
      port: 3000,
      processes: 1,
      baseUrl: 'http://localhost:3000',
      dataDir: './var',
      logLevel: 'info',
      accessLog: 'requests',
      cacheBytes: 64 * 1024 * 1024,
      releasesBytes: 512 * 1024 * 1024,
      engine: null,
      metrics: null,
      sync: { libraries: [], references: [], ontology: null, everyMs: null, activate: false, allowPrivate: false },
      drainMs: 5000,
      mcp: false,
      sparql: {
        threads: 2,
        deadlineMs: 5000,
        rows: 100_000,
        answerBytes: 32 * 1024 * 1024,
        queryBytes: 100 * 1024,
        queue: 64,
        perAddress: 10,
        memoryMegabytes: 512,
        paths: false,
      },
    })
    expect(guidance).toMatchObject({
      tokensEnabled: true,
      localLogin: true,
      registration: true,
      lockout: { enabled: true, maximumAttempts: 3, lastAttemptWarning: true, unlockMs: 900_000 },
      password: { minLength: 15, minUppercase: 2, minLowercase: 2, minNumber: 2, minSpecial: 2 },
      session: { idleMs: 600_000 },
      upgradeBackup: true,
      rateLimit: {
        logins: 5,
        tokenRequests: 300,
        uploads: 10,
        comments: 10,
        commentsPerHour: 100,
        reactions: 60,
        reactionReads: 300,
        userSearches: 60,
      },
      oidc: null,
      ldap: null,
      smtp: null,
      trustedProxies: [],
    })
  })

  it('let administrators find everybody, unless the operator limits them to people they know', () => {
    const searchOf = (env: Readonly<Record<string, string>>) => readSettings(env).guidance.userSearch
    expect(searchOf({})).toBe('all')
    expect(searchOf({ SERVICE_USER_REGISTRATION_ENABLED: 'false' })).toBe('all')
    expect(searchOf({ SERVICE_USER_SEARCH: 'known' })).toBe('known')
  })

  it('keep secrets separate from settings that may be shown', () => {
    const secret = 'a secret of at least thirty-two characters'
    const env = {
      SERVICE_SECRET_KEY: secret,
      SERVICE_DATABASE_URL: `postgres://x:${secret}@db`,
      SERVICE_ADMIN_EMAIL: 'ada@example.org',
      SERVICE_ADMIN_PASSWORD: secret,
      SERVICE_OIDC_CLIENT_SECRET: secret,
      SERVICE_LDAP_BIND_PASSWORD: secret,
      SERVICE_SMTP_URL: `smtp://x:${secret}@mail`,
      SERVICE_SYNC_PROXY: 'http://x:a-secret-of-thirty-two-characters@proxy',
    }
    expect(JSON.stringify(readSettings(env))).not.toMatch(/a.secret.of/)
    expect(readSyncProxy(env)).toBe(env.SERVICE_SYNC_PROXY)
    expect(JSON.stringify(readSecrets(env)).split(secret)).toHaveLength(7)
  })

  it('treat an empty variable as one that is not set', () => {
    expect(readSettings({ SERVICE_PORT: '' }).port).toBe(3000)
  })

  it('treat a blank variable as one that is not set', () => {
    const blank = Object.fromEntries(SETTING_NAMES.map((name) => [name, ' \t']))
    expect(readSettings(blank)).toEqual(readSettings({}))
    expect(readSecrets(blank)).toEqual(readSecrets({}))
  })

  it.each([
    ['https://x.example/', 'https://x.example'],
    ['http://X.example:80', 'http://x.example'],
    ['http://[::1]:8080/', 'http://[::1]:8080'],
  ])('reduce the base URL %s to its origin', (text, baseUrl) => {
    expect(readSettings({ SERVICE_BASE_URL: text }).baseUrl).toBe(baseUrl)
  })

  it.each(WRONG)('refuse %s=%s by its name, without repeating what may be secret', (name, value) => {
    const { code, message } = refusalFrom({ [name]: value })
    expect(code).toBe('setting_invalid')
    expect(message).toMatch(new RegExp(`^${name}: (must|Too)`))
    if (value.includes('@') || name.includes('SECRET')) expect(message).not.toContain(value)
  })

  it('have a case above for every setting that is not free text', () => {
    const tried = new Set(WRONG.map(([name]) => name))
    const untried = SETTING_NAMES.filter((name) => !tried.has(name))
    expect(untried).toEqual(['SERVICE_DATA_DIR', 'SERVICE_ADMIN_PASSWORD', 'SERVICE_ATTACHMENT_SCAN'])
  })

  it.each([
    [{ SERVICE_OIDC_ISSUER: 'https://id.example' }, 'SERVICE_OIDC_CLIENT_ID'],
    [{ SERVICE_LDAP_URL: 'ldap://x.example' }, 'SERVICE_LDAP_BASE_DN'],
    [{ SERVICE_LDAP_BIND_DN: 'cn=x' }, 'SERVICE_LDAP_BIND_PASSWORD'],
    [{ SERVICE_ADMIN_EMAIL: 'ada@example.org' }, 'SERVICE_ADMIN_PASSWORD'],
    [{ SERVICE_ADMIN_PASSWORD: 'x' }, 'SERVICE_ADMIN_EMAIL'],
  ])('name what %j needs', (env, needed) => {
    expect(refusalFrom(env).message).toBe(`${needed}: is needed because ${Object.keys(env).join('')} is set.`)
  })

  it('refuse metrics at the port of the service, unless any will do', () => {
    const ports = { SERVICE_PORT: '8080', SERVICE_METRICS_PORT: '8080' }
    expect(refusalFrom(ports).message).toBe('SERVICE_METRICS_PORT: must differ from SERVICE_PORT.')
    const any = readSettings({ SERVICE_PORT: '0', SERVICE_METRICS_PORT: '0' })
    expect(any).toMatchObject({ port: 0, metrics: { port: 0 } })
  })

  it.each([
    ['10.0.0.0/8, 192.0.2.1', ['10.0.0.0/8', '192.0.2.1']],
    ['2001:db8::/32,::1', ['2001:db8::/32', '::1']],
    ['loopback, linklocal, uniquelocal', ['loopback', 'linklocal', 'uniquelocal']],
    [',,', []],
  ])('read the trusted proxies %s', (text, proxies) => {
    const { guidance } = readSettings({ SERVICE_TRUSTED_PROXIES: text })
    expect(guidance.trustedProxies).toEqual(proxies)
  })

  it.each([
    { SERVICE_DATABASE_URL: 'postgresql://me:p%20w@db:5432/parapet?sslmode=require' },
    { SERVICE_DATABASE_URL: 'postgres:///parapet?host=/run/postgresql' },
    { SERVICE_DATABASE_URL: 'file:/srv/parapet.db' },
    { SERVICE_SMTP_URL: 'smtps://me:p%20w@mail.example:465' },
    { SERVICE_OIDC_SCOPES: 'openid' },
    { SERVICE_BASE_URL: 'https://guidance.example.org:8443' },
  ])('accept %j', (env) => {
    expect(() => readSecrets(env)).not.toThrow()
  })

  it('name a variable that only looks like one of them', () => {
    expect(unknownSettings({ SERVICE_PORT: '1', SERVICE_PROT: '2', HOME: '/' })).toEqual(['SERVICE_PROT'])
  })

  it('are listed one by one in .env.example', () => {
    const example = readFileSync('.env.example', 'utf8')
    const listed = [...example.matchAll(/^#? ?(SERVICE_[A-Z_]+)=/gm)].map(([, name]) => name)
    expect(listed.sort()).toEqual([...SETTING_NAMES].sort())
  })
})
