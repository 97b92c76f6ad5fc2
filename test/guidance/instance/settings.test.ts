import { describe, expect, it } from 'vitest'
import { guidanceService } from '../../support/guidance.ts'

/** As the services refuse larger ones. */
const uploads = {
  catalogue_bytes: 500_000_000,
  xml_bytes: 50_000_000,
  archive_bytes: 100_000_000,
  spreadsheet_bytes: 50_000_000,
  attachment_bytes: 5_000_000,
}

describe('The settings', () => {
  const guidance = guidanceService()
  const set = guidanceService({
    SERVICE_BANNER_ENABLED: 'true',
    SERVICE_BANNER_TEXT: 'Training <system>',
    SERVICE_BANNER_BACKGROUND_COLOR: '#112233',
    SERVICE_BANNER_TEXT_COLOR: '#abcdef',
    SERVICE_CONSENT_ENABLED: 'true',
    SERVICE_CONSENT_VERSION: '7',
    SERVICE_CONSENT_TITLE: 'Rules',
    SERVICE_CONSENT_CONTENT: 'Be kind.',
    SERVICE_CONSENT_TTL: '3600',
    SERVICE_LOCAL_LOGIN_ENABLED: 'false',
    SERVICE_OIDC_ISSUER: 'https://id.example/realm',
    SERVICE_OIDC_CLIENT_ID: 'secret client id',
    SERVICE_OIDC_CLIENT_SECRET: 'secret of the client',
    SERVICE_OIDC_TITLE: 'Company sign-on',
    SERVICE_LDAP_URL: 'ldaps://secret.directory.example',
    SERVICE_LDAP_BASE_DN: 'dc=secret',
    SERVICE_LDAP_BIND_PASSWORD: 'secret of the directory',
    SERVICE_SMTP_URL: 'smtp://user:secret@127.0.0.1:1',
    SERVICE_PASSWORD_MIN_LENGTH: '20',
    SERVICE_PASSWORD_MIN_UPPERCASE: '0',
    SERVICE_LOCKOUT_ENABLED: 'false',
    SERVICE_LOCKOUT_MAXIMUM_ATTEMPTS: '9',
    SERVICE_LOCKOUT_LAST_ATTEMPT_WARNING: 'false',
  })

  it('are those of the contract where nothing is set', async () => {
    expect(await guidance().nobody.call('GET', '/api/settings')).toMatchObject({ status: 200 })
    expect((await guidance().nobody.call('GET', '/api/settings')).body).toEqual({
      banner: { enabled: false, text: '', background_color: '#007a33', text_color: '#ffffff' },
      consent: { enabled: false, version: 1, title: 'Terms of Use', content: '', ttl: 0 },
      local_login: { enabled: true },
      user_registration: { enabled: true },
      ldap: { enabled: false, title: null },
      oidc: { enabled: false, title: null },
      smtp: { enabled: false },
      password: { min_length: 15, min_uppercase: 2, min_lowercase: 2, min_number: 2, min_special: 2 },
      lockout: { enabled: true, maximum_attempts: 3, last_attempt_warning: true },
      uploads,
    })
  })

  it('show their values and no secrets', async () => {
    const { body } = await set().nobody.call('GET', '/api/settings')
    expect(body).toEqual({
      banner: { enabled: true, text: 'Training <system>', background_color: '#112233', text_color: '#abcdef' },
      consent: { enabled: true, version: 7, title: 'Rules', content: 'Be kind.', ttl: 3600 },
      local_login: { enabled: false },
      // Nobody can register without a password.
      user_registration: { enabled: false },
      ldap: { enabled: true, title: 'LDAP' },
      oidc: { enabled: true, title: 'Company sign-on' },
      smtp: { enabled: true },
      password: { min_length: 20, min_uppercase: 0, min_lowercase: 2, min_number: 2, min_special: 2 },
      lockout: { enabled: false, maximum_attempts: 9, last_attempt_warning: false },
      uploads,
    })
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  it('and the version are public, and ignore tokens and cookies', async () => {
    const headers = { Authorization: 'Token svc_nonsense', Cookie: 'parapet=s%3Anonsense.x' }
    for (const path of ['/api/settings', '/api/version'])
      expect((await guidance().nobody.call('GET', path, { headers })).status).toBe(200)
  })
})

describe('The version', () => {
  const guidance = guidanceService({ SERVICE_ENVIRONMENT: 'staging' })

  it('names the program, its runtime and the environment', async () => {
    expect((await guidance().nobody.call('GET', '/api/version')).body).toEqual({
      name: 'Parapet',
      version: '0.0.0',
      framework: '0.0.0',
      runtime: process.versions.node,
      environment: 'staging',
    })
  })
})
