import type { Refusal } from '../../platform/errors.ts'
import { writeAudit } from '../audits/writer.ts'
import type { Actor } from '../caller.ts'
import type { Writer } from '../database/database.ts'
import { isDuplicate } from '../database/faults.ts'
import { foldText } from '../input.ts'
import { dropLinks } from '../links/links.ts'
import { refuseValues, refuseWithToast } from '../toast.ts'
import { requireUser, type User } from './reader.ts'

export interface NewUser {
  readonly name: string
  readonly email: string
  readonly passwordHash: string | null
  readonly admin: boolean
  /** Whether the address is known to be theirs. */
  readonly confirmed: boolean
  readonly slackUserId?: string | null
}

/** Adds an account; an address that is taken is refused with `title`. */
export async function insertUser(
  writer: Writer,
  user: NewUser,
  { actor, title }: { readonly actor: Actor | null; readonly title: string },
): Promise<User> {
  const now = new Date().toISOString()
  const { name, email } = user
  try {
    const created = await writer
      .insertInto('users')
      .values({
        name,
        email,
        search_key: searchKey(name, email),
        password_hash: user.passwordHash,
        admin: user.admin ? 1 : 0,
        slack_user_id: user.slackUserId ?? null,
        locked_at: null,
        locked_by: null,
        confirmed_at: user.confirmed ? now : null,
        unconfirmed_email: null,
        last_sign_in_at: null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const by = actor ?? { id: created.id, name, via: 'registration' }
    const after = { name, email, admin: user.admin }
    await writeAudit(writer, by, { action: 'create', subject: subjectOf(created), after })
    return created
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw refuseValues(title, [{ field: 'email', message: 'Email has already been taken' }])
  }
}

export interface UserChanges {
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly admin?: boolean | undefined
  readonly slackUserId?: string | null | undefined
}

/** Changes an account. The last site administrator stays one. */
export async function updateUser(
  writer: Writer,
  { id }: Pick<User, 'id'>,
  { changes, actor, title }: { changes: UserChanges; actor: Actor; title: string },
): Promise<void> {
  const user = await holdUser(writer, id)
  const before = editableOf(user)
  const after = merge(before, changes)
  if (before.admin && !after.admin) await keepSiteAdmin(writer, id, title)
  try {
    await writer
      .updateTable('users')
      .set({
        ...after,
        admin: after.admin ? 1 : 0,
        search_key: searchKey(after.name, after.email),
        updated_at: new Date().toISOString(),
      })
      .where('id', '=', id)
      .execute()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw refuseValues(title, [{ field: 'email', message: 'Email has already been taken' }])
  }
  if (after.email !== before.email) await dropMailedLinks(writer, id)
  await writeAudit(writer, actor, { action: 'update', subject: subjectOf(user), before, after })
}

type Editable = Pick<User, 'name' | 'email' | 'slack_user_id'> & { readonly admin: boolean }

function editableOf({ name, email, admin, slack_user_id }: User): Editable {
  return { name, email, admin: admin === 1, slack_user_id }
}

function merge(before: Editable, { name, email, admin, slackUserId }: UserChanges): Editable {
  return {
    name: name ?? before.name,
    email: email ?? before.email,
    admin: admin ?? before.admin,
    slack_user_id: slackUserId === undefined ? before.slack_user_id : slackUserId,
  }
}

/**
 * Removes an account with its sessions, tokens and memberships. Refused for the last site
 * administrator and for the only administrator of a project.
 */
export async function deleteUser(
  writer: Writer,
  { id: userId }: Pick<User, 'id'>,
  { actor, title }: { readonly actor: Actor; readonly title: string },
): Promise<void> {
  const user = await holdUser(writer, userId)
  await writer.lock('users', 0)
  if (user.admin === 1) await keepSiteAdmin(writer, user.id, title)
  const projects = await writer
    .selectFrom('memberships')
    .innerJoin('projects', 'projects.id', 'memberships.project_id')
    .select(['projects.id', 'projects.name'])
    .where('memberships.user_id', '=', user.id)
    .where('memberships.role', '=', 'admin')
    .orderBy('projects.id')
    .execute()
  for (const project of projects) await writer.lock('project', project.id)
  const others = await findAdminsBeside(
    writer,
    user.id,
    projects.map(({ id }) => id),
  )
  const alone = projects.filter(({ id }) => !others.has(id)).map(({ name }) => name)
  if (alone.length > 0)
    throw refuseUser(title, `The user is the only administrator of: ${alone.join(', ')}`)
  await writer.deleteFrom('users').where('id', '=', user.id).execute()
  const before = { name: user.name, email: user.email, admin: user.admin === 1 }
  await writeAudit(writer, actor, { action: 'destroy', subject: subjectOf(user), before })
}

/** Sets a password: other sessions end, open reset links die, a lock after failed attempts opens. */
export async function setPassword(
  writer: Writer,
  { id }: Pick<User, 'id'>,
  how: { passwordHash: string; actor: Actor; keepSession: number | null },
): Promise<void> {
  const user = await holdUser(writer, id)
  await writer
    .updateTable('users')
    .set({ password_hash: how.passwordHash, updated_at: new Date().toISOString() })
    .where('id', '=', user.id)
    .execute()
  if (user.locked_by !== 'administrator') await clearLock(writer, user.id)
  await dropLinks(writer, { purpose: 'reset_password', userId: user.id })
  await endSessions(writer, user.id, how.keepSession)
  await writeAudit(writer, how.actor, {
    action: 'update',
    subject: subjectOf(user),
    before: { password: 'hidden' },
    after: { password: 'changed' },
  })
}

type Lock =
  | { readonly by: 'attempts'; readonly actor: Actor }
  | { readonly by: 'administrator'; readonly actor: Actor; readonly title: string }

/** Locks an account. An administrator cannot lock the last one who is left to unlock the others. */
export async function lockUser(writer: Writer, user: User, lock: Lock): Promise<void> {
  const { by, actor } = lock
  if (lock.by === 'administrator' && user.admin === 1)
    await keepSiteAdmin(writer, user.id, lock.title)
  const locked_at = new Date().toISOString()
  await writer
    .updateTable('users')
    .set({ locked_at, locked_by: by })
    .where('id', '=', user.id)
    .execute()
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

export async function endSessions(
  writer: Writer,
  userId: number,
  keep: number | null,
): Promise<void> {
  await writer
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '<>', keep ?? 0)
    .execute()
}

/** The account as it is now; it stays so until the transaction ends, whoever read it before. */
async function holdUser(writer: Writer, id: number): Promise<User> {
  await writer.lock('user', id)
  return requireUser(writer, id)
}

export function subjectOf({ id, name }: { readonly id: number; readonly name: string }): {
  readonly type: 'User'
  readonly id: number
  readonly name: string
} {
  return { type: 'User', id, name }
}

/** Name and address on lines of their own, so that no search finds the end of one and the start of the other. */
export function searchKey(name: string, email: string): string {
  return foldText(`${name}\n${email}`)
}

/**
 * Somebody else must be left who can sign in as a site administrator. Holds until the transaction
 * ends, so that two requests cannot each remove the other's admin.
 */
async function keepSiteAdmin(writer: Writer, userId: number, title: string): Promise<void> {
  await writer.lock('users', 0)
  const other = await writer
    .selectFrom('users')
    .select('id')
    .where('admin', '=', 1)
    .where('id', '<>', userId)
    .where((is) => is.or([is('locked_by', 'is', null), is('locked_by', '<>', 'administrator')]))
    .limit(1)
    .executeTakeFirst()
  if (other === undefined) throw refuseUser(title, 'This is the last site administrator')
}

async function findAdminsBeside(
  writer: Writer,
  userId: number,
  projectIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (projectIds.length === 0) return new Set()
  const rows = await writer
    .selectFrom('memberships')
    .select('project_id')
    .distinct()
    .where('project_id', 'in', projectIds)
    .where('role', '=', 'admin')
    .where('user_id', '<>', userId)
    .execute()
  return new Set(rows.map(({ project_id }) => project_id))
}

function refuseUser(title: string, message: string): Refusal {
  return refuseWithToast('validation_failed', title, [{ field: null, message }])
}

/** Takes an address as theirs: it becomes the address of the account. */
export async function confirmAddress(
  writer: Writer,
  { id }: Pick<User, 'id'>,
  { email, actor }: { readonly email: string; readonly actor: Actor },
): Promise<void> {
  const user = await holdUser(writer, id)
  if (user.confirmed_at !== null && user.email === email) return
  const now = new Date().toISOString()
  try {
    await writer
      .updateTable('users')
      .set({
        email,
        search_key: searchKey(user.name, email),
        unconfirmed_email: user.unconfirmed_email === email ? null : user.unconfirmed_email,
        confirmed_at: now,
        updated_at: now,
      })
      .where('id', '=', user.id)
      .execute()
  } catch (error) {
    if (!isDuplicate(error)) throw error
    throw refuseValues('Could not confirm the address.', [
      { field: 'email', message: 'Email has already been taken' },
    ])
  }
  if (user.email !== email) await dropMailedLinks(writer, user.id)
  await writeAudit(writer, actor, {
    action: 'update',
    subject: subjectOf(user),
    before: { email: user.email, confirmed: user.confirmed_at !== null },
    after: { email, confirmed: true },
  })
}

/** What was mailed to the address before opens nothing any more. */
async function dropMailedLinks(writer: Writer, userId: number): Promise<void> {
  for (const purpose of ['reset_password', 'confirm_email', 'unlock'] as const)
    await dropLinks(writer, { purpose, userId })
}

/** Marks an address as not yet shown to be theirs. */
export async function askToConfirm(
  writer: Writer,
  userId: number,
  what: { readonly unconfirmed_email: string } | { readonly confirmed_at: null },
): Promise<void> {
  await writer.updateTable('users').set(what).where('id', '=', userId).execute()
}
