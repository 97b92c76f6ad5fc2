import type { Actor } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { isDuplicate, isOrphan } from '../../database/faults.ts'
import type { Writer } from '../../database/transaction.ts'

const TYPE = 'ProjectAccessRequest'

/** Adds a request of the caller, who must not be a member and have no other request. */
export async function insertAccessRequest(
  writer: Writer,
  projectId: number,
  actor: Actor & { readonly id: number },
): Promise<number> {
  await writer.lock('project', projectId)
  const member = await writer
    .selectFrom('memberships')
    .select('id')
    .where('user_id', '=', actor.id)
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  if (member !== undefined) throw refuse('User is already a member of this project')
  try {
    const { id } = await writer
      .insertInto('project_access_requests')
      .values({
        user_id: actor.id,
        project_id: projectId,
        created_at: new Date().toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAudit(writer, actor, { action: 'create', subject: { type: TYPE, id, name: actor.name, projectId } })
    return id
  } catch (error) {
    if (isOrphan(error)) throw notFound()
    if (!isDuplicate(error)) throw error
    throw refuse('User has already requested access to this project')
  }
}

function refuse(message: string): Error {
  return refuseValues('Could not request access.', [{ field: null, message }])
}

export async function deleteAccessRequest(writer: Writer, id: number, actor: Actor): Promise<void> {
  const removed = await writer
    .deleteFrom('project_access_requests')
    .where('id', '=', id)
    .returning(['project_id', 'user_id'])
    .executeTakeFirstOrThrow(() => notFound())
  const requester = await writer
    .selectFrom('users')
    .select('name')
    .where('id', '=', removed.user_id)
    .executeTakeFirstOrThrow()
  const subject = { type: TYPE, id, name: requester.name, projectId: removed.project_id }
  await writeAudit(writer, actor, { action: 'destroy', subject })
}
