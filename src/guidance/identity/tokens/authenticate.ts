import { BlockList, isIP } from 'node:net'
import type { Caller } from '../../../http/caller.ts'
import { HOW_TO_AUTHENTICATE, refuseTokens } from '../../../http/refusals.ts'
import { isStorageRefusal } from '../../../platform/storage.ts'
import type { Database } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepared.ts'
import { setupRequired } from '../second-factor/refusals.ts'
import { type SecondFactorRule, secondFactorState } from '../second-factor/state.ts'
import { firstProvider } from '../users/provider.ts'
import { digestToken } from './format.ts'
import { stringList } from './schemas.ts'

/** Precision of `last_used_at`. */
const USED_MS = 60_000
const READ_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

interface PresentedToken {
  /** The part of the Authorization header after the scheme. */
  readonly raw: string
  readonly method: string
  readonly address: string
  /** Decides who must have a second factor. */
  readonly rule: SecondFactorRule
}

/** Whether an Authorization header has our scheme. */
export function isTokenHeader(header: string | undefined): header is string {
  return header !== undefined && /^\s*token\b/i.test(header)
}

export function rawTokenOf(header: string): string {
  return /^token +(\S+) *$/i.exec(header)?.[1] ?? ''
}

/**
 * Returns the caller of a personal access token. Checks the token, then the client's address, then the scope
 * (docs/contract.md, Tokens); `write` does not include `read`. All other rights are those of the owner.
 */
export async function authenticateToken(
  database: Database,
  key: Buffer,
  { raw, method, address, rule }: PresentedToken,
): Promise<Caller> {
  const today = new Date().toISOString().slice(0, 10)
  const [token] = raw === '' ? [] : await findActiveToken[rule](database.read, digestToken(raw, key), today)
  if (token === undefined) {
    const detail = 'The token is missing, unknown, revoked or expired.'
    throw refuseTokens('invalid_token', detail, HOW_TO_AUTHENTICATE)
  }
  const ranges = stringList.parse(JSON.parse(token.allowed_ips))
  if (ranges.length > 0 && !isInRanges(address, ranges))
    throw refuseTokens('ip_not_allowed', 'The token does not allow requests from this address.')
  const scope = READ_METHODS.has(method) ? 'read' : 'write'
  const scopes = stringList.parse(JSON.parse(token.scopes))
  if (!scopes.includes(scope) && !scopes.includes('admin'))
    throw refuseTokens(
      'insufficient_token_scope',
      `This request requires the ${scope} scope, and the token does not grant it.`,
    )
  if (token.state === 'missing')
    throw setupRequired('The owner of the token has to sign in and set up a second factor.')
  // Reading must work even if the database cannot be written.
  await noteUse(database, token).catch((error: unknown) => {
    if (!isStorageRefusal(error)) throw error
  })
  const { id, user_id, name, email, admin, provider } = token
  return { id: user_id, name, email, admin: admin === 1, provider, via: { kind: 'token', id } }
}

interface UsedToken {
  readonly id: number
  readonly last_used_at: string | null
}

async function noteUse(database: Database, { id, last_used_at }: UsedToken): Promise<void> {
  const now = Date.now()
  if (last_used_at !== null && Date.parse(last_used_at) + USED_MS > now) return
  await database.transact(async (writer) => {
    await writer
      .updateTable('personal_access_tokens')
      .set({ last_used_at: new Date(now).toISOString() })
      .where('id', '=', id)
      .execute()
  })
}

/** One query for each rule, because queries are compiled once. */
const findActiveToken: Record<SecondFactorRule, ReturnType<typeof tokenFinder>> = {
  none: tokenFinder('none'),
  administrators: tokenFinder('administrators'),
  everybody: tokenFinder('everybody'),
}

function tokenFinder(rule: SecondFactorRule) {
  return prepareQuery((reader, digest, today) =>
    reader
      .selectFrom('personal_access_tokens as token')
      .innerJoin('users', 'users.id', 'token.user_id')
      .select(['token.id', 'token.user_id', 'token.scopes', 'token.allowed_ips', 'token.last_used_at'])
      .select(['users.name', 'users.email', 'users.admin', firstProvider.as('provider')])
      .select(secondFactorState(rule).as('state'))
      .where('token.digest', '=', digest)
      .where('token.revoked_at', 'is', null)
      .where('token.expires_at', '>', today)
      .where((is) => is.or([is('locked_by', 'is', null), is('locked_by', '<>', 'administrator')])),
  )
}

/**
 * Whether an address is in one of the ranges. An IPv4 address in IPv6 form (`::ffff:192.0.2.1`, as dual-stack
 * sockets give it) counts as IPv4.
 */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    if (prefix === undefined) list.addAddress(network, familyOf(network))
    else list.addSubnet(network, Number(prefix), familyOf(network))
  }
  return isIP(address) !== 0 && list.check(address, familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}
