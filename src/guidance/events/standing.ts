import type { Caller } from '../caller.ts'
import type { Reader } from '../database/database.ts'

/**
 * The caller as of now, for those who stay for longer than one request; null when the session or the
 * token no longer holds, or the account is locked.
 */
export async function findStanding(
  reader: Reader,
  caller: Caller,
  idleMs: number,
): Promise<Caller | null> {
  const found = await (caller.via.kind === 'session'
    ? findBySession(reader, caller, idleMs)
    : findByToken(reader, caller))
  if (found === undefined || found.locked_by === 'administrator') return null
  return { ...caller, admin: found.admin === 1 }
}

interface Found {
  readonly admin: number
  readonly locked_by: string | null
}

function findBySession(
  reader: Reader,
  { id, via }: Caller,
  idleMs: number,
): Promise<Found | undefined> {
  const now = Date.now()
  return reader
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.admin', 'users.locked_by'])
    .where('sessions.id', '=', via.id)
    .where('sessions.user_id', '=', id)
    .where('sessions.expires_at', '>', new Date(now).toISOString())
    .where('sessions.touched_at', '>', new Date(now - idleMs).toISOString())
    .executeTakeFirst()
}

function findByToken(reader: Reader, { id, via }: Caller): Promise<Found | undefined> {
  return reader
    .selectFrom('personal_access_tokens as token')
    .innerJoin('users', 'users.id', 'token.user_id')
    .select(['users.admin', 'users.locked_by'])
    .where('token.id', '=', via.id)
    .where('token.user_id', '=', id)
    .where('token.revoked_at', 'is', null)
    .where('token.expires_at', '>', new Date().toISOString().slice(0, 10))
    .executeTakeFirst()
}
