import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { compareCodeUnits } from '../../../../graph/term.ts'
import type { Caller } from '../../../../http/caller.ts'
import { manyRows } from '../../../database/many-rows.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { Schema } from '../../../database/schema/schema.ts'
import type { Reader } from '../../../database/transaction.ts'
import type { RuleCondition } from '../../rules/reader.ts'
import type { Review } from './schemas.ts'
import { SUGGESTION_COLUMNS, suggestionOf } from './suggestion-columns.ts'

/**
 * Selects reviews: all of a component or only the newest, those on some rules, the replies to one, or some by id. Each
 * id is a parameter of the statement, so pass a query instead of very many rules.
 */
export type ReviewSelection =
  | { readonly componentId: number; readonly newest?: number }
  | { readonly rules: RuleCondition }
  | { readonly ruleIds: readonly number[] }
  | { readonly ids: readonly number[] }
  | { readonly answering: number }

type Reactions = Review['reactions']

const NO_REACTIONS: Reactions = { up: 0, down: 0, mine: null }

/** The place of comments on the component as a whole. */
export const ON_COMPONENT = '(component)'

/**
 * Finds reviews, oldest first; if only the newest are selected, newest first. Leaves out those on deleted rules. Two
 * queries, however many reviews there are.
 */
export async function findReviews(
  reader: Reader,
  caller: Caller,
  selection: ReviewSelection,
): Promise<readonly Review[]> {
  if (isEmpty(selection)) return []
  const rows = (await findRows(reader, selection)).sort(byAge)
  const reactions = await findReactions(reader, caller, (is) => isSelected(is, selection))
  const shaped = rows.map((row) => shapeReview(row, caller.id, reactions.get(row.id) ?? NO_REACTIONS))
  return 'componentId' in selection && selection.newest !== undefined ? shaped.reverse() : shaped
}

function isEmpty(selection: ReviewSelection): boolean {
  if ('ids' in selection) return selection.ids.length === 0
  return 'ruleIds' in selection && selection.ruleIds.length === 0
}

type ReviewExpressionBuilder = ExpressionBuilder<Schema, 'reviews'>

function isSelected(is: ReviewExpressionBuilder, selection: ReviewSelection): Expression<SqlBool> {
  if ('ids' in selection) return is('reviews.id', 'in', selection.ids)
  if ('ruleIds' in selection) return is('reviews.rule_id', 'in', selection.ruleIds)
  if ('answering' in selection) return is('reviews.responding_to_review_id', '=', selection.answering)
  if ('rules' in selection) {
    const { rules } = selection
    return is('reviews.rule_id', 'in', (query) => query.selectFrom('rules').select('rules.id').where(rules))
  }
  const { componentId, newest } = selection
  if (newest === undefined) return is('reviews.component_id', '=', componentId)
  return is('reviews.id', 'in', (query) =>
    query
      .selectFrom('reviews as recent')
      .leftJoin('rules as about', 'about.id', 'recent.rule_id')
      .select('recent.id')
      .where('recent.component_id', '=', componentId)
      .where('about.deleted_at', 'is', null)
      .orderBy('recent.created_at', 'desc')
      .orderBy('recent.id', 'desc')
      .limit(newest),
  )
}

/** Only the necessary columns, because there are many rows. */
const COLUMNS = [
  'id',
  'action',
  'comment',
  'created_at',
  'updated_at',
  'triage_status',
  'triage_set_at',
  'triage_set_by_id',
  'triage_set_by_name',
  'adjudicated_at',
  'adjudicated_by_id',
  'adjudicated_by_name',
  'rule_id',
  'section',
  'responding_to_review_id',
  'duplicate_of_review_id',
  'addressed_by_rule_id',
  ...SUGGESTION_COLUMNS,
  'user_id',
  'author_name',
  'imported',
  'lock_version',
] as const

/** A review with the current names of its people, and its subject. */
type ReviewRow = Awaited<ReturnType<typeof findRows>>[number]

