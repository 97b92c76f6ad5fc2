import { append } from '../../../platform/append.ts'
import type { Severity } from '../../../tables/severities.ts'
import { STATUSES } from '../../../tables/statuses.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { Reader } from '../../database/transaction.ts'

/** The number of a component's live rules that share these values. */
export interface RuleCount {
  readonly component_id: number
  readonly status: string
  readonly rule_severity: Severity
  readonly locked: number
  readonly under_review: number
  readonly rules: number
}

export type CountScope = { readonly componentId: number } | { readonly projectId: number }

/** Counts live rules, by component. Components without live rules are left out. */
export async function countRules(
  reader: Reader,
  scope: CountScope,
): Promise<ReadonlyMap<number, readonly RuleCount[]>> {
  const underReview = 'under_review'
  const rows = await reader
    .selectFrom('rules')
    .select(['component_id', 'status', 'rule_severity', 'locked'])
    .select((is) => [
      is.case().when('review_requestor_id', 'is', null).then(0).else(1).end().as(underReview),
      is.fn.countAll<number>().as('rules'),
    ])
    .where('deleted_at', 'is', null)
    .where((is) =>
      'componentId' in scope
        ? is('component_id', '=', scope.componentId)
        : is('component_id', 'in', (query) =>
            query.selectFrom('components').select('id').where('project_id', '=', scope.projectId),
          ),
    )
    .groupBy(['component_id', 'status', 'rule_severity', 'locked', underReview])
    .execute()
  const byComponent = new Map<number, RuleCount[]>()
  for (const row of rows) append(byComponent, row.component_id, row)
  return byComponent
}

export interface RuleFigures {
  readonly rules_by_status: Readonly<Record<string, number>>
  readonly rules_by_severity: { high: number; medium: number; low: number }
  readonly rule_count: number
  /** The number of these that have a status. */
  readonly determined: number
  readonly locked: number
  readonly underReview: number
  readonly completion_pct: number
  readonly lock_pct: number
}

/** The formulas of docs/contract.md, Statistics, for any components of one kind. */
export function figuresOf(counts: readonly RuleCount[], kind: BenchmarkKind): RuleFigures {
  const buckets = Object.entries(STATUSES[kind])
  const rules_by_status = Object.fromEntries(
    buckets.map(([key, status]) => [key, sum(counts, (count) => count.status === status)]),
  )
  const rule_count = Object.values(rules_by_status).reduce((total, count) => total + count, 0)
  const determined = rule_count - sum(counts, ({ status }) => status === 'Not Yet Determined')
  const locked = sum(counts, (count) => count.locked === 1)
  return {
    rules_by_status,
    rule_count,
    determined,
    locked,
    rules_by_severity: severitiesOf(counts),
    underReview: sum(counts, ({ under_review }) => under_review === 1),
    completion_pct: percentage(determined, rule_count),
    lock_pct: percentage(locked, rule_count),
  }
}

export function severitiesOf(counts: readonly RuleCount[]): RuleFigures['rules_by_severity'] {
  const countOf = (severity: Severity): number => sum(counts, ({ rule_severity }) => rule_severity === severity)
  return { high: countOf('high'), medium: countOf('medium'), low: countOf('low') }
}

function sum(counts: readonly RuleCount[], isCounted: (count: RuleCount) => boolean): number {
  return counts.reduce((total, count) => (isCounted(count) ? total + count.rules : total), 0)
}

/** Rounds to one decimal, half away from zero; 0 if there is nothing to divide (docs/contract.md, Statistics). */
export function percentage(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part * 1000) / whole) / 10
}
