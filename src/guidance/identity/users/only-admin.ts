import { append } from '../../../platform/append.ts'
import type { Reader } from '../../database/transaction.ts'

/** Finds up to two site administrators who can sign in, which is enough to know whether a user is the last one. */
export async function findUsableAdmins(reader: Reader): Promise<readonly number[]> {
  const admins = await reader
    .selectFrom('users')
    .select('id')
    .where('admin', '=', 1)
    .where((is) => is.or([is('locked_by', 'is', null), is('locked_by', '<>', 'administrator')]))
    .limit(2)
    .execute()
  return admins.map(({ id }) => id)
}

/** Whether the user is the only one in the list. */
export function isOnlyOne(admins: readonly number[], userId: number): boolean {
  return admins.every((id) => id === userId)
}

export interface AdministeredProject {
  readonly id: number
  readonly name: string
}

/** Finds projects with a single administrator, by that administrator. */
export async function findOnlyAdmins(
  reader: Reader,
  userId?: number,
): Promise<ReadonlyMap<number, readonly AdministeredProject[]>> {
  let soleAdmins = reader
    .selectFrom('memberships')
    .innerJoin('projects', 'projects.id', 'memberships.project_id')
    .select(['memberships.user_id', 'projects.id', 'projects.name'])
    .where('memberships.role', '=', 'admin')
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('memberships as other')
            .select('other.id')
            .where('other.role', '=', 'admin')
            .whereRef('other.project_id', '=', 'memberships.project_id')
            .whereRef('other.user_id', '<>', 'memberships.user_id'),
        ),
      ),
    )
  if (userId !== undefined) soleAdmins = soleAdmins.where('memberships.user_id', '=', userId)
  const byUser = new Map<number, AdministeredProject[]>()
  for (const { user_id, ...project } of await soleAdmins.orderBy('projects.id').execute())
    append(byUser, user_id, project)
  return byUser
}
