import { isIP } from 'node:net'
import { z } from 'zod'

const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const count = (min: number, max: number): z.ZodType<number> =>
  z.coerce.number().int().min(min).max(max)
const line = z.string().min(1).max(500)
const colour = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #007a33')

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

const addresses = list.refine(
  (items) => items.every((item) => isIP(item.replace(/\/\d+$/, '')) !== 0),
  'must be addresses or CIDR ranges, separated by commas',
)

const databaseUrl = z
  .string()
  .regex(/^(postgres(ql)?:\/\/|file:(?!:memory:).)/, 'must be postgres://… or file:PATH')

/** The variables of the guidance service; `.env.example` explains each. */
export const GUIDANCE_ENVIRONMENT = {
  SERVICE_DATABASE_URL: databaseUrl.optional(),
  SERVICE_SECRET_KEY: z.string().min(32).optional(),
  SERVICE_ENVIRONMENT: line.default('production'),
  SERVICE_TRUSTED_PROXIES: addresses.default([]),
  SERVICE_ADMIN_EMAIL: z.email().max(255).optional(),
  SERVICE_ADMIN_PASSWORD: z.string().min(1).optional(),
  SERVICE_API_TOKENS_ENABLED: flag.default(true),
  SERVICE_LOCAL_LOGIN_ENABLED: flag.default(true),
  SERVICE_USER_REGISTRATION_ENABLED: flag.default(true),
  SERVICE_PROJECT_CREATION_ENABLED: flag.default(true),
  SERVICE_SESSION_IDLE_MINUTES: count(1, 1440).default(10),
  SERVICE_SESSION_HOURS: count(1, 720).default(12),
  SERVICE_LOCKOUT_ENABLED: flag.default(true),
  SERVICE_LOCKOUT_MAXIMUM_ATTEMPTS: count(1, 100).default(3),
  SERVICE_LOCKOUT_LAST_ATTEMPT_WARNING: flag.default(true),
  SERVICE_LOCKOUT_UNLOCK_MINUTES: count(1, 10_080).default(15),
  SERVICE_LOCKOUT_UNLOCK_STRATEGY: z.enum(['both', 'time', 'email']).default('both'),
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
  SERVICE_CONSENT_CONTENT: z.string().max(20_000).default(''),
  SERVICE_CONSENT_TTL: count(0, 31_536_000).default(0),
  SERVICE_OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  SERVICE_OIDC_CLIENT_ID: line.optional(),
  SERVICE_OIDC_CLIENT_SECRET: line.optional(),
  SERVICE_OIDC_TITLE: line.default('OIDC Provider'),
  SERVICE_OIDC_SCOPES: line.default('openid email profile'),
  SERVICE_OIDC_TRUST_EMAIL: flag.default(false),
  SERVICE_LDAP_URL: z
    .string()
    .regex(/^ldaps?:\/\//, 'must start with ldap:// or ldaps://')
    .optional(),
  SERVICE_LDAP_TITLE: line.default('LDAP'),
  SERVICE_LDAP_STARTTLS: flag.default(false),
  SERVICE_LDAP_BIND_DN: z.string().max(500).default(''),
  SERVICE_LDAP_BIND_PASSWORD: z.string().max(500).default(''),
  SERVICE_LDAP_BASE_DN: line.optional(),
  SERVICE_LDAP_USERNAME_ATTRIBUTE: z
    .string()
    .regex(/^[A-Za-z][\w.-]*$/)
    .default('uid'),
  SERVICE_LDAP_EMAIL_ATTRIBUTE: z
    .string()
    .regex(/^[A-Za-z][\w.-]*$/)
    .default('mail'),
  SERVICE_LDAP_NAME_ATTRIBUTE: z
    .string()
    .regex(/^[A-Za-z][\w.-]*$/)
    .default('cn'),
  SERVICE_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional(),
  SERVICE_SMTP_FROM: z.string().min(3).max(320).default('Parapet <parapet@localhost>'),
  SERVICE_WEBHOOK_ALLOW_PRIVATE: flag.default(false),
  SERVICE_RATE_LIMIT_ENABLED: flag.default(true),
  SERVICE_RATE_LIMIT_LOGINS: count(1, 1_000_000).default(5),
  SERVICE_RATE_LIMIT_TOKEN_REQUESTS: count(1, 1_000_000).default(300),
  SERVICE_RATE_LIMIT_UPLOADS: count(1, 1_000_000).default(10),
  SERVICE_RATE_LIMIT_COMMENTS: count(1, 1_000_000).default(10),
  SERVICE_RATE_LIMIT_COMMENTS_PER_HOUR: count(1, 1_000_000).default(100),
  SERVICE_RATE_LIMIT_REACTIONS: count(1, 1_000_000).default(60),
  SERVICE_RATE_LIMIT_REACTION_READS: count(1, 1_000_000).default(300),
} as const

/** Variables that only mean something together; what is missing is named. */
const TOGETHER: readonly (readonly [string, string])[] = [
  ['SERVICE_OIDC_ISSUER', 'SERVICE_OIDC_CLIENT_ID'],
  ['SERVICE_LDAP_URL', 'SERVICE_LDAP_BASE_DN'],
  ['SERVICE_ADMIN_EMAIL', 'SERVICE_ADMIN_PASSWORD'],
  ['SERVICE_ADMIN_PASSWORD', 'SERVICE_ADMIN_EMAIL'],
]

/** What is wrong between variables that are right by themselves. */
export function missingPartners(env: Readonly<Record<string, unknown>>): readonly string[] {
  return TOGETHER.filter(
    ([given, needed]) => env[given] !== undefined && env[needed] === undefined,
  ).map(([given, needed]) => `${needed}: is needed because ${given} is set.`)
}
