import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { Caller } from '../../../http/caller.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader } from '../../database/transaction.ts'

/** Windows that are hidden for long are let say something once a minute only. */
const GONE_MS = 90_000
/** Of one component, at most so many are told. */
const MOST = 200

export const presenceSchema = z.object({
  user_id: z.int(),
  name: z.string(),
  rule_id: z.int().nullable().meta({ description: 'The rule that is open there' }),
  displayed_name: z.string().nullable().meta({ description: 'What that rule is called' }),
})

/** Somebody who has a component open. */
export type Presence = z.infer<typeof presenceSchema>

/** Before this, nothing that was said holds any more. */
export function goneBefore(): string {
  return new Date(Date.now() - GONE_MS).toISOString()
}

/** Who has a component open, for its members; nobody for others, also once it is released. */
export async function findPresences(
  reader: Reader,
  caller: Caller,
  componentId: number,
): Promise<readonly Presence[]> {
  const rows = await reader
    .selectFrom('presences')
    .innerJoin('users', 'users.id', 'presences.user_id')
    .innerJoin('components', 'components.id', 'presences.component_id')
    .leftJoin('rules', (join) =>
      join
        .onRef('rules.id', '=', 'presences.rule_id')
        .onRef('rules.component_id', '=', 'presences.component_id')
        .on('rules.deleted_at', 'is', null),
    )
    .select(['users.id as user_id', 'users.name', 'components.prefix'])
    .select(['rules.id as rule_id', 'rules.number'])
    .distinct()
    .where('components.id', '=', componentId)
    .where('presences.seen_at', '>', goneBefore())
    .where((is) => isMember(is, caller))
    .orderBy('users.name')
    .orderBy('users.id')
    .orderBy('rules.number', (order) => order.asc().nullsFirst())
    .limit(MOST)
    .execute()
  return rows.map(({ user_id, name, rule_id, prefix, number }) => ({
    ...{ user_id, name, rule_id },
    displayed_name: number === null ? null : displayedName(prefix, number),
  }))
}

function isMember(
  is: ExpressionBuilder<Schema, 'components'>,
  caller: Caller,
): Expression<SqlBool> {
  if (caller.admin) return sql<SqlBool>`1 = 1`
  return is.or([
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
