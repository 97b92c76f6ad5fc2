import type { Reader } from '../database/database.ts'
import type { TriageStatus } from '../database/schema/reviews.ts'

/** Figures of the triage summary (contract §17). */
export interface TriageCounts {
  readonly by_triage_status: Readonly<Record<TriageStatus, number>>
  /** Also those without a status. */
  readonly total: number
  readonly adjudicated: number
  /** Agreed with or not, and not closed yet (contract §16). */
  readonly awaiting: number
}

const DECIDED: ReadonlySet<string> = new Set(['concur', 'concur_with_comment', 'non_concur'])

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
 * Top-level comments of a component or of all components of a project by status, those on deleted rules
 * left out. One query.
 */
export async function triageCounts(
  reader: Reader,
  of: { readonly componentId: number } | { readonly projectId: number },
): Promise<TriageCounts> {
  const rows = await reader
    .selectFrom('reviews')
    .leftJoin('rules', 'rules.id', 'reviews.rule_id')
    .select('reviews.triage_status')
    .select((is) => is.fn.countAll<number>().as('count'))
    .select((is) => is.fn.count<number>('reviews.adjudicated_at').as('adjudicated'))
    .where('reviews.action', '=', 'comment')
    .where('reviews.responding_to_review_id', 'is', null)
    .where('rules.deleted_at', 'is', null)
    .where((is) =>
      'componentId' in of
        ? is('reviews.component_id', '=', of.componentId)
        : is('reviews.component_id', 'in', (from) =>
            from.selectFrom('components').select('id').where('project_id', '=', of.projectId),
          ),
    )
    .groupBy('reviews.triage_status')
    .execute()
  const known = rows.flatMap(({ triage_status, count }) =>
    triage_status === null ? [] : [[triage_status, count] as const],
  )
  return {
    by_triage_status: { ...NO_COMMENTS, ...Object.fromEntries(known) },
    total: rows.reduce((sum, { count }) => sum + count, 0),
    adjudicated: rows.reduce((sum, row) => sum + row.adjudicated, 0),
    awaiting: rows
      .filter(({ triage_status }) => DECIDED.has(triage_status ?? ''))
      .reduce((sum, { count, adjudicated }) => sum + count - adjudicated, 0),
  }
}
