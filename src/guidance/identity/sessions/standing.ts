import type { Caller } from '../../../http/caller.ts'
import { remembered } from '../../../http/session.ts'
import type { ConsentSettings } from '../../../platform/settings/guidance-settings.ts'
import type { Reader } from '../../database/transaction.ts'
import { isAccepted } from '../consent/accept.ts'
import { secondFactorState, stepMissing, type SecondFactorRule } from '../second-factor/state.ts'

/** The limits of a session. */
interface SessionRules {
  readonly idleMs: number
  readonly consent: ConsentSettings
  readonly secondFactor: SecondFactorRule
}

/**
 * The caller as of now, for streams that outlast one request; null when the session, its acceptance of the terms or
 * the token is no longer valid, a second factor is missing, or the account is locked.
 */
export async function findStanding(
  reader: Reader,
  caller: Caller,
  rules: SessionRules,
): Promise<Caller | null> {
  const found = await (caller.via.kind === 'session'
    ? findBySession(reader, caller, rules)
    : findByToken(reader, caller, rules))
  if (found === undefined || found.locked_by === 'administrator') return null
  return { ...caller, admin: found.admin === 1 }
}

interface AccountState {
  readonly admin: number
  readonly locked_by: string | null
}

async function findBySession(
  reader: Reader,
  { id, via }: Caller,
  { idleMs, consent, secondFactor }: SessionRules,
): Promise<AccountState | undefined> {
  const now = Date.now()
  const found = await reader
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.admin', 'users.locked_by', 'sessions.data'])
    .select(secondFactorState(secondFactor).as('state'))
    .where('sessions.id', '=', via.id)
    .where('sessions.user_id', '=', id)
    .where('sessions.expires_at', '>', new Date(now).toISOString())
    .where('sessions.touched_at', '>', new Date(now - idleMs).toISOString())
    .executeTakeFirst()
  if (found === undefined) return undefined
  const data = remembered.parse(JSON.parse(found.data))
  if (stepMissing(found.state, data) !== null) return undefined
  return isAccepted(consent, data) ? found : undefined
}

async function findByToken(
  reader: Reader,
  { id, via }: Caller,
  { secondFactor }: SessionRules,
): Promise<AccountState | undefined> {
  const found = await reader
    .selectFrom('personal_access_tokens as token')
    .innerJoin('users', 'users.id', 'token.user_id')
    .select(['users.admin', 'users.locked_by'])
    .select(secondFactorState(secondFactor).as('state'))
    .where('token.id', '=', via.id)
    .where('token.user_id', '=', id)
    .where('token.revoked_at', 'is', null)
    .where('token.expires_at', '>', new Date().toISOString().slice(0, 10))
    .executeTakeFirst()
  return found?.state === 'missing' ? undefined : found
}
