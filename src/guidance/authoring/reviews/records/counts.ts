import type { TriageStatus } from '../../../database/schema/reviews.ts'
import type { Reader } from '../../../database/transaction.ts'

/** Figures of the triage summary (docs/contract.md, Triage summary). */
export interface TriageCounts {
  readonly by_triage_status: Readonly<Record<TriageStatus, number>>
  /** Includes comments without a status. */
  readonly total: number
  readonly adjudicated: number
  /** Decided, but not closed (docs/contract.md, Workflow state). */
  readonly awaiting: number
}

const DECIDED_STATUSES: ReadonlySet<string> = new Set(['concur', 'concur_with_comment', 'non_concur'])

export const NO_COMMENTS: TriageCounts['by_triage_status'] = {
  pending: 0,
  concur: 0,
  concur_with_comment: 0,
  non_concur: 0,
  duplicate: 0,
  informational: 0,
  needs_clarification: 0,
  withdrawn: 0,
  addressed_by: 0,
}

/**
 * Counts the top-level comments of a component, or of all components of a project, by status, without those on deleted
 * rules. One query.
 */
export async function triageCounts(
  reader: Reader,
  scope: { readonly componentId: number } | { readonly projectId: number },
): Promise<TriageCounts> {
  const components = reader
    .selectFrom('components')
    .select('id')
    .where((is) => ('componentId' in scope ? is('id', '=', scope.componentId) : is('project_id', '=', scope.projectId)))
  // Few rules are deleted, so this is faster than a look-up for the rule of each comment.
  const deleted = reader
    .selectFrom('rules')
    .select('id')
    .where('component_id', 'in', components)
    .where('deleted_at', 'is not', null)
  const rows = await reader
    .selectFrom('reviews')
    .select('triage_status')
    .select((is) => is.fn.countAll<number>().as('count'))
    .select((is) => is.fn.count<number>('adjudicated_at').as('adjudicated'))
    .where('component_id', 'in', components)
    .where('action', '=', 'comment')
    .where('responding_to_review_id', 'is', null)
    .where((is) => is.or([is('rule_id', 'is', null), is('rule_id', 'not in', deleted)]))
    .groupBy('triage_status')
    .execute()
  const counts = rows.flatMap(({ triage_status, count }) =>
    triage_status === null ? [] : [[triage_status, count] as const],
  )
  return {
    by_triage_status: { ...NO_COMMENTS, ...Object.fromEntries(counts) },
    total: rows.reduce((sum, { count }) => sum + count, 0),
    adjudicated: rows.reduce((sum, row) => sum + row.adjudicated, 0),
    awaiting: rows
      .filter(({ triage_status }) => DECIDED_STATUSES.has(triage_status ?? ''))
      .reduce((sum, { count, adjudicated }) => sum + count - adjudicated, 0),
  }
}
