import { z } from 'zod'
import { callerOf, requireProjectRole, ROLES, type Access, type ProjectGrant } from '../access.ts'
import { actorOf } from '../caller.ts'
import type { Database } from '../database/database.ts'
import { endpoint, type Endpoint } from '../endpoint.ts'
import { id, idParams, idValue, notFound, refuseInput } from '../input.ts'
import type { Parts } from '../parts.ts'
import { confirmation, toast } from '../toast.ts'
import { changeMembership, insertMembership } from './writer.ts'

const TAG = 'Memberships'

/** Who belongs to a project, and as what. */
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

function create({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/memberships',
    operation: 'createMembership',
    tag: TAG,
    summary: 'Add somebody; a request of theirs for access is thereby granted',
    access: targetAdmin(database),
    failure: 'Could not create membership.',
    input: z.object({ body: z.object({ membership: newMembership }) }),
    answer: confirmation,
    handle: async ({ grant: { caller, projectId }, input: { body } }) => {
      const { user_id: userId, role: as } = body.membership
      await database.transact((writer) =>
        insertMembership(writer, { userId, projectId, role: as }, actorOf(caller)),
      )
      return toast('Membership created.', '')
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
    handle: async ({ grant: { caller, projectId }, input: { params, body } }) => {
      const change = { id: params.id, projectId, role: body.membership.role }
      await database.transact((writer) => changeMembership(writer, change, actorOf(caller)))
      return toast('Membership updated.', '')
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
    access: membershipAdmin(database),
    input: z.object({ params: idParams }),
    answer: confirmation,
    handle: async ({ grant: { caller, projectId }, input: { params } }) => {
      const change = { id: params.id, projectId, role: null }
      await database.transact((writer) => changeMembership(writer, change, actorOf(caller)))
      return toast('Membership removed.', '')
    },
  })
}

const target = z.object({
  body: z.object({
    membership: z.object({
      membership_type: z.enum(['Project', 'Component'], 'Membership type must be Project'),
      membership_id: z.int('Membership id must be a number'),
    }),
  }),
})

/** An administrator of what the body names. */
function targetAdmin(database: Database): Access<ProjectGrant> {
  return {
    rule: 'project admin',
    authentication: 'any',
    grant: async (request) => {
      const caller = callerOf(request)
      const named = target.safeParse({ body: request.body })
      if (!named.success) throw refuseInput(named.error, request, 'Could not create membership.')
      const { membership_type, membership_id } = named.data.body.membership
      const projectId = idValue.safeParse(membership_id)
      if (membership_type !== 'Project' || !projectId.success) throw notFound()
      const needed = { projectId: projectId.data, least: 'admin' } as const
      return requireProjectRole(database.read, caller, needed)
    },
  }
}

function membershipAdmin(database: Database): Access<ProjectGrant> {
  return {
    rule: 'project admin',
    authentication: 'any',
    grant: async (request) => {
      const caller = callerOf(request)
      const membershipId = id.safeParse(request.params['id'])
      if (!membershipId.success) throw notFound()
      const found = await database.read
        .selectFrom('memberships')
        .select('project_id')
        .where('id', '=', membershipId.data)
        .executeTakeFirst()
      if (found === undefined) throw notFound()
      const needed = { projectId: found.project_id, least: 'admin' } as const
      return requireProjectRole(database.read, caller, needed)
    },
  }
}
