import { z } from 'zod'
import {
  command,
  attribute,
  choice,
  colour,
  count,
  databaseUrl,
  directory,
  flag,
  issuer,
  line,
  mailServer,
  proxies,
  scopes,
} from './setting-values.ts'

/** The variables of the guidance service; `.env.example` explains each. */
export const GUIDANCE_ENVIRONMENT = {
  SERVICE_DATABASE_URL: databaseUrl.optional(),
  SERVICE_DATABASE_WAIT_SECONDS: count(0, 3600).default(30),
  SERVICE_SECRET_KEY: z.string().min(32, 'must have at least 32 characters').optional(),
  SERVICE_SLOW_MS: count(0, 600_000).default(1000),
  SERVICE_ENVIRONMENT: line.default('production'),
  SERVICE_TRUSTED_PROXIES: proxies.default([]),
  SERVICE_ADMIN_EMAIL: z
    .email('must be an e-mail address')
    .max(255, 'must not be longer than 255 characters')
    .optional(),
  SERVICE_ADMIN_PASSWORD: z.string().optional(),
  SERVICE_API_TOKENS_ENABLED: flag.default(true),
  SERVICE_LOCAL_LOGIN_ENABLED: flag.default(true),
  SERVICE_USER_REGISTRATION_ENABLED: flag.default(true),
  SERVICE_ATTACHMENT_SCAN: command.optional(),
  SERVICE_USER_SEARCH: choice(['all', 'known']).default('all'),
  SERVICE_PROJECT_CREATION_ENABLED: flag.default(true),
  SERVICE_CATALOGUE_PUBLIC: flag.default(true),
  SERVICE_SESSION_IDLE_MINUTES: count(1, 1440).default(10),
  SERVICE_SESSION_HOURS: count(1, 720).default(12),
  SERVICE_SECOND_FACTOR_REQUIRED: choice(['none', 'administrators', 'everybody']).default('none'),
  SERVICE_LOCKOUT_ENABLED: flag.default(true),
  SERVICE_LOCKOUT_MAXIMUM_ATTEMPTS: count(1, 100).default(3),
  SERVICE_LOCKOUT_LAST_ATTEMPT_WARNING: flag.default(true),
  SERVICE_LOCKOUT_UNLOCK_MINUTES: count(1, 10_080).default(15),
  SERVICE_LOCKOUT_UNLOCK_STRATEGY: choice(['both', 'time', 'email']).default('both'),
  SERVICE_PASSWORD_MIN_LENGTH: count(8, 128).default(15),
  SERVICE_PASSWORD_MIN_UPPERCASE: count(0, 10).default(2),
  SERVICE_PASSWORD_MIN_LOWERCASE: count(0, 10).default(2),
  SERVICE_PASSWORD_MIN_NUMBER: count(0, 10).default(2),
  SERVICE_PASSWORD_MIN_SPECIAL: count(0, 10).default(2),
  SERVICE_BANNER_ENABLED: flag.default(false),
  SERVICE_BANNER_TEXT: line.default(''),
  SERVICE_BANNER_BACKGROUND_COLOR: colour.default('#007a33'),
  SERVICE_BANNER_TEXT_COLOR: colour.default('#ffffff'),
  SERVICE_CONSENT_ENABLED: flag.default(false),
  SERVICE_CONSENT_VERSION: count(1, 1_000_000).default(1),
  SERVICE_CONSENT_TITLE: line.default('Terms of Use'),
  SERVICE_CONSENT_CONTENT: z.string().max(20_000, 'must not be longer than 20000 characters').default(''),
  SERVICE_CONSENT_TTL: count(0, 31_536_000).default(0),
  SERVICE_OIDC_ISSUER: issuer.optional(),
  SERVICE_OIDC_CLIENT_ID: line.optional(),
  SERVICE_OIDC_CLIENT_SECRET: line.optional(),
  SERVICE_OIDC_TITLE: line.default('OIDC Provider'),
  SERVICE_OIDC_SCOPES: scopes.default('openid email profile'),
  SERVICE_OIDC_TRUST_EMAIL: flag.default(false),
  SERVICE_LDAP_URL: directory.optional(),
  SERVICE_LDAP_TITLE: line.default('LDAP'),
  SERVICE_LDAP_STARTTLS: flag.default(false),
  SERVICE_LDAP_BIND_DN: line.default(''),
  SERVICE_LDAP_BIND_PASSWORD: line.default(''),
  SERVICE_LDAP_BASE_DN: line.optional(),
  SERVICE_LDAP_USERNAME_ATTRIBUTE: attribute.default('uid'),
  SERVICE_LDAP_EMAIL_ATTRIBUTE: attribute.default('mail'),
  SERVICE_LDAP_NAME_ATTRIBUTE: attribute.default('cn'),
  SERVICE_SMTP_URL: mailServer.optional(),
  SERVICE_SMTP_FROM: line.default('Parapet <parapet@localhost>'),
  SERVICE_UPGRADE_BACKUP_ENABLED: flag.default(true),
  SERVICE_WEBHOOK_ALLOW_PRIVATE: flag.default(false),
  SERVICE_RATE_LIMIT_ENABLED: flag.default(true),
  SERVICE_RATE_LIMIT_LOGINS: count(1, 1_000_000).default(5),
  SERVICE_RATE_LIMIT_TOKEN_REQUESTS: count(1, 1_000_000).default(300),
  SERVICE_RATE_LIMIT_UPLOADS: count(1, 1_000_000).default(10),
  SERVICE_RATE_LIMIT_COMMENTS: count(1, 1_000_000).default(10),
  SERVICE_RATE_LIMIT_COMMENTS_PER_HOUR: count(1, 1_000_000).default(100),
  SERVICE_RATE_LIMIT_REACTIONS: count(1, 1_000_000).default(60),
  SERVICE_RATE_LIMIT_REACTION_READS: count(1, 1_000_000).default(300),
  SERVICE_RATE_LIMIT_USER_SEARCHES: count(1, 1_000_000).default(60),
} as const

/** Variables, each with another one that it needs. */
const DEPENDENT_VARIABLES: readonly (readonly [string, string])[] = [
  ['SERVICE_OIDC_ISSUER', 'SERVICE_OIDC_CLIENT_ID'],
  ['SERVICE_LDAP_URL', 'SERVICE_LDAP_BASE_DN'],
  // With an empty password, a directory binds the service anonymously (RFC 4513, 5.1.2).
  ['SERVICE_LDAP_BIND_DN', 'SERVICE_LDAP_BIND_PASSWORD'],
  ['SERVICE_ADMIN_EMAIL', 'SERVICE_ADMIN_PASSWORD'],
  ['SERVICE_ADMIN_PASSWORD', 'SERVICE_ADMIN_EMAIL'],
]

/** Finds variables that are set without another one that they need. */
export function missingPartners(env: Readonly<Record<string, unknown>>): readonly string[] {
  return DEPENDENT_VARIABLES.filter(([name, partner]) => isSet(env[name]) && !isSet(env[partner])).map(
    ([name, partner]) => `${partner}: is needed because ${name} is set.`,
  )
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== ''
}
