import type { Actor } from '../../../http/caller.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import type { Writer } from '../../database/transaction.ts'
import { dropLinks } from '../links/links.ts'
import { revokeTokensOf } from '../tokens/writer.ts'
import { requireOtherSiteAdmin } from '../users/last-admin.ts'
import type { User } from '../users/reader.ts'
import { holdUser, subjectOf } from '../users/record.ts'

interface NewPassword {
  readonly passwordHash: string
  readonly actor: Actor
  readonly keepSession: number | null
  /** Whether to keep the personal access tokens. */
  readonly keepTokens?: boolean
}

/**
 * Sets a password and revokes all access gained with the old one: other sessions, personal access tokens, reset links,
 * a pending change of address. Clears a lock after failed attempts. Returns the number of revoked tokens.
 */
export async function setPassword(writer: Writer, { id }: Pick<User, 'id'>, newPassword: NewPassword): Promise<number> {
  const user = await holdUser(writer, id)
  await writer
    .updateTable('users')
    .set({
      password_hash: newPassword.passwordHash,
      unconfirmed_email: null,
      updated_at: new Date().toISOString(),
    })
    .where('id', '=', user.id)
    .execute()
  if (user.locked_by !== 'administrator') await clearLock(writer, user.id)
  await dropLinks(writer, { purpose: 'reset_password', userId: user.id })
  await dropLinksElsewhere(writer, user)
  await endSessions(writer, user.id, newPassword.keepSession)
  await auditPassword(writer, user, newPassword.actor)
  if (newPassword.keepTokens === true) return 0
  return revokeTokensOf(writer, user.id, {
    actor: newPassword.actor,
    comment: 'The password of the account was changed',
  })
}

/** Cancels a pending change of address: it may come from somebody who knew the old password. */
async function dropLinksElsewhere(writer: Writer, { id, email }: User): Promise<void> {
  await writer
    .deleteFrom('one_time_links')
    .where('purpose', '=', 'confirm_email')
    .where('user_id', '=', id)
    .where('email', '<>', email)
    .execute()
}

async function auditPassword(writer: Writer, user: User, actor: Actor): Promise<void> {
  await writeAudit(writer, actor, {
    action: 'update',
    subject: subjectOf(user),
    before: { password: 'hidden' },
    after: { password: 'changed' },
  })
}

type AccountLock =
  | { readonly by: 'attempts'; readonly actor: Actor }
  | { readonly by: 'administrator'; readonly actor: Actor; readonly title: string }

/** Locks an account. An administrator cannot lock the last site administrator. */
export async function lockUser(writer: Writer, user: User, lock: AccountLock): Promise<void> {
  const { by, actor } = lock
  if (lock.by === 'administrator' && user.admin === 1) await requireOtherSiteAdmin(writer, user.id, lock.title)
  const locked_at = new Date().toISOString()
  await writer.updateTable('users').set({ locked_at, locked_by: by }).where('id', '=', user.id).execute()
  if (by === 'administrator') await endSessions(writer, user.id, null)
  const before = { locked_by: user.locked_by }
  await writeAudit(writer, actor, {
    action: 'update',
    subject: subjectOf(user),
    before,
    after: { locked_by: by },
  })
}

export async function unlockUser(writer: Writer, user: User, actor: Actor): Promise<void> {
  await clearLock(writer, user.id)
  await writeAudit(writer, actor, {
    action: 'update',
    subject: subjectOf(user),
    before: { locked_by: user.locked_by },
    after: { locked_by: null },
  })
}

export async function clearLock(writer: Writer, userId: number): Promise<void> {
  await writer
    .updateTable('users')
    .set({ locked_at: null, locked_by: null, failed_attempts: 0 })
    .where('id', '=', userId)
    .execute()
}

export async function endSessions(writer: Writer, userId: number, keep: number | null): Promise<void> {
  await writer
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '<>', keep ?? 0)
    .execute()
}
