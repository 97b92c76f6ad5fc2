import type { Actor } from '../../../http/caller.ts'
import { refuseValues } from '../../../http/toast.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { isDuplicate } from '../../database/faults.ts'
import type { Writer } from '../../database/transaction.ts'
import { dropMailedLinks } from './address.ts'
import { requireOtherSiteAdmin } from './last-admin.ts'
import { findOnlyAdmins } from './only-admin.ts'
import type { User } from './reader.ts'
import { holdUser, refuseUser, searchKey, subjectOf } from './record.ts'

export interface NewUser {
  readonly name: string
  readonly email: string
  readonly passwordHash: string | null
  readonly admin: boolean
  /** Whether the address has been confirmed. */
  readonly confirmed: boolean
  readonly slackUserId?: string | null
}

/** Adds an account. Refuses a used address, with `title`. */
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
        wrong_code_at: null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    const creator = actor ?? { id: created.id, name, via: 'registration' }
    const after = { name, email, admin: user.admin }
    await writeAudit(writer, creator, { action: 'create', subject: subjectOf(created), after })
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
  readonly acceptsMemberships?: boolean | undefined
  readonly secondFactorRequired?: boolean | undefined
}

/** Changes an account; refuses to demote the last site administrator. */
export async function updateUser(
  writer: Writer,
  { id }: Pick<User, 'id'>,
  { changes, actor, title }: { changes: UserChanges; actor: Actor; title: string },
): Promise<void> {
  const user = await holdUser(writer, id)
  const before = editableOf(user)
  const after = merge(before, changes)
  if (before.admin && !after.admin) await requireOtherSiteAdmin(writer, id, title)
  try {
    await writer
      .updateTable('users')
      .set({
        ...after,
        admin: after.admin ? 1 : 0,
        accepts_memberships: after.accepts_memberships ? 1 : 0,
        second_factor_required: after.second_factor_required ? 1 : 0,
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

type EditableFields = Pick<User, 'name' | 'email' | 'slack_user_id'> & {
  readonly admin: boolean
  readonly accepts_memberships: boolean
  readonly second_factor_required: boolean
}

function editableOf({ name, email, admin, slack_user_id, ...user }: User): EditableFields {
  const accepts_memberships = user.accepts_memberships === 1
  const flags = { accepts_memberships, second_factor_required: user.second_factor_required === 1 }
  return { name, email, admin: admin === 1, slack_user_id, ...flags }
}

function merge(before: EditableFields, changes: UserChanges): EditableFields {
  const { name, email, admin, slackUserId } = changes
  return {
    name: name ?? before.name,
    email: email ?? before.email,
    admin: admin ?? before.admin,
    slack_user_id: slackUserId === undefined ? before.slack_user_id : slackUserId,
    accepts_memberships: changes.acceptsMemberships ?? before.accepts_memberships,
    second_factor_required: changes.secondFactorRequired ?? before.second_factor_required,
  }
}

/**
 * Removes an account with its sessions, tokens and memberships. Refuses for the last site administrator and for the
 * only administrator of a project.
 */
export async function deleteUser(
  writer: Writer,
  { id: userId }: Pick<User, 'id'>,
  { actor, title }: { readonly actor: Actor; readonly title: string },
): Promise<void> {
  const user = await holdUser(writer, userId)
  await writer.lock('users', 0)
  if (user.admin === 1) await requireOtherSiteAdmin(writer, user.id, title)
  const projects = await writer
    .selectFrom('memberships')
    .select('project_id')
    .where('user_id', '=', user.id)
    .where('role', '=', 'admin')
    .orderBy('project_id')
    .execute()
  for (const { project_id } of projects) await writer.lock('project', project_id)
  const soleProjects = (await findOnlyAdmins(writer, user.id)).get(user.id) ?? []
  if (soleProjects.length > 0) {
    const names = soleProjects.map(({ name }) => name).join(', ')
    throw refuseUser(title, `The user is the only administrator of: ${names}`)
  }
  await writer.deleteFrom('users').where('id', '=', user.id).execute()
  const before = { name: user.name, email: user.email, admin: user.admin === 1 }
  await writeAudit(writer, actor, { action: 'destroy', subject: subjectOf(user), before })
}
