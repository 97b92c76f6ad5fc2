import { refuseValues } from '../../../http/toast.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Reader } from '../../database/transaction.ts'
import { nameSome } from '../../parts/name-some.ts'
import { obstaclesOf } from './obstacles.ts'

/** Refuses (422) to release a STIG with unlocked rules, and names them. */
export async function requireReleasable(reader: Reader, componentId: number, failure: string): Promise<void> {
  const component = await reader
    .selectFrom('components')
    .select(['document_type', 'prefix', 'version', 'release', 'released'])
    .where('id', '=', componentId)
    .executeTakeFirstOrThrow()
  const rules = await reader
    .selectFrom('rules')
    .select(['id', 'number', 'status', 'locked'])
    .where('component_id', '=', componentId)
    .where('deleted_at', 'is', null)
    .orderBy('number')
    .execute()
  const obstacles = obstaclesOf(component, rules).filter(({ code }) => code === 'rule_unlocked')
  const unlocked = new Set(obstacles.map(({ ruleId }) => ruleId))
  if (unlocked.size === 0) return
  const named = rules.filter(({ id }) => unlocked.has(id))
  const names = named.map(({ number }) => displayedName(component.prefix, number))
  const message = `${names.length} of ${rules.length} requirements are not locked: ${nameSome(names)}`
  throw refuseValues(failure, [{ field: 'released', message }])
}
