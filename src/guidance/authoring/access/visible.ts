import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { Caller } from '../../../http/caller.ts'
import type { Schema } from '../../database/schema/schema.ts'

/**
 * Components whose content the caller may read: those of member projects, of direct memberships, and released ones;
 * all for a site administrator. Discoverable projects do not count (contract §4).
 */
export function readableBy(
  is: ExpressionBuilder<Schema, 'components'>,
  caller: Caller,
): Expression<SqlBool> {
  if (caller.admin) return sql<SqlBool>`1 = 1`
  return is.or([
    is('components.released', '=', 1),
    is('components.project_id', 'in', (own) =>
      own.selectFrom('memberships').select('project_id').where('user_id', '=', caller.id),
    ),
    is('components.id', 'in', (own) =>
      own
        .selectFrom('component_memberships')
        .select('component_id')
        .where('user_id', '=', caller.id),
    ),
  ])
}
