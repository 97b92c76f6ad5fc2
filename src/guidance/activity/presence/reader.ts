import { z } from 'zod'
import type { Caller } from '../../../http/caller.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Reader } from '../../database/transaction.ts'
import { isMemberOfComponent } from '../../parts/readable.ts'

/** Longer than a minute, because browsers let hidden windows send only once a minute. */
const TIMEOUT_MS = 90_000
/** Limit of listed people of one component. */
const MAX_PEOPLE = 200

export const presenceSchema = z.object({
  user_id: z.int(),
  name: z.string(),
  rule_id: z.int().nullable().meta({ description: 'The rule that is open in that window' }),
  displayed_name: z.string().nullable().meta({ description: 'Displayed name of that rule' }),
})

/** A person who has a component open. */
export type Presence = z.infer<typeof presenceSchema>

/** Earlier presences have expired. */
export function oldestValidTime(): string {
  return new Date(Date.now() - TIMEOUT_MS).toISOString()
}

/** The people who have a component open. Only its members get them, even after the release. */
export async function findPresences(reader: Reader, caller: Caller, componentId: number): Promise<readonly Presence[]> {
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
    .where('presences.seen_at', '>', oldestValidTime())
    .where(isMemberOfComponent(caller))
    .orderBy('users.name')
    .orderBy('users.id')
    .orderBy('rules.number', (order) => order.asc().nullsFirst())
    .limit(MAX_PEOPLE)
    .execute()
  return rows.map(({ user_id, name, rule_id, prefix, number }) => ({
    user_id,
    name,
    rule_id,
    displayed_name: number === null ? null : displayedName(prefix, number),
  }))
}
