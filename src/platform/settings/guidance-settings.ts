import type { z } from 'zod'
import type { GUIDANCE_ENVIRONMENT } from './guidance-environment.ts'

type Environment = z.infer<z.ZodObject<typeof GUIDANCE_ENVIRONMENT>>

/** The settings of the guidance service without secrets. Times are in milliseconds. */
export interface GuidanceSettings {
  readonly environment: string
  /** Database statements that take at least so many milliseconds are logged; 0: none. */
  readonly slowMs: number
  /** How long a start waits for a database server that does not answer. */
  readonly databaseWaitMs: number
  readonly trustedProxies: readonly string[]
  readonly tokensEnabled: boolean
  readonly localLogin: boolean
  readonly registration: boolean
  /** The program that scans attachments for malware, with its arguments; null: none does. */
  readonly attachmentScan: readonly string[] | null
  /** `all`: people can find every user; `known`: only users whom they know, and whole addresses. */
  readonly userSearch: 'all' | 'known'
  readonly projectCreation: boolean
  /** Whether published benchmarks can be read and searched without an account. */
  readonly cataloguePublic: boolean
  readonly session: { readonly idleMs: number; readonly absoluteMs: number }
  /** Users with a local password who must have a second factor, in addition to those chosen by an administrator. */
  readonly secondFactor: 'none' | 'administrators' | 'everybody'
  readonly lockout: LockoutSettings
  readonly password: PasswordSettings
  readonly banner: BannerSettings
  readonly consent: ConsentSettings
  readonly oidc: OidcSettings | null
  readonly ldap: LdapSettings | null
  readonly smtp: { readonly from: string } | null
  /** Whether webhooks may go to addresses inside the network, and unencrypted. */
  readonly webhooks: { readonly allowPrivate: boolean }
  /** Null when limits are switched off. */
  readonly rateLimit: RateLimits | null
  /** Whether a backup is made before a database that has been used is brought up to date. */
  readonly upgradeBackup: boolean
}

export type LockoutSettings = Readonly<ReturnType<typeof toLockout>>
export type PasswordSettings = Readonly<ReturnType<typeof toPassword>>
export type BannerSettings = Readonly<ReturnType<typeof toBanner>>
export type ConsentSettings = Readonly<ReturnType<typeof toConsent>>
export type OidcSettings = Readonly<NonNullable<ReturnType<typeof toOidc>>>
export type LdapSettings = Readonly<NonNullable<ReturnType<typeof toLdap>>>
/** Requests per minute, except `commentsPerHour`. */
export type RateLimits = Readonly<ReturnType<typeof toRateLimits>>

/** Values that must never be logged or returned. */
export interface Secrets {
  /** Null: the file in the data folder, see `docs/operating.md`. */
  readonly secretKey: string | null
  readonly databaseUrl: string | null
  readonly admin: { readonly email: string; readonly password: string } | null
  readonly oidcClientSecret: string | null
  readonly ldapBindPassword: string
  readonly smtpUrl: string | null
}

export function toGuidanceSettings(env: Environment): GuidanceSettings {
  return Object.freeze({
    environment: env.SERVICE_ENVIRONMENT,
    slowMs: env.SERVICE_SLOW_MS,
    databaseWaitMs: env.SERVICE_DATABASE_WAIT_SECONDS * 1000,
    trustedProxies: env.SERVICE_TRUSTED_PROXIES,
    tokensEnabled: env.SERVICE_API_TOKENS_ENABLED,
    localLogin: env.SERVICE_LOCAL_LOGIN_ENABLED,
    registration: env.SERVICE_USER_REGISTRATION_ENABLED,
    attachmentScan: env.SERVICE_ATTACHMENT_SCAN ?? null,
    userSearch: env.SERVICE_USER_SEARCH,
    projectCreation: env.SERVICE_PROJECT_CREATION_ENABLED,
    cataloguePublic: env.SERVICE_CATALOGUE_PUBLIC,
    session: {
      idleMs: env.SERVICE_SESSION_IDLE_MINUTES * 60_000,
      absoluteMs: env.SERVICE_SESSION_HOURS * 3_600_000,
    },
    secondFactor: env.SERVICE_SECOND_FACTOR_REQUIRED,
    lockout: toLockout(env),
    password: toPassword(env),
    banner: toBanner(env),
    consent: toConsent(env),
    oidc: toOidc(env),
    ldap: toLdap(env),
    smtp: env.SERVICE_SMTP_URL === undefined ? null : { from: env.SERVICE_SMTP_FROM },
    webhooks: { allowPrivate: env.SERVICE_WEBHOOK_ALLOW_PRIVATE },
    rateLimit: env.SERVICE_RATE_LIMIT_ENABLED ? toRateLimits(env) : null,
    upgradeBackup: env.SERVICE_UPGRADE_BACKUP_ENABLED,
  })
}

