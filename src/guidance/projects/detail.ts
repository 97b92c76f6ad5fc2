import { findAccessRequests } from '../access-requests/reader.ts'
import type { ProjectGrant } from '../access.ts'
import { findProjectHistory } from '../audits/reader.ts'
import type { Reader } from '../database/database.ts'
import { findMemberships } from '../memberships/reader.ts'
import { requireProject } from './reader.ts'
import type { ProjectDetail } from './schemas.ts'

/** A project as its members see it; requests for access are for its administrators. */
export async function findProjectDetail(
  reader: Reader,
  { projectId, role }: ProjectGrant,
): Promise<ProjectDetail> {
  const project = await requireProject(reader, projectId)
  const isThis = { projectId }
  return {
    ...project,
    metadata: { ...project.metadata },
    created_at: inWords(project.created_at),
    updated_at: inWords(project.updated_at),
    effective_permissions: role,
    memberships: await findMemberships(reader, (is) => is('projects.id', '=', projectId)),
    access_requests: role === 'admin' ? await findAccessRequests(reader, isThis) : [],
    histories: [...(await findProjectHistory(reader, projectId))],
  }
}

/** `2026-01-31 23:59:59 UTC`, as pages of single projects have it (specification, convention 4). */
function inWords(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}
