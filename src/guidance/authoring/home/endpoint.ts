import { signedIn } from '../../../http/access.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { NO_INPUT } from '../../../http/input.ts'
import type { Parts } from '../../parts/parts.ts'
import { findAccessRequests } from '../access-requests/reader.ts'
import { countComments, readableBy } from '../reviews/records/listing.ts'
import { findOwnComponents, findRequestedChanges } from './own-components.ts'
import { countProjects, findOwnRequests, findRecentMemberships } from './own.ts'
import { findComponents, findPendingWork } from './pending-work.ts'
import { findRecentChanges } from './recent.ts'
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
    handle: async ({ grant: { caller } }) => {
      const { read } = database
      const mine = { userId: caller.id, components: await findComponents(read, caller.id) }
      const own = await findOwnComponents(read, mine)
      return {
        project_count: await countProjects(read, caller.id),
        comment_count: await countComments(read, readableBy(caller, caller.id)),
        may_create_projects: settings.projectCreation || caller.admin,
        components: await findPendingWork(read, mine),
        own_components: own,
        requested_changes: await findRequestedChanges(read, mine),
        recent: await findRecentChanges(read, own),
        access_requests: await findAccessRequests(read, caller.admin ? null : { adminId: caller.id }),
        own_access_requests: await findOwnRequests(read, caller.id),
        recent_memberships: await findRecentMemberships(read, caller.id),
      }
    },
  })
}
