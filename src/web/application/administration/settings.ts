import type { Settings } from '../client/settings.ts'

interface SettingGroup {
  /** Address of the section on the page. */
  readonly id: string
  readonly title: string
  readonly values: readonly SettingRow[]
}

/** A setting with its value and its variable. */
type SettingRow = readonly [name: string, value: string, variable: string]

/** The settings in groups, each as a sentence. */
export function settingsInWords(settings: Settings): readonly SettingGroup[] {
  return [
    { id: 'sign-in', title: 'Sign-in', values: signInMethods(settings) },
    { id: 'passwords', title: 'Passwords', values: passwordSettings(settings) },
    { id: 'mail', title: 'Mail', values: mailSettings(settings) },
    { id: 'banner', title: 'Banner and terms of use', values: firstSettings(settings) },
  ]
}

function signInMethods(settings: Settings): readonly SettingRow[] {
  return [
    ['Local passwords', inWords(settings.local_login), 'SERVICE_LOCAL_LOGIN_ENABLED'],
    ['People make accounts themselves', inWords(settings.user_registration), 'SERVICE_USER_REGISTRATION_ENABLED'],
    ['OpenID Connect', providerInWords(settings.oidc), 'SERVICE_OIDC_…'],
    ['LDAP', providerInWords(settings.ldap), 'SERVICE_LDAP_…'],
  ]
}

function mailSettings({ smtp }: Settings): readonly SettingRow[] {
  return [['Mail', smtp.enabled ? 'on' : 'off: links are handed over by administrators', 'SERVICE_SMTP_…']]
}

function passwordSettings({ password, lockout }: Settings): readonly SettingRow[] {
  return [
    ['Length', `at least ${password.min_length} characters`, 'SERVICE_PASSWORD_MIN_LENGTH'],
    [
      'Characters',
      `at least ${password.min_uppercase} capitals, ${password.min_lowercase} small letters, ${password.min_number} digits, ${password.min_special} others`,
      'SERVICE_PASSWORD_MIN_…',
    ],
    [
      'Account is locked',
      lockout.enabled ? `after ${lockout.maximum_attempts} wrong passwords` : 'never',
      'SERVICE_LOCKOUT_…',
    ],
  ]
}

function firstSettings({ banner, consent }: Settings): readonly SettingRow[] {
  return [
    ['Banner', banner.enabled ? banner.text : 'off', 'SERVICE_BANNER_…'],
    [
      'Terms of use',
      consent.enabled ? `${consent.title}, version ${consent.version}, ${ttlInWords(consent.ttl)}` : 'off',
      'SERVICE_CONSENT_…',
    ],
  ]
}

function inWords({ enabled }: { readonly enabled: boolean }): string {
  return enabled ? 'on' : 'off'
}

function providerInWords({ enabled, title }: Settings['oidc']): string {
  return enabled ? `on${title === null ? '' : `, as ${title}`}` : 'off'
}

function ttlInWords(seconds: number): string {
  return seconds === 0 ? 'accepted once a session' : `accepted every ${seconds} seconds`
}
