import { z } from 'zod'
import { type Access, callerAccess } from '../../../http/access.ts'
import { actorOf } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, idValue, notFound, refuseInput } from '../../../http/input.ts'
import { plainFault } from '../../../http/plain-faults.ts'
import { confirmation, toast } from '../../../http/toast.ts'
import type { Database } from '../../database/database.ts'
import type { Role } from '../../database/schema/memberships.ts'
import type { Parts } from '../../parts/parts.ts'
import { ROLES } from '../../parts/project-access.ts'
import { changeComponentMembership, insertComponentMembership } from './component-writer.ts'
import { requireAddable, requireRequest } from './consent.ts'
import { mayAddOnlyKnown } from './known-people.ts'
import { membershipAdmin, requireTargetRole, type TargetGrant } from './targets.ts'
import { changeMembership, insertMembership } from './writer.ts'

const TAG = 'Memberships'

/** Members of projects and components, and their roles. */
export function membershipEndpoints(parts: Parts): readonly Endpoint[] {
  return [create(parts), update(parts), remove(parts)]
}

const role = z.enum(ROLES, 'Role must be viewer, author, reviewer or admin')

const newMembership = z.object({
  user_id: z.int32('User must exist'),
  role,
  membership_type: z.enum(['Project', 'Component']),
  membership_id: idValue,
  access_request_id: idValue.nullish(),
})

function create({ database, settings }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/memberships',
    operation: 'createMembership',
    tag: TAG,
    summary: 'Add a member; this also grants their access request',
    refusals: ['not_found'],
    access: targetAdmin(database),
    failure: 'Could not create membership.',
    input: z.object({ body: z.object({ membership: newMembership }) }),
    answer: confirmation,
    handle: async ({ grant: { caller, target }, input: { body } }) => {
      const { projectId, componentId } = target
      const member = { userId: body.membership.user_id, projectId, role: body.membership.role }
      const adder = { caller, bounded: mayAddOnlyKnown(settings, caller) }
      const { access_request_id: requestId } = body.membership
      await database.transact(async (writer) => {
        if (requestId != null) await requireRequest(writer, requestId, member)
        await requireAddable(writer, adder, member)
        if (componentId === null) await insertMembership(writer, member, actorOf(caller))
        else await insertComponentMembership(writer, { ...member, componentId }, actorOf(caller))
      })
      return toast('Membership created.', `The role is ${member.role}.`)
    },
  })
}

function update({ database }: Parts): Endpoint {
  return endpoint({
    method: ['put', 'patch'],
    path: '/memberships/{id}',
    operation: 'updateMembership',
    tag: TAG,
    summary: 'Change the role of a member',
    access: membershipAdmin(database),
    failure: 'Could not update membership.',
    input: z.object({ params: idParams, body: z.object({ membership: z.object({ role }) }) }),
    answer: confirmation,
    handle: async ({ grant, input: { params, body } }) => {
      await change(database, grant, { id: params.id, role: body.membership.role })
      return toast('Membership updated.', `The role is ${body.membership.role} now.`)
    },
  })
}

function remove({ database }: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/memberships/{id}',
    operation: 'deleteMembership',
    tag: TAG,
    summary: 'Remove a member',
    refusals: ['validation_failed'],
    access: membershipAdmin(database),
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant, input: { params } }) => {
      await change(database, grant, { id: params.id, role: null })
      return toast('Membership removed.', 'They no longer have a role of their own here.')
    },
  })
}

async function change(
  database: Database,
  { caller, target: { projectId, componentId } }: TargetGrant,
  roleChange: { readonly id: number; readonly role: Role | null },
): Promise<void> {
  const actor = actorOf(caller)
  await database.transact((writer) =>
    componentId === null
      ? changeMembership(writer, { ...roleChange, projectId }, actor)
      : changeComponentMembership(writer, { ...roleChange, projectId, componentId }, actor),
  )
}

const target = z.object({
  body: z.object({
    membership: z.object({
      membership_type: z.enum(['Project', 'Component'], 'Membership type must be Project or Component'),
      membership_id: z.int('Membership id must be a number'),
    }),
  }),
})

/** Admits administrators of the project or component in the body. */
function targetAdmin(database: Database): Access<TargetGrant> {
  return callerAccess('project or component admin', async (caller, request) => {
    const parsed = target.safeParse({ body: request.body }, { error: plainFault })
    if (!parsed.success) throw refuseInput(parsed.error, request, 'Could not create membership.')
    const { membership_type: type, membership_id } = parsed.data.body.membership
    const id = idValue.safeParse(membership_id)
    if (!id.success) throw notFound()
    return requireTargetRole(database.read, caller, { type, id: id.data, least: 'admin' })
  })
}
