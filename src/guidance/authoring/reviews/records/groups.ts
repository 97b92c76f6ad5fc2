import { z } from 'zod'
import { append } from '../../../../platform/append.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { Reader } from '../../../database/transaction.ts'
import { countsOf, matchesStatus, findMatching, type CommentListing } from './listing.ts'
import { ON_COMPONENT } from './reader.ts'
import { statusCounts } from './rows.ts'

/** Counts of the comments on one rule, or on a component as a whole. */
export const commentGroup = z.object({
  component_id: z.int(),
  component_name: z.string(),
  rule_id: z.int().nullable(),
  rule_displayed_name: z.string().meta({ description: '"(component)" for a component as a whole' }),
  rule_title: z.string().nullable(),
  total: z.int().meta({ description: 'Number of comments that match the filters' }),
  status_counts: statusCounts.meta({ description: 'Number of comments by status, whatever the status filter' }),
})

type CommentGroup = z.infer<typeof commentGroup>

/**
 * Finds a page of rules and components with counts of their comments, by component and rule, without those whose
 * comments the filters exclude. One query; it returns at most one row for each rule and status.
 */
export async function findGroups(
  reader: Reader,
  listing: CommentListing,
): Promise<{ readonly rows: readonly CommentGroup[]; readonly total: number }> {
  const { status, page, perPage } = listing
  const groups = new Map<string, CommentCountRow[]>()
  for (const row of await findCounts(reader, listing)) append(groups, `${row.component_id}/${row.rule_id ?? ''}`, row)
  const rows = [...groups.values()].flatMap((counted) => shapeGroup(counted, status))
  return { rows: rows.slice((page - 1) * perPage, page * perPage), total: rows.length }
}

type CommentCountRow = Awaited<ReturnType<typeof findCounts>>[number]

function findCounts(reader: Reader, { conditions }: CommentListing) {
  const subject = [
    'components.name',
    'components.prefix',
    'rules.number',
    'rules.title',
    'reviews.component_id',
    'reviews.rule_id',
    'reviews.triage_status',
  ] as const
  return findMatching(reader, conditions)
    .innerJoin('components', 'components.id', 'reviews.component_id')
    .leftJoin('rules', 'rules.id', 'reviews.rule_id')
    .select(subject)
    .select((is) => is.fn.countAll<number>().as('count'))
    .groupBy(subject)
    .orderBy('components.name')
    .orderBy('reviews.component_id')
    .orderBy((is) => is.fn.coalesce('rules.number', is.lit(0)))
    .execute()
}

function shapeGroup(counted: readonly CommentCountRow[], status: string): readonly CommentGroup[] {
  const [first] = counted
  const total = counted
    .filter(({ triage_status }) => matchesStatus(triage_status, status))
    .reduce((sum, { count }) => sum + count, 0)
  if (first === undefined || total === 0) return []
  const { component_id, rule_id, prefix, number } = first
  return [
    {
      component_id,
      component_name: first.name,
      rule_id,
      rule_title: first.title,
      total,
      rule_displayed_name: number === null ? ON_COMPONENT : displayedName(prefix, number),
      status_counts: { ...countsOf(counted) },
    },
  ]
}
