import type { Caller } from '../../../http/caller.ts'
import { refuseValues } from '../../../http/toast.ts'
import type { Reader, Writer } from '../../database/transaction.ts'
import { mayAddUser } from './known-people.ts'

interface NewMember {
  readonly userId: number
  readonly projectId: number
}

/**
 * Refuses to add a person who does not accept memberships. If the caller is `bounded` and may not find the person, the
 * refusal is the one for unknown people.
 */
export async function requireAddable(
  writer: Writer,
  { caller, bounded }: { readonly caller: Caller; readonly bounded: boolean },
  addition: NewMember,
): Promise<void> {
  if (bounded && !(await mayAddUser(writer, caller.id, addition.userId)))
    throw refuse('User must exist and be known to you: search for the whole e-mail address first')
  if (!(await isAddable(writer, caller, addition)))
    throw refuse('User does not want to be added: ask them to request access to the project')
}

/**
 * Whether somebody may be added: their account's setting allows it, they asked for access, or they are in the project
 * already. Callers may add themselves, and site administrators anybody.
 */
export async function isAddable(
  reader: Reader,
  caller: Pick<Caller, 'id' | 'admin'>,
  { userId, projectId }: NewMember,
): Promise<boolean> {
  if (caller.admin || userId === caller.id) return true
  const declining = await reader
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('accepts_memberships', '=', 0)
    .where('id', 'not in', (query) =>
      query.selectFrom('memberships').select('user_id').where('project_id', '=', projectId),
    )
    .where('id', 'not in', (query) =>
      query.selectFrom('project_access_requests').select('user_id').where('project_id', '=', projectId),
    )
    .executeTakeFirst()
  return declining === undefined
}

/** Refuses to grant an access request that was cancelled or is by somebody else. */
export async function requireRequest(
  writer: Writer,
  requestId: number,
  { userId, projectId }: NewMember,
): Promise<void> {
  const accessRequest = await writer
    .selectFrom('project_access_requests')
    .select('id')
    .where('id', '=', requestId)
    .where('user_id', '=', userId)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (accessRequest !== undefined) return
  const message = 'Access request must be by this user and still be open'
  throw refuse(message, 'access_request_id')
}

function refuse(message: string, field = 'user_id'): Error {
  return refuseValues('Could not create membership.', [{ field, message }])
}
