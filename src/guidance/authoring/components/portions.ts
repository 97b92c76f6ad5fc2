import { compareCodeUnits } from '../../../graph/term.ts'
import { inPortions } from '../../../platform/turns.ts'
import type { Reader } from '../../database/transaction.ts'
import { findRules, inOrder, type AuthoredRule, type RuleCondition } from '../rules/reader.ts'

/** Rules that are read at once, so that no list is too long for memory or for those who wait. */
const PORTION = 1000

interface SortedByVersion {
  readonly version: string | null
  readonly rule_id: string
}

/** All rules of a component in their order (operations C), found a portion at a time. */
export async function findInPortions<T extends SortedByVersion>(
  reader: Reader,
  componentId: number,
  find: (which: RuleCondition) => Promise<readonly T[]>,
): Promise<T[]> {
  const found: T[] = []
  for await (const which of portionsOf(reader, componentId)) found.push(...(await find(which)))
  return found.sort(
    (a, b) =>
      compareCodeUnits(a.version ?? '', b.version ?? '') || compareCodeUnits(a.rule_id, b.rule_id),
  )
}

/** All rules of a component with their parts, as `findRules` has them, read a portion at a time. */
export async function findAllRules(reader: Reader, componentId: number): Promise<AuthoredRule[]> {
  const found: AuthoredRule[] = []
  for await (const which of portionsOf(reader, componentId))
    found.push(...(await findRules(reader, which)))
  return inOrder(found)
}

/** What picks the rules of a component, some at a time, by their numbers. */
export async function* portionsOf(
  reader: Reader,
  componentId: number,
): AsyncGenerator<RuleCondition> {
  const rows = await reader
    .selectFrom('rules')
    .select('number')
    .where('component_id', '=', componentId)
    .where('deleted_at', 'is', null)
    .orderBy('number')
    .execute()
  for await (const some of inPortions(rows, PORTION)) {
    const [first, last] = [some[0]?.number ?? 0, some.at(-1)?.number ?? 0]
    yield (is) =>
      is.and([is('rules.component_id', '=', componentId), is.between('rules.number', first, last)])
  }
}
