import type { Reader } from '../../database/transaction.ts'

export interface AccessRequest {
  readonly id: number
  readonly user: { readonly id: number; readonly name: string; readonly email: string }
  readonly project: { readonly id: number; readonly name: string }
}

/** Finds the requests for one project, for the projects that somebody administers, or (null) for all. */
export async function findAccessRequests(
  reader: Reader,
  scope: { readonly projectId: number } | { readonly adminId: number } | null,
): Promise<AccessRequest[]> {
  let requests = reader
    .selectFrom('project_access_requests as request')
    .innerJoin('users', 'users.id', 'request.user_id')
    .innerJoin('projects', 'projects.id', 'request.project_id')
    .select(['request.id', 'request.user_id', 'users.name', 'users.email'])
    .select(['request.project_id', 'projects.name as project_name'])
  if (scope !== null && 'projectId' in scope) requests = requests.where('request.project_id', '=', scope.projectId)
  if (scope !== null && 'adminId' in scope)
    requests = requests.where('request.project_id', 'in', (is) =>
      is
        .selectFrom('memberships')
        .select('project_id')
        .where('user_id', '=', scope.adminId)
        .where('role', '=', 'admin'),
    )
  const rows = await requests.orderBy('request.id').execute()
  return rows.map((row) => ({
    id: row.id,
    user: { id: row.user_id, name: row.name, email: row.email },
    project: { id: row.project_id, name: row.project_name },
  }))
}
