import { z } from 'zod'
import { type Access, callerAccess, type CallerGrant } from '../../../http/access.ts'
import { actorOf } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { id, idParams, notFound, pathId } from '../../../http/input.ts'
import { toast, toastSchema } from '../../../http/toast.ts'
import type { Database } from '../../database/database.ts'
import type { Parts } from '../../parts/parts.ts'
import { discoverableProject } from '../../parts/project-access.ts'
import { deleteAccessRequest, insertAccessRequest } from './writer.ts'

const TAG = 'Access requests'

/** Requests for access to a discoverable project. */
export function accessRequestEndpoints(parts: Parts): readonly Endpoint[] {
  return [create(parts), remove(parts)]
}

const requestAnswer = z.object({ toast: toastSchema, id: z.int() })

function create({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/projects/{id}/project_access_requests',
    operation: 'requestAccess',
    tag: TAG,
    summary: 'Ask the administrators of a project for access',
    refusals: ['validation_failed'],
    access: discoverableProject(database),
    input: z.object({ params: idParams }),
    answer: requestAnswer,
    handle: async ({ grant: { caller, projectId } }) => {
      const actor = { ...actorOf(caller), id: caller.id }
      const created = await database.transact((writer) => insertAccessRequest(writer, projectId, actor))
      return {
        ...toast('Access requested.', 'The project administrators can see it.'),
        id: created,
      }
    },
  })
}

function remove({ database }: Parts): Endpoint {
  return endpoint({
    method: 'delete',
    path: '/projects/{id}/project_access_requests/{requestId}',
    operation: 'deleteAccessRequest',
    tag: TAG,
    summary: 'Cancel one’s own access request, or deny that of somebody else',
    access: requestParty(database),
    input: z.object({ params: z.object({ id, requestId: id }) }),
    answer: requestAnswer,
    handle: async ({ grant: { caller, isOwn }, input: { params } }) => {
      await database.transact((writer) => deleteAccessRequest(writer, params.requestId, actorOf(caller)))
      const confirmation = isOwn
        ? toast('Access request cancelled.', 'The project administrators no longer see it.')
        : toast('Access request denied.', 'They may ask again.')
      return { ...confirmation, id: params.requestId }
    },
  })
}

/** Admits the requester and administrators of the project. Others get 404. */
function requestParty(database: Database): Access<CallerGrant & { readonly isOwn: boolean }> {
  return callerAccess('requester or project admin', async (caller, request) => {
    const projectId = pathId(request)
    const requestId = pathId(request, 'requestId')
    const accessRequest = await database.read
      .selectFrom('project_access_requests as request')
      .leftJoin('memberships', (join) =>
        join.onRef('memberships.project_id', '=', 'request.project_id').on('memberships.user_id', '=', caller.id),
      )
      .select(['request.user_id', 'memberships.role'])
      .where('request.id', '=', requestId)
      .where('request.project_id', '=', projectId)
      .executeTakeFirst()
    const isOwn = accessRequest?.user_id === caller.id
    if (!isOwn && accessRequest?.role !== 'admin' && !(caller.admin && accessRequest !== undefined)) throw notFound()
    return { caller, isOwn }
  })
}
