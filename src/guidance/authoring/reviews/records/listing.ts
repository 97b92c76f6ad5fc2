import type { Expression, ExpressionBuilder, SelectQueryBuilder, SqlBool } from 'kysely'
import { z } from 'zod'
import type { Caller } from '../../../../http/caller.ts'
import { clampedInteger, describeForgiving, id, searchText } from '../../../../http/input.ts'
import type { TriageStatus } from '../../../database/schema/reviews.ts'
import type { Schema } from '../../../database/schema/schema.ts'
import type { Reader } from '../../../database/transaction.ts'
import { mayReadComponent } from '../../../parts/readable.ts'
import { NO_COMMENTS, type TriageCounts } from './counts.ts'
import { COMMENT_SECTIONS, TRIAGE_STATUSES } from './schemas.ts'
import { mentions } from './search.ts'

/** Pages beyond this are always empty. The limit keeps numbers exact. */
const MAX_PAGE = 1_000_000_000
/** An id that no record has: ids begin at 1. */
const NO_RECORD = 0

/** The id of a record. Other values match no record. */
export const idFilter = z
  .string()
  .optional()
  .transform((text) => (text === undefined || text === '' ? null : (id.safeParse(text).data ?? NO_RECORD)))
  .meta({ type: 'integer', ...describeForgiving('Values that cannot be a number of a person find nothing') })

function choice(values: readonly string[], absent: string): z.ZodType<string, string | undefined> {
  return z
    .string()
    .optional()
    .transform((text) => (text === undefined || text === '' ? absent : text))
    .meta({ enum: [...values], 'x-default': absent, ...describeForgiving('Other values find nothing') })
}

export const pageQuery = {
  page: clampedInteger({ min: 1, max: MAX_PAGE, default: 1, invalid: 1 }),
  per_page: clampedInteger({ min: 1, max: 100, default: 25, invalid: 25 }),
}

/** Filters for the lists of a component and of a project. Unknown values match nothing. */
export const filterQuery = {
  triage_status: choice([...TRIAGE_STATUSES, 'all'], 'pending'),
  section: choice([...COMMENT_SECTIONS, 'general', 'all'], 'all'),
  author_id: idFilter,
  q: searchText.optional(),
  resolved: choice(['all', 'true', 'false'], 'all'),
}

export const userQuery = {
  triage_status: choice([...TRIAGE_STATUSES, 'all'], 'all'),
  project_id: idFilter,
}

export const componentQuery = {
  rule_id: idFilter,
  commentable_type: choice(['rule', 'component', 'all'], 'all'),
  include_rule_content: z
    .string()
    .optional()
    .meta({ enum: ['true', 'false'], ...describeForgiving('Any other value counts as false') }),
}

type ReviewExpressionBuilder = ExpressionBuilder<Schema, 'reviews'>

export type CommentCondition = (is: ReviewExpressionBuilder) => Expression<SqlBool>

interface CommentFilters {
  readonly section: string
  readonly author_id: number | null
  readonly resolved: string
  readonly q?: string | undefined
  readonly rule_id?: number | null
  readonly commentable_type?: string
}

export interface CommentListing {
  readonly conditions: readonly CommentCondition[]
  readonly status: string
  readonly page: number
  readonly perPage: number
}

export interface CommentPage {
  readonly ids: readonly number[]
  readonly total: number
  readonly status_counts: TriageCounts['by_triage_status']
}

/** Turns the filters of a query into conditions. */
export function conditionsOf({
  section,
  author_id,
  resolved,
  q = '',
  rule_id: ruleId = null,
  commentable_type: subject = 'all',
}: CommentFilters): readonly CommentCondition[] {
  return [
    ...(ruleId === null ? [] : [(is: ReviewExpressionBuilder) => is('reviews.rule_id', '=', ruleId)]),
    ...aboutConditions(subject),
    ...(author_id === null ? [] : [(is: ReviewExpressionBuilder) => is('reviews.user_id', '=', author_id)]),
    ...sectionConditions(section),
    ...(resolved === 'all' ? [] : [resolvedCondition(resolved)]),
    ...(q === '' ? [] : [(is: ReviewExpressionBuilder) => mentions(is, q)]),
  ]
}

const NO_COMMENT: CommentCondition = (is) => is('reviews.id', '=', NO_RECORD)

/** Selects the comments in a project, without those on deleted rules. */
export function inProject(projectId: number): CommentCondition {
  return (is) => {
    const components = is.selectFrom('components').select('components.id').where('project_id', '=', projectId)
    return is.and([
      is('reviews.component_id', 'in', components),
      outside(is, deletedRules(is).where('rules.component_id', 'in', components)),
    ])
  }
}