function findRows(reader: Reader, selection: ReviewSelection) {
  return reader
    .selectFrom('reviews')
    .innerJoin('components', 'components.id', 'reviews.component_id')
    .leftJoin('rules', 'rules.id', 'reviews.rule_id')
    .leftJoin('users as author', 'author.id', 'reviews.user_id')
    .leftJoin('users as triager', 'triager.id', 'reviews.triage_set_by_id')
    .leftJoin('users as adjudicator', 'adjudicator.id', 'reviews.adjudicated_by_id')
    .select(COLUMNS.map((name) => `reviews.${name}` as const))
    .select(['components.prefix', 'rules.number', 'author.name as author'])
    .select(['triager.name as triager', 'adjudicator.name as adjudicator'])
    .select((is) =>
      is
        .selectFrom('reviews as response')
        .select(({ fn }) => fn.countAll<number>().as('responses'))
        .whereRef('response.responding_to_review_id', '=', 'reviews.id')
        .as('responses_count'),
    )
    .where('rules.deleted_at', 'is', null)
    .where((is) => isSelected(is, selection))
    .withPlugin(manyRows)
    .execute()
}

/** Compares by age. SQL does not sort, because databases would move whole rows. */
function byAge(a: ReviewRow, b: ReviewRow): number {
  return compareCodeUnits(a.created_at, b.created_at) || a.id - b.id
}

/** Reactions by review; reviews without any are left out. */
export async function findReactions(
  reader: Reader,
  caller: Caller,
  selection: (is: ReviewExpressionBuilder) => Expression<SqlBool>,
): Promise<ReadonlyMap<number, Reactions>> {
  const rows = await reader
    .selectFrom('reactions')
    .select(['review_id', 'kind'])
    .select((is) => is.fn.countAll<number>().as('count'))
    .select((is) => is.fn.max(is.case().when('user_id', '=', caller.id).then(1).else(0).end()).as('mine'))
    .where('review_id', 'in', (is) => is.selectFrom('reviews').select('reviews.id').where(selection))
    .groupBy(['review_id', 'kind'])
    .execute()
  const reactions = new Map<number, Reactions>()
  for (const { review_id, kind, count, mine: isMine } of rows) {
    const before = reactions.get(review_id) ?? NO_REACTIONS
    reactions.set(review_id, { ...before, [kind]: count, mine: isMine === 1 ? kind : before.mine })
  }
  return reactions
}

/** Lists all members, because spreading an object takes a hundred times as long, and lists are long. */
function shapeReview(row: ReviewRow, callerId: number, reactions: Reactions): Review {
  const name = row.author ?? row.author_name
  const imported = row.imported === 1
  const review = {
    id: row.id,
    action: row.action,
    comment: row.comment,
    created_at: row.created_at,
    updated_at: row.updated_at,
    triage_status: row.triage_status,
    triage_set_at: row.triage_set_at,
    adjudicated_at: row.adjudicated_at,
    rule_id: row.rule_id,
    section: row.section,
    responding_to_review_id: row.responding_to_review_id,
    lock_version: row.lock_version,
    duplicate_of_review_id: row.duplicate_of_review_id,
    addressed_by_rule_id: row.addressed_by_rule_id,
    triage_set_by_id: row.triage_set_by_id,
    suggestion: suggestionOf(row),
    reactions,
    commentable_type: row.rule_id === null ? ('Component' as const) : ('BaseRule' as const),
    responses_count: row.responses_count ?? 0,
    rule_displayed_name: row.number === null ? ON_COMPONENT : displayedName(row.prefix, row.number),
    name,
    author_name: name,
    commenter_display_name: name,
    commenter_id: row.user_id,
    commenter_imported: imported,
    own: row.user_id === callerId,
  }
  return Object.assign(review, attributionOf(row, imported))
}

type Attribution = Pick<
  Review,
  'triager_display_name' | 'triager_imported' | 'adjudicator_display_name' | 'adjudicator_imported'
>

/** The person who decided: the current name of the account, or without an account the name at that time. */
export function attributionOf(
  row: Pick<
    ReviewRow,
    'triager' | 'triage_set_by_id' | 'triage_set_by_name' | 'adjudicator' | 'adjudicated_by_id' | 'adjudicated_by_name'
  >,
  imported: boolean,
): Attribution {
  const { triage_set_by_name: triager, adjudicated_by_name: adjudicator } = row
  return {
    triager_display_name: row.triager ?? triager,
    triager_imported: imported && row.triage_set_by_id === null && triager !== null,
    adjudicator_display_name: row.adjudicator ?? adjudicator,
    adjudicator_imported: imported && row.adjudicated_by_id === null && adjudicator !== null,
  }
}
