import { signedIn } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { NO_INPUT } from '../../../http/input.ts'
import type { Parts } from '../../parts/parts.ts'
import { findAccessRequests } from '../access-requests/reader.ts'
import { findOwnComponents, findRequestedChanges } from './own-components.ts'
import { findOwnRequests, findRecentMemberships } from './own.ts'
import { findPendingWork } from './pending-work.ts'
import { home } from './schemas.ts'

/** `GET /api/home`: one answer for the page that a day begins with. */
export function homeEndpoint({ database, settings }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/api/home',
    operation: 'getHome',
    tag: 'Figures',
    summary: 'Tasks of the caller in all their projects',
    access: signedIn,
    input: NO_INPUT,
    answer: home,
    handle: async ({ grant: { caller } }) => ({
      may_create_projects: settings.projectCreation || caller.admin,
      components: await findPendingWork(database.read, caller.id),
      own_components: await findOwnComponents(database.read, caller.id),
      requested_changes: await findRequestedChanges(database.read, caller.id),
      access_requests: await findAccessRequests(database.read, caller.admin ? null : { adminId: caller.id }),
      own_access_requests: await findOwnRequests(database.read, caller.id),
      recent_memberships: await findRecentMemberships(database.read, caller.id),
    }),
  })
}
