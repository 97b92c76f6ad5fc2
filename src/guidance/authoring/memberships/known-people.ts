import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Caller } from '../../../http/caller.ts'
import type { GuidanceSettings } from '../../../platform/settings/guidance-settings.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader, Writer } from '../../database/transaction.ts'
import { projectsKnownTo } from '../../parts/readable.ts'

/** The time during which somebody may be added after a search by their complete address. */
export const FOUND_MS = 86_400_000

/** Whether the caller may only find and add people whom they know (see `isKnownTo`). */
export function mayAddOnlyKnown(settings: GuidanceSettings, { admin }: Pick<Caller, 'admin'>): boolean {
  return settings.userSearch === 'known' && !admin
}

/** Whether the caller shares a project with somebody, or administers a project that they asked to join. */
export function isKnownTo(is: ExpressionBuilder<Schema, 'users'>, callerId: number): Expression<SqlBool> {
  return is.or([
    is('users.id', '=', callerId),
    is('users.id', 'in', (query) =>
      query
        .selectFrom('memberships')
        .select('memberships.user_id')
        .where('memberships.project_id', 'in', projectsKnownTo({ id: callerId })),
    ),
    is('users.id', 'in', (query) =>
      query
        .selectFrom('component_memberships')
        .innerJoin('components', 'components.id', 'component_memberships.component_id')
        .select('component_memberships.user_id')
        .where('components.project_id', 'in', projectsKnownTo({ id: callerId })),
    ),
    is('users.id', 'in', (query) =>
      query
        .selectFrom('project_access_requests as asking')
        .innerJoin('memberships as own', 'own.project_id', 'asking.project_id')
        .select('asking.user_id')
        .where('own.user_id', '=', callerId)
        .where('own.role', '=', 'admin'),
    ),
  ])
}

/** Stores that the caller found somebody by their complete address. */
export async function noteFound(writer: Writer, finderId: number, userId: number): Promise<void> {
  const found_at = new Date().toISOString()
  await writer
    .insertInto('found_users')
    .values({ finder_id: finderId, user_id: userId, found_at })
    .onConflict((conflict) => conflict.columns(['finder_id', 'user_id']).doUpdateSet({ found_at }))
    .execute()
}

/** Whether the caller knows somebody or has found them recently. */
export async function mayAddUser(reader: Reader, callerId: number, userId: number): Promise<boolean> {
  const since = new Date(Date.now() - FOUND_MS).toISOString()
  const relation = await reader
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '=', userId)
    .where((is) =>
      is.or([
        isKnownTo(is, callerId),
        is.exists(
          is
            .selectFrom('found_users')
            .select('found_users.user_id')
            .whereRef('found_users.user_id', '=', 'users.id')
            .where('found_users.finder_id', '=', callerId)
            .where('found_users.found_at', '>', since),
        ),
      ]),
    )
    .executeTakeFirst()
  return relation !== undefined
}
