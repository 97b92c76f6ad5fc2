import { SYSTEM, type Actor } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import type { Writer } from '../../database/transaction.ts'
import { requireUser } from '../users/reader.ts'
import { digestToken, tokenPrefix } from './format.ts'
import type { TokenRow } from './reader.ts'
import { dayFromNow, IDLE_DAYS, MAX_TOKENS } from './schemas.ts'

interface NewToken {
  readonly userId: number
  readonly raw: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly expires_at: string
  readonly allowed_ips: readonly string[]
}

/** Adds a token. Refuses if its owner has as many as allowed. */
export async function insertToken(
  writer: Writer,
  { userId, raw, name, scopes, expires_at, allowed_ips }: NewToken,
  { key, actor, title }: { readonly key: Buffer; readonly actor: Actor; readonly title: string },
): Promise<TokenRow> {
  await writer.lock('user', userId)
  await requireUser(writer, userId)
  const { count } = await writer
    .selectFrom('personal_access_tokens')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (count >= MAX_TOKENS) {
    const message = `You have reached the maximum of ${MAX_TOKENS} active tokens`
    throw refuseValues(title, [{ field: null, message }])
  }
  const created = await writer
    .insertInto('personal_access_tokens')
    .values({
      user_id: userId,
      name,
      digest: digestToken(raw, key),
      token_prefix: tokenPrefix(raw),
      scopes: JSON.stringify(scopes),
      allowed_ips: JSON.stringify(allowed_ips),
      expires_at,
      last_used_at: null,
      revoked_at: null,
      created_at: new Date().toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const after = { name, scopes, expires_at, allowed_ips }
  await writeAudit(writer, actor, { action: 'create', subject: subjectOf(created), after })
  return created
}

interface Revocation {
  readonly id: number
  /** Null: the token of any owner. */
  readonly ownerId: number | null
  readonly comment: string | null
}

/** Revokes a token for good; does nothing if it is revoked already. */
export async function revokeToken(
  writer: Writer,
  { id, ownerId, comment }: Revocation,
  actor: Actor,
): Promise<TokenRow> {
  const token = await writer.selectFrom('personal_access_tokens').selectAll().where('id', '=', id).executeTakeFirst()
  if (token === undefined || (ownerId !== null && token.user_id !== ownerId)) throw notFound()
  await revoke(writer, token, { actor, comment })
  return token
}

/** Revokes all tokens of a user, and returns their number. */
export async function revokeTokensOf(
  writer: Writer,
  userId: number,
  context: { readonly actor: Actor; readonly comment: string },
): Promise<number> {
  const tokens = await writer
    .selectFrom('personal_access_tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute()
  for (const token of tokens) await revoke(writer, token, context)
  return tokens.length
}

/**
 * Revokes expired tokens, and those unused for 90 days since the last use or the creation (docs/contract.md, Tokens).
 */
export async function revokeStaleTokens(writer: Writer): Promise<number> {
  const stale = await writer
    .selectFrom('personal_access_tokens')
    .selectAll()
    .where('revoked_at', 'is', null)
    .where((is) =>
      is.or([
        is('expires_at', '<=', dayFromNow(0)),
        is(({ fn }) => fn.coalesce('last_used_at', 'created_at'), '<', idleSince()),
      ]),
    )
    .execute()
  let revoked = 0
  for (const token of stale) {
    const comment = token.expires_at <= dayFromNow(0) ? 'Expired' : `Unused for ${IDLE_DAYS} days`
    if (await revoke(writer, token, { actor: SYSTEM, comment })) revoked += 1
  }
  return revoked
}

function idleSince(): string {
  return new Date(Date.now() - IDLE_DAYS * 86_400_000).toISOString()
}

/** Returns whether the token was still valid: of several simultaneous requests, only one revokes it. */
async function revoke(
  writer: Writer,
  token: TokenRow,
  { actor, comment }: { readonly actor: Actor; readonly comment: string | null },
): Promise<boolean> {
  const revoked_at = new Date().toISOString()
  const done = await writer
    .updateTable('personal_access_tokens')
    .set({ revoked_at })
    .where('id', '=', token.id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (done === undefined) return false
  await writeAudit(writer, actor, {
    action: 'update',
    subject: subjectOf(token),
    comment,
    before: { revoked_at: null },
    after: { revoked_at },
  })
  return true
}

function subjectOf({ id, name }: TokenRow): {
  readonly type: string
  readonly id: number
  readonly name: string
} {
  return { type: 'PersonalAccessToken', id, name }
}
