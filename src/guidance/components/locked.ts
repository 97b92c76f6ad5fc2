import type { Reader } from '../database/database.ts'
import { displayedName } from '../rules/names.ts'
import { refuseValues } from '../toast.ts'

/** Rules that a refusal names; of the others it says how many there are. */
const NAMED = 20

/** Refuses (422) unless every live rule is locked; says how many are not, and which. */
export async function requireLocked(
  reader: Reader,
  componentId: number,
  failure: string,
): Promise<void> {
  const { total } = await reader
    .selectFrom('rules')
    .select((is) => is.fn.countAll<number>().as('total'))
    .where('component_id', '=', componentId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  const unlocked = await reader
    .selectFrom('rules')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .select(['rules.number', 'components.prefix'])
    .where('rules.component_id', '=', componentId)
    .where('rules.deleted_at', 'is', null)
    .where('rules.locked', '=', 0)
    .orderBy('rules.number')
    .execute()
  if (unlocked.length === 0) return
  const names = unlocked.map(({ prefix, number }) => displayedName(prefix, number))
  throw refuseValues(failure, [
    {
      field: 'released',
      message: `${unlocked.length} of ${total} requirements are not locked: ${someOf(names)}`,
    },
  ])
}

/** `A, B and 7 more`. */
export function someOf(names: readonly string[]): string {
  const more = names.length - NAMED
  const named = names.slice(0, NAMED).join(', ')
  return more > 0 ? `${named} and ${more} more` : named
}
