import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { compareCodeUnits } from '../../../graph/term.ts'
import type { Caller } from '../../../http/caller.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader } from '../../database/transaction.ts'
import { mayReadUsage } from '../../parts/readable.ts'

/** A component that was made from an SRG. */
export interface Usage {
  readonly id: number
  readonly name: string
  readonly prefix: string
  readonly project_id: number
  readonly project_name: string
}

/** All components that were made from an SRG, by prefix. */
export function findUsage(reader: Reader, benchmarkId: number): Promise<readonly Usage[]> {
  return find(reader, (is) => isMadeFrom(is, benchmarkId))
}

/** The components that a caller may see: released ones and those of their projects. Site administrators see all. */
export function findVisibleUsage(reader: Reader, benchmarkId: number, caller: Caller): Promise<readonly Usage[]> {
  return find(reader, (is) => is.and([isMadeFrom(is, benchmarkId), mayReadUsage(caller)]))
}

type ComponentExpressionBuilder = ExpressionBuilder<Schema, 'components'>

/**
 * Whether a component has the SRG as a source, or a rule that was made from it: copies may keep rules of an earlier
 * release.
 */
function isMadeFrom(is: ComponentExpressionBuilder, benchmarkId: number): Expression<SqlBool> {
  return is.or([
    is('components.id', 'in', (from) =>
      from.selectFrom('component_srgs').select('component_id').where('benchmark_id', '=', benchmarkId),
    ),
    is('components.id', 'in', (from) =>
      from
        .selectFrom('rules')
        .innerJoin('benchmark_rules', 'benchmark_rules.id', 'rules.srg_rule_id')
        .select('rules.component_id')
        .where('benchmark_rules.benchmark_id', '=', benchmarkId),
    ),
  ])
}

async function find(
  reader: Reader,
  condition: (is: ComponentExpressionBuilder) => Expression<SqlBool>,
): Promise<readonly Usage[]> {
  const rows = await reader
    .selectFrom('components')
    .innerJoin('projects', 'projects.id', 'components.project_id')
    .select(['components.id', 'components.name', 'components.prefix', 'components.project_id'])
    .select('projects.name as project_name')
    .where(condition)
    .execute()
  return rows.sort((a, b) => compareCodeUnits(a.prefix, b.prefix) || a.id - b.id)
}
