import { displayedName } from '../../database/rule-names.ts'
import type { Reader } from '../../database/transaction.ts'

/** How many requirements of a component were moved to other SRGs. */
export async function countMovedOut(reader: Reader, componentId: number): Promise<number> {
  const { moved } = await reader
    .selectFrom('requirement_relocations as relocation')
    .innerJoin('rules', 'rules.id', 'relocation.source_rule_id')
    .select((is) => is.fn.countAll<number>().as('moved'))
    .where('rules.component_id', '=', componentId)
    .where('relocation.executed_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return moved
}

export interface MovedRequirement {
  /** The id under which it was published; without one, the core requirement's id; else its name. */
  readonly identifier: string
  readonly token: string
  /** YYYY-MM-DD. */
  readonly day: string
}

/** The requirements that were moved out of the component released as this benchmark, in order. */
export async function findMovedOut(reader: Reader, benchmarkId: number): Promise<readonly MovedRequirement[]> {
  const rows = await reader
    .selectFrom('requirement_relocations as relocation')
    .innerJoin('rules', 'rules.id', 'relocation.source_rule_id')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .select(['relocation.executed_at', 'relocation.target_technology_token as token'])
    .select(['rules.minted_id', 'rules.version', 'rules.number', 'components.prefix'])
    .where('components.benchmark_id', '=', benchmarkId)
    .where('relocation.executed_at', 'is not', null)
    .orderBy('relocation.executed_at')
    .orderBy('relocation.id')
    .execute()
  return rows.map(({ executed_at, token, minted_id, version, prefix, number }) => ({
    identifier: minted_id ?? version ?? displayedName(prefix, number),
    token,
    day: (executed_at ?? '').slice(0, 10),
  }))
}