function toRateLimits(env: Environment) {
  return {
    logins: env.SERVICE_RATE_LIMIT_LOGINS,
    tokenRequests: env.SERVICE_RATE_LIMIT_TOKEN_REQUESTS,
    uploads: env.SERVICE_RATE_LIMIT_UPLOADS,
    comments: env.SERVICE_RATE_LIMIT_COMMENTS,
    commentsPerHour: env.SERVICE_RATE_LIMIT_COMMENTS_PER_HOUR,
    reactions: env.SERVICE_RATE_LIMIT_REACTIONS,
    reactionReads: env.SERVICE_RATE_LIMIT_REACTION_READS,
    userSearches: env.SERVICE_RATE_LIMIT_USER_SEARCHES,
  }
}

export function toSecrets(env: Environment): Secrets {
  const { SERVICE_ADMIN_EMAIL: email, SERVICE_ADMIN_PASSWORD: password } = env
  return Object.freeze({
    secretKey: env.SERVICE_SECRET_KEY ?? null,
    databaseUrl: env.SERVICE_DATABASE_URL ?? null,
    admin: email === undefined || password === undefined ? null : { email, password },
    oidcClientSecret: env.SERVICE_OIDC_CLIENT_SECRET ?? null,
    ldapBindPassword: env.SERVICE_LDAP_BIND_PASSWORD,
    smtpUrl: env.SERVICE_SMTP_URL ?? null,
  })
}

function toLockout(env: Environment) {
  return {
    enabled: env.SERVICE_LOCKOUT_ENABLED,
    maximumAttempts: env.SERVICE_LOCKOUT_MAXIMUM_ATTEMPTS,
    lastAttemptWarning: env.SERVICE_LOCKOUT_LAST_ATTEMPT_WARNING,
    unlockMs: env.SERVICE_LOCKOUT_UNLOCK_MINUTES * 60_000,
    unlockStrategy: env.SERVICE_LOCKOUT_UNLOCK_STRATEGY,
  }
}

/** The minimum number of characters of each kind. */
function toPassword(env: Environment) {
  return {
    minLength: env.SERVICE_PASSWORD_MIN_LENGTH,
    minUppercase: env.SERVICE_PASSWORD_MIN_UPPERCASE,
    minLowercase: env.SERVICE_PASSWORD_MIN_LOWERCASE,
    minNumber: env.SERVICE_PASSWORD_MIN_NUMBER,
    minSpecial: env.SERVICE_PASSWORD_MIN_SPECIAL,
  }
}

function toBanner(env: Environment) {
  return {
    enabled: env.SERVICE_BANNER_ENABLED,
    text: env.SERVICE_BANNER_TEXT,
    backgroundColor: env.SERVICE_BANNER_BACKGROUND_COLOR,
    textColor: env.SERVICE_BANNER_TEXT_COLOR,
  }
}

function toConsent(env: Environment) {
  return {
    enabled: env.SERVICE_CONSENT_ENABLED,
    version: env.SERVICE_CONSENT_VERSION,
    title: env.SERVICE_CONSENT_TITLE,
    content: env.SERVICE_CONSENT_CONTENT,
    /** Seconds; 0 is the whole session. */
    ttl: env.SERVICE_CONSENT_TTL,
  }
}

function toOidc(env: Environment) {
  const { SERVICE_OIDC_ISSUER: issuer, SERVICE_OIDC_CLIENT_ID: clientId } = env
  if (issuer === undefined || clientId === undefined) return null
  return {
    issuer,
    clientId,
    title: env.SERVICE_OIDC_TITLE,
    scopes: env.SERVICE_OIDC_SCOPES,
    /** Take every e-mail address of the provider as verified, whether it says so or not. */
    trustEmail: env.SERVICE_OIDC_TRUST_EMAIL,
  }
}

function toLdap(env: Environment) {
  const { SERVICE_LDAP_URL: url, SERVICE_LDAP_BASE_DN: baseDn } = env
  if (url === undefined || baseDn === undefined) return null
  return {
    url,
    baseDn,
    title: env.SERVICE_LDAP_TITLE,
    startTls: env.SERVICE_LDAP_STARTTLS,
    /** Empty binds anonymously for the search. */
    bindDn: env.SERVICE_LDAP_BIND_DN,
    usernameAttribute: env.SERVICE_LDAP_USERNAME_ATTRIBUTE,
    emailAttribute: env.SERVICE_LDAP_EMAIL_ATTRIBUTE,
    nameAttribute: env.SERVICE_LDAP_NAME_ATTRIBUTE,
  }
}
