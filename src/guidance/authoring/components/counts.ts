import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { append } from '../../../platform/append.ts'
import type { Schema } from '../../database/schema/schema.ts'
import type { Reader } from '../../database/transaction.ts'
import type { RuleCount } from './rule-counts.ts'

/** Selects components. */
export type ComponentCondition = (is: ExpressionBuilder<Schema, 'components'>) => Expression<SqlBool>

/** Counts the live rules of components, by the values that cards show. One query. */
export async function countRulesOf(
  reader: Reader,
  condition: ComponentCondition,
): Promise<ReadonlyMap<number, readonly RuleCount[]>> {
  const rows = await reader
    .selectFrom('rules')
    .select(['component_id', 'status', 'rule_severity', 'locked'])
    .select((is) => [
      is.case().when('review_requestor_id', 'is', null).then(0).else(1).end().as('under_review'),
      is.fn.countAll<number>().as('rules'),
    ])
    .where('deleted_at', 'is', null)
    .where('component_id', 'in', (is) => is.selectFrom('components').select('components.id').where(condition))
    .groupBy(['component_id', 'status', 'rule_severity', 'locked', 'under_review'])
    .execute()
  const counts = new Map<number, RuleCount[]>()
  for (const row of rows) append(counts, row.component_id, row)
  return counts
}

/** Counts untriaged top-level comments, by component (docs/contract.md, Component summary). One query. */
export async function countPending(
  reader: Reader,
  condition: ComponentCondition,
): Promise<ReadonlyMap<number, number>> {
  const rows = await reader
    .selectFrom('reviews')
    .leftJoin('rules', 'rules.id', 'reviews.rule_id')
    .select(['reviews.component_id', (is) => is.fn.countAll<number>().as('pending')])
    .where('reviews.action', '=', 'comment')
    .where('reviews.triage_status', '=', 'pending')
    .where('reviews.responding_to_review_id', 'is', null)
    .where('rules.deleted_at', 'is', null)
    .where('reviews.component_id', 'in', (is) => is.selectFrom('components').select('components.id').where(condition))
    .groupBy('reviews.component_id')
    .execute()
  return new Map(rows.map(({ component_id, pending }) => [component_id, pending]))
}

export function isLocked({ locked }: RuleCount): boolean {
  return locked === 1
}

export function sumOf(counts: readonly RuleCount[], isCounted: (count: RuleCount) => boolean = () => true): number {
  return counts.reduce((total, count) => (isCounted(count) ? total + count.rules : total), 0)
}
