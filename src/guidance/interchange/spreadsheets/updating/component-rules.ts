import { inPortions } from '../../../../platform/concurrency/turns.ts'
import { findAllRules } from '../../../authoring/components/portions.ts'
import { findRules, type AuthoredRule } from '../../../authoring/rules/reader.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { ComponentRules } from './match-records.ts'

/** The rules and requirements to which a sheet for a component can refer. */
export async function findComponentRules(reader: Reader, componentId: number): Promise<ComponentRules> {
  const rules = await findAllRules(reader, componentId)
  const ids = new Set(rules.map(({ id }) => id))
  const linked = rules.flatMap(({ satisfiedBy: [first] }) => first?.id ?? [])
  const parents = await findParents(
    reader,
    linked.filter((id) => !ids.has(id)),
  )
  return { rules, parents, requirements: await findRequirementIds(reader, componentId) }
}

/** The number of parameters in one statement. */
const BATCH_SIZE = 500

async function findParents(reader: Reader, ids: readonly number[]): Promise<AuthoredRule[]> {
  const distinct = [...new Set(ids)]
  const changed: AuthoredRule[] = []
  for await (const batch of inPortions(distinct, BATCH_SIZE)) {
    changed.push(...(await findRules(reader, (is) => is('rules.id', 'in', batch))))
  }
  return changed
}

/** Includes requirements of deleted rules, and requirements that were not copied. */
async function findRequirementIds(reader: Reader, componentId: number): Promise<ReadonlySet<string>> {
  const rows = await reader
    .selectFrom('component_srgs')
    .innerJoin('benchmark_rules', 'benchmark_rules.benchmark_id', 'component_srgs.benchmark_id')
    .select('benchmark_rules.version')
    .distinct()
    .where('component_srgs.component_id', '=', componentId)
    .union(reader.selectFrom('rules').select('rules.version').where('rules.component_id', '=', componentId))
    .execute()
  return new Set(rows.flatMap(({ version }) => version ?? []))
}
