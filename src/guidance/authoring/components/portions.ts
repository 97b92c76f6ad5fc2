import { compareCodeUnits } from '../../../graph/term.ts'
import { inPortions } from '../../../platform/concurrency/turns.ts'
import type { Reader } from '../../database/transaction.ts'
import { findRules, type AuthoredRule, type RuleCondition } from '../rules/reader.ts'

/** The number of rules to read at once, which limits the memory and the time that others wait. */
const BATCH_SIZE = 250

/** All rules of a component by version and number, read in portions. */
export async function findInPortions<T extends Pick<AuthoredRule, 'version'>>(
  reader: Reader,
  componentId: number,
  find: (condition: RuleCondition) => Promise<readonly T[]>,
): Promise<T[]> {
  const rules: T[] = []
  for await (const condition of portionsOf(reader, componentId)) rules.push(...(await find(condition)))
  // Portions come by number, and a stable sort keeps that order within each version.
  return rules.sort((a, b) => compareCodeUnits(a.version ?? '', b.version ?? ''))
}

/** All rules of a component with their parts, as from `findRules`, read in portions. */
export function findAllRules(reader: Reader, componentId: number): Promise<AuthoredRule[]> {
  return findInPortions(reader, componentId, (condition) => findRules(reader, condition))
}

/** Conditions that select a component's rules in portions, by number. */
export async function* portionsOf(reader: Reader, componentId: number): AsyncGenerator<RuleCondition> {
  const rows = await reader
    .selectFrom('rules')
    .select('number')
    .where('component_id', '=', componentId)
    .where('deleted_at', 'is', null)
    .orderBy('number')
    .execute()
  for await (const batch of inPortions(rows, BATCH_SIZE)) {
    const [first, last] = [batch[0]?.number ?? 0, batch.at(-1)?.number ?? 0]
    yield (is) => is.and([is('rules.component_id', '=', componentId), is.between('rules.number', first, last)])
  }
}
