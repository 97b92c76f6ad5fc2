import { append } from '../../../platform/append.ts'
import type { Reader } from '../../database/transaction.ts'

/** Two site administrators who can sign in: as many as it takes to know whether somebody is the last. */
export async function findUsableAdmins(reader: Reader): Promise<readonly number[]> {
  const found = await reader
    .selectFrom('users')
    .select('id')
    .where('admin', '=', 1)
    .where((is) => is.or([is('locked_by', 'is', null), is('locked_by', '<>', 'administrator')]))
    .limit(2)
    .execute()
  return found.map(({ id }) => id)
}

/** Whether nobody else is among them. */
export function isOnlyOne(usable: readonly number[], userId: number): boolean {
  return usable.every((id) => id === userId)
}

export interface AdministeredProject {
  readonly id: number
  readonly name: string
}

/** The projects that have one administrator only, by that administrator. */
export async function findOnlyAdmins(
  reader: Reader,
  only?: number,
): Promise<ReadonlyMap<number, readonly AdministeredProject[]>> {
  let alone = reader
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
  if (only !== undefined) alone = alone.where('memberships.user_id', '=', only)
  const byUser = new Map<number, AdministeredProject[]>()
  for (const { user_id, ...project } of await alone.orderBy('projects.id').execute()) append(byUser, user_id, project)
  return byUser
}
