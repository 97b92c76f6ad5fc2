import type { Caller } from '../../../http/caller.ts'
import { sessionContent } from '../../../http/session.ts'
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
 * Finds the current state of callers, for streams that outlast one request. Null for a caller whose session, token or
 * acceptance of the terms is no longer valid, who lacks a required second factor, or whose account is locked.
 */
export async function findValidCallers(
  reader: Reader,
  callers: readonly Caller[],
  rules: SessionRules,
): Promise<readonly (Caller | null)[]> {
  const viaOf = (kind: Caller['via']['kind']): readonly number[] => [
    ...new Set(callers.flatMap(({ via }) => (via.kind === kind ? via.id : []))),
  ]
  const sessions = await findBySessions(reader, viaOf('session'), rules)
  const tokens = await findByTokens(reader, viaOf('token'), rules)
  return callers.map((caller) => {
    const { kind, id } = caller.via
    const account = (kind === 'session' ? sessions : tokens).get(id)
    if (account?.user_id !== caller.id || account.locked_by === 'administrator') return null
    return { ...caller, admin: account.admin === 1 }
  })
}

/** By the id of the session or token; invalid ones are left out. */
type AccountStates = ReadonlyMap<
  number,
  { readonly user_id: number; readonly admin: number; readonly locked_by: string | null }
>

async function findBySessions(
  reader: Reader,
  ids: readonly number[],
  { idleMs, consent, secondFactor }: SessionRules,
): Promise<AccountStates> {
  if (ids.length === 0) return new Map()
  const now = Date.now()
  const rows = await reader
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'users.id as user_id', 'users.admin', 'users.locked_by', 'sessions.data'])
    .select(secondFactorState(secondFactor).as('state'))
    .where('sessions.id', 'in', ids)
    .where('sessions.expires_at', '>', new Date(now).toISOString())
    .where('sessions.touched_at', '>', new Date(now - idleMs).toISOString())
    .execute()
  const valid = rows.filter(({ data: stored, state }) => {
    const data = sessionContent.parse(JSON.parse(stored))
    return stepMissing(state, data) === null && isAccepted(consent, data)
  })
  return new Map(valid.map((row) => [row.id, row]))
}

async function findByTokens(
  reader: Reader,
  ids: readonly number[],
  { secondFactor }: SessionRules,
): Promise<AccountStates> {
  if (ids.length === 0) return new Map()
  const rows = await reader
    .selectFrom('personal_access_tokens as token')
    .innerJoin('users', 'users.id', 'token.user_id')
    .select(['token.id', 'users.id as user_id', 'users.admin', 'users.locked_by'])
    .select(secondFactorState(secondFactor).as('state'))
    .where('token.id', 'in', ids)
    .where('token.revoked_at', 'is', null)
    .where('token.expires_at', '>', new Date().toISOString().slice(0, 10))
    .execute()
  return new Map(rows.filter(({ state }) => state !== 'missing').map((row) => [row.id, row]))
}