/** Selects the comments in a component, without those on deleted rules. */
export function inComponent(componentId: number): CommentCondition {
  return (is) =>
    is.and([
      is('reviews.component_id', '=', componentId),
      outside(is, deletedRules(is).where('rules.component_id', '=', componentId)),
    ])
}

/**
 * Selects the comments of one person everywhere. Suits few comments, because the database looks up the rule of each.
 */
function byAuthor(userId: number): CommentCondition {
  return (is) =>
    is.and([
      is('reviews.user_id', '=', userId),
      is.not(is.exists(deletedRules(is).whereRef('rules.id', '=', 'reviews.rule_id'))),
    ])
}

/** Selects the comments of a person that the caller may read, without those on deleted rules. */
export function readableBy(caller: Caller, author: number): readonly CommentCondition[] {
  return [
    byAuthor(author),
    (is) =>
      is('reviews.component_id', 'in', (query) =>
        query.selectFrom('components').select('components.id').where(mayReadComponent(caller)),
      ),
  ]
}

function deletedRules(is: ReviewExpressionBuilder) {
  return is.selectFrom('rules').select('rules.id').where('rules.deleted_at', 'is not', null)
}

/** Finds the few rules once by an index, instead of once for each comment. */
function outside(is: ReviewExpressionBuilder, rules: ReturnType<typeof deletedRules>): Expression<SqlBool> {
  return is.or([is('reviews.rule_id', 'is', null), is('reviews.rule_id', 'not in', rules)])
}

/** Selects comments of one status; `all` selects all, and an unknown status selects none. */
export function statusConditions(status: string): readonly CommentCondition[] {
  if (status === 'all') return []
  const triageStatus = TRIAGE_STATUSES.find((name) => name === status)
  return [triageStatus === undefined ? NO_COMMENT : (is) => is('reviews.triage_status', '=', triageStatus)]
}

function aboutConditions(type: string): readonly CommentCondition[] {
  if (type === 'all') return []
  if (type === 'rule') return [(is) => is('reviews.rule_id', 'is not', null)]
  return [type === 'component' ? (is) => is('reviews.rule_id', 'is', null) : NO_COMMENT]
}

function sectionConditions(section: string): readonly CommentCondition[] {
  if (section === 'all') return []
  if (section === 'general') return [(is) => is('reviews.section', 'is', null)]
  const commentSection = COMMENT_SECTIONS.find((name) => name === section)
  return [commentSection === undefined ? NO_COMMENT : (is) => is('reviews.section', '=', commentSection)]
}

function resolvedCondition(resolved: string): CommentCondition {
  if (resolved === 'true') return (is) => is('reviews.adjudicated_at', 'is not', null)
  return resolved === 'false' ? (is) => is('reviews.adjudicated_at', 'is', null) : NO_COMMENT
}

type CommentQuery = SelectQueryBuilder<Schema, 'reviews', object>

/** Selects top-level comments that meet all conditions. */
export function findMatching(reader: Reader, conditions: readonly CommentCondition[]): CommentQuery {
  const comments: CommentQuery = reader
    .selectFrom('reviews')
    .where('reviews.action', '=', 'comment')
    .where('reviews.responding_to_review_id', 'is', null)
  return conditions.reduce((query, condition) => query.where(condition), comments)
}

/** Finds a page of top-level comments, newest first, and counts those of each status. Two queries. */
export async function findPage(reader: Reader, listing: CommentListing): Promise<CommentPage> {
  const { status, page, perPage } = listing
  const counted = await findMatching(reader, listing.conditions)
    .select('triage_status')
    .select((is) => is.fn.countAll<number>().as('count'))
    .groupBy('triage_status')
    .execute()
  const filtered = counted.filter(({ triage_status }) => matchesStatus(triage_status, status))
  const total = filtered.reduce((sum, { count }) => sum + count, 0)
  const rows =
    total === 0
      ? []
      : await findMatching(reader, [...listing.conditions, ...statusConditions(status)])
          .select('reviews.id')
          .orderBy('reviews.created_at', 'desc')
          .orderBy('reviews.id', 'desc')
          .limit(perPage)
          .offset((page - 1) * perPage)
          .execute()
  return { ids: rows.map((row) => row.id), total, status_counts: countsOf(counted) }
}

export async function countComments(reader: Reader, conditions: readonly CommentCondition[]): Promise<number> {
  const { count } = await findMatching(reader, conditions)
    .select((is) => is.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export function matchesStatus(status: TriageStatus | null, filter: string): boolean {
  return filter === 'all' || status === filter
}

export function countsOf(
  counted: readonly { readonly triage_status: TriageStatus | null; readonly count: number }[],
): TriageCounts['by_triage_status'] {
  const counts = { ...NO_COMMENTS }
  for (const { triage_status, count } of counted) if (triage_status !== null) counts[triage_status] += count
  return counts
}
