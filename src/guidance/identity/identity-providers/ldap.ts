import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, EqualityFilter, ResultCodeError, type Entry } from 'ldapts'
import { Refusal } from '../../../platform/errors.ts'
import type { LdapSettings } from '../../../platform/settings/guidance-settings.ts'
import type { ExternalIdentity } from './identity.ts'
import { emailOf, nameOf } from './person.ts'

const TIMEOUT_MS = 10_000
/** Servers drop large requests (slapd: 256 KiB), and no name or password is this long. */
const MAX_LENGTH = 10_000

/**
 * Result codes of a directory that refuses the bind of a person: constraintViolation, noSuchObject,
 * inappropriateAuthentication, invalidCredentials, insufficientAccessRights, unwillingToPerform (RFC 4511, A.2). For
 * locked accounts, some directories do not send invalidCredentials.
 */
const REFUSED_BIND_CODES = new Set([19, 32, 48, 49, 50, 53])

export interface LdapOptions {
  readonly settings: LdapSettings
  readonly bindPassword: string
  /** Called with the DN before its password is checked; an error ends the attempt. */
  readonly onMatch?: (dn: string) => Promise<void>
}

/**
 * Finds the name with the service account, then binds with its DN. Returns null if the name is unknown or the password
 * is wrong. Refuses if the directory does not work, and, after the right password, a person without an e-mail address.
 */
export async function signInWithLdap(
  options: LdapOptions,
  username: string,
  password: string,
): Promise<ExternalIdentity | null> {
  if (!isPossible(username) || !isPossible(password)) return null
  const client = connect(options.settings)
  try {
    await secure(client, options.settings)
    const entry = await findEntry(client, options, username)
    if (entry === null) return null
    await options.onMatch?.(entry.dn)
    if (!(await accepts(client, entry.dn, password))) return null
    return toIdentity(entry, options.settings, username)
  } finally {
    await client.unbind().catch(() => null)
  }
}

/**
 * False for an empty text: with an empty password, many servers bind anonymously and report success (RFC 4513, 5.1.2).
 * False also for NUL, which ends a text in some servers.
 */
function isPossible(text: string): boolean {
  return text !== '' && text.length <= MAX_LENGTH && !text.includes('\0')
}

function connect({ url }: LdapSettings): Client {
  // The library reads the groups of an IPv6 address as decimal numbers, so it would connect to another host.
  if (url.includes('://[')) throw unavailableRefusal('The directory needs a host name, not an IPv6 address')
  try {
    return new Client({ url, timeout: TIMEOUT_MS, connectTimeout: TIMEOUT_MS })
  } catch {
    throw unavailableRefusal('The address of the directory cannot be used')
  }
}

/** Encrypts the connection before anything is sent if StartTLS is set; `ldaps:` is already encrypted. */
async function secure(client: Client, { url, startTls }: LdapSettings): Promise<void> {
  if (!startTls || !url.startsWith('ldap://')) return
  const host = new URL(url).hostname
  const names = isIP(host) === 0 ? { host, servername: host } : { host }
  // The library has no timeout for the handshake.
  const tooLate = sleep(TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error('The handshake takes too long')
  })
  await Promise.race([client.startTLS(names), tooLate]).catch((error: unknown) => {
    throw unavailableRefusal('The directory offers no trusted TLS connection', error)
  })
}

/** Finds the only entry with this name. Null if there are several: it is unclear whose password to check. */
async function findEntry(
  client: Client,
  { settings, bindPassword }: LdapOptions,
  username: string,
): Promise<Entry | null> {
  try {
    await client.bind(settings.bindDn, settings.bindDn === '' ? '' : bindPassword)
  } catch (error) {
    throw unavailableRefusal('The directory rejects the sign-in of this service', error)
  }
  try {
    const { searchEntries } = await client.search(settings.baseDn, {
      scope: 'sub',
      filter: new EqualityFilter({ attribute: settings.usernameAttribute, value: username }),
      attributes: [settings.emailAttribute, settings.nameAttribute],
      sizeLimit: 2,
      timeLimit: TIMEOUT_MS / 1000,
    })
    const [entry, second] = searchEntries
    return entry === undefined || second !== undefined ? null : entry
  } catch (error) {
    throw unavailableRefusal('The directory cannot be searched', error)
  }
}

async function accepts(client: Client, dn: string, password: string): Promise<boolean> {
  // A bind with an empty DN is anonymous, whatever the password (RFC 4513, 5.1.1).
  if (dn === '') return false
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    if (error instanceof ResultCodeError && REFUSED_BIND_CODES.has(error.code)) return false
    throw unavailableRefusal('The directory cannot check the password', error)
  }
}

function toIdentity(entry: Entry, settings: LdapSettings, username: string): ExternalIdentity {
  const email = emailOf(valuesOf(entry, settings.emailAttribute)[0])
  if (email === null)
    throw new Refusal('identity_provider_refused', 'The directory gives no usable e-mail address for you.')
  return {
    provider: 'ldap',
    uid: entry.dn.toLowerCase(),
    email,
    // The directory is trusted to verify addresses.
    emailVerified: true,
    name: nameOf(...valuesOf(entry, settings.nameAttribute), username) ?? email,
  }
}

/** Servers may write attribute names in another letter case (RFC 4512, 2.5). */
function valuesOf(entry: Entry, attribute: string): readonly unknown[] {
  const match = Object.entries(entry).find(([name]) => name.toLowerCase() === attribute.toLowerCase())
  return match === undefined ? [] : [match[1]].flat()
}

/** Leaves out the server's message, which may contain secrets. */
function unavailableRefusal(problem: string, error?: unknown): Refusal {
  const detail = error === undefined ? problem : detailOf(problem, error)
  return new Refusal('identity_provider_unavailable', `${detail}.`)
}

function detailOf(problem: string, error: unknown): string {
  if (error instanceof ResultCodeError) return `${problem} (LDAP result ${error.code})`
  if (!(error instanceof Error) || !('code' in error)) return problem
  return typeof error.code === 'string' ? `${problem} (${error.code})` : problem
}
