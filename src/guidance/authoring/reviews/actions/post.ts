import { actorOf, type Caller } from '../../../../http/caller.ts'
import { notFound } from '../../../../http/input.ts'
import { refuseValues } from '../../../../http/toast.ts'
import { writeAudit } from '../../../activity/audits/writer.ts'
import { recordEvents } from '../../../activity/events/record.ts'
import type { ReviewAction } from '../../../database/schema/reviews.ts'
import type { Writer } from '../../../database/transaction.ts'
import { requireComponentRole } from '../../access/component-access.ts'
import { phaseOf } from '../../components/phase.ts'
import { requireRule } from '../../rules/reader.ts'
import {
  lockReviews,
  placeOf,
  requireReview,
  reviewEvent,
  reviewSubject,
  type ReviewRecord,
} from '../records/record.ts'
import type { Review, Suggestion } from '../records/schemas.ts'
import { searchKey } from '../records/search.ts'
import { columnsOfSuggestion } from '../records/suggestion-columns.ts'
import { faultsOfText, labelOfField, sectionOfField, textOfField } from '../suggestions/suggested-field.ts'
import type { NewSuggestion } from './inputs.ts'
import { CLOSED_MESSAGE, refuseState } from './phase.ts'

const NOT_COMMENTED = 'Could not add comment.'

/** A comment on a rule, or on the component as a whole. */
export interface NewComment {
  readonly caller: Caller
  readonly componentId: number
  readonly ruleId: number | null
  readonly comment: string
  readonly section: string | null
  readonly suggestion: NewSuggestion | null
  /** The comment that it replies to; null for a top-level comment. */
  readonly repliesTo: number | null
}

export interface PostedReview {
  readonly review: Review
  /** The name of the rule to which the comment was redirected; null if it was not. */
  readonly redirected: string | null
}

/**
 * Adds a comment, or a reply to one. Comments on a rule that another rule of the component satisfies go to that rule.
 * 422 if the phase does not allow it (docs/contract.md, Comment phases).
 */
export async function postComment(writer: Writer, comment: NewComment): Promise<PostedReview> {
  const { caller, componentId } = comment
  await writer.lock('component', componentId)
  await requireComponentRole(writer, caller, { componentId, least: 'viewer' })
  if (comment.comment === '' && comment.suggestion === null) throw refuseValue('comment', "Comment can't be blank")
  return comment.repliesTo === null ? postTopLevel(writer, comment) : postReply(writer, comment, comment.repliesTo)
}

function refuseValue(field: string, message: string): Error {
  return refuseValues(NOT_COMMENTED, [{ field, message }])
}

async function postTopLevel(writer: Writer, comment: NewComment): Promise<PostedReview> {
  const { caller, componentId, ruleId } = comment
  if (!phaseOf(await findPhase(writer, componentId)).accepting_new_comments)
    throw refuseState(NOT_COMMENTED, CLOSED_MESSAGE)
  const commentedRule = await findCommentedRule(writer, componentId, ruleId)
  const suggestion = await checkSuggestion(writer, comment, commentedRule)
  const words = comment.comment === '' ? commentForSuggestion(suggestion) : comment.comment
  const id = await insertReview(writer, {
    caller,
    componentId,
    action: 'comment',
    comment: `${commentedRule.origin}${words}`,
    section: comment.section ?? sectionOfField(suggestion?.field ?? ''),
    suggestion,
    ruleId: commentedRule.ruleId,
    originalRuleId: commentedRule.originalRuleId,
    repliesTo: null,
    pending: true,
  })
  return { review: await requireReview(writer, caller, id), redirected: commentedRule.redirected }
}

/** The rule to which a new comment goes. */
interface CommentedRule {
  readonly ruleId: number | null
  /** The rule on which the caller commented, if the comment goes to the rule that satisfies it. */
  readonly originalRuleId: number | null
  /** The name of the rule to which the comment is redirected; null if it is not. */
  readonly redirected: string | null
  /** The beginning of a redirected comment: the rule from which it comes. */
  readonly origin: string
}

async function findCommentedRule(writer: Writer, componentId: number, ruleId: number | null): Promise<CommentedRule> {
  const direct = { ruleId, originalRuleId: null, redirected: null, origin: '' }
  if (ruleId === null) return direct
  const rule = await requireRuleNumber(writer, componentId, ruleId)
  const parent = await findParent(writer, componentId, ruleId)
  if (parent === null) return direct
  return { ruleId: parent.id, originalRuleId: ruleId, redirected: placeOf(parent), origin: `[Re: ${placeOf(rule)}] ` }
}

/** The suggestion of a new comment, with the text that it changes. 422 if the rule cannot have such a text. */
async function checkSuggestion(
  writer: Writer,
  { ruleId, suggestion }: NewComment,
  { redirected }: CommentedRule,
): Promise<Suggestion | null> {
  if (suggestion == null || ruleId === null) return null
  const { field, text } = suggestion
  if (redirected !== null) throw refuseValue('suggestion', `Suggest texts on ${redirected}, which satisfies this rule`)
  const current = textOfField(await requireRule(writer, ruleId), field)
  const base = suggestion.base ?? current
  const unchanged =
    text === base ? [{ field: 'suggestion.text', message: 'Text must differ from the present text' }] : []
  const faults = [...unchanged, ...faultsOfText(field, text)]
  if (faults.length > 0) throw refuseValues(NOT_COMMENTED, faults)
  return { field, text, base, accepted_text: null }
}

/** The text for a suggestion without a comment. */
function commentForSuggestion(suggestion: Suggestion | null): string {
  return suggestion === null ? '' : `Suggests another text: ${labelOfField(suggestion.field)}.`
}

/** Adds a reply, which belongs to the rule and section of its top-level comment. */
async function postReply(writer: Writer, comment: NewComment, parentId: number): Promise<PostedReview> {
  const { caller, componentId, section, suggestion } = comment
  if (suggestion != null) throw refuseValue('suggestion', 'A reply cannot suggest a text')
  const parent = await findAnsweredComment(writer, componentId, parentId)
  if (parent === null)
    throw refuseValues(NOT_COMMENTED, [
      {
        field: 'responding_to_review_id',
        message: 'Responding to must be a comment of this component',
      },
    ])
  if (!phaseOf(parent).triaging_active) throw refuseState(NOT_COMMENTED, CLOSED_MESSAGE)
  const id = await insertReview(writer, {
    caller,
    componentId,
    action: 'comment',
    comment: comment.comment,
    section,
    ruleId: parent.rule_id,
    originalRuleId: null,
    pending: false,
    repliesTo: parent.responding_to_review_id ?? parent.id,
  })
  return { review: await requireReview(writer, caller, id), redirected: null }
}

async function findAnsweredComment(writer: Writer, componentId: number, id: number): Promise<ReviewRecord | null> {
  const duplicate = await writer
    .selectFrom('reviews')
    .select('id')
    .where('id', '=', id)
    .where('component_id', '=', componentId)
    .where('action', '=', 'comment')
    .executeTakeFirst()
  if (duplicate === undefined) return null
  const [parent] = await lockReviews(writer, componentId, [id])
  return parent ?? null
}

type ComponentPhase = Pick<ReviewRecord, 'comment_phase' | 'closed_reason'>

async function findPhase(writer: Writer, componentId: number): Promise<ComponentPhase> {
  return writer
    .selectFrom('components')
    .select(['comment_phase', 'closed_reason'])
    .where('id', '=', componentId)
    .executeTakeFirstOrThrow()
}

interface RuleNumber {
  readonly id: number
  readonly number: number
  readonly prefix: string
}

async function requireRuleNumber(writer: Writer, componentId: number, ruleId: number): Promise<RuleNumber> {
  return writer
    .selectFrom('rules')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .select(['rules.id', 'rules.number', 'components.prefix'])
    .where('rules.id', '=', ruleId)
    .where('rules.component_id', '=', componentId)
    .where('rules.deleted_at', 'is', null)
    .executeTakeFirstOrThrow(() => notFound())
}

/** The first rule of the same component that satisfies this one. */
async function findParent(writer: Writer, componentId: number, ruleId: number): Promise<RuleNumber | null> {
  const satisfaction = await writer
    .selectFrom('rule_satisfactions as link')
    .innerJoin('rules', 'rules.id', 'link.satisfied_by_rule_id')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .select(['rules.id', 'rules.number', 'components.prefix'])
    .where('link.rule_id', '=', ruleId)
    .where('rules.component_id', '=', componentId)
    .where('rules.deleted_at', 'is', null)
    .orderBy('rules.number')
    .limit(1)
    .executeTakeFirst()
  return satisfaction ?? null
}

interface NewReviewRow {
  readonly caller: Caller
  readonly componentId: number
  readonly ruleId: number | null
  readonly originalRuleId: number | null
  readonly action: ReviewAction
  readonly comment: string
  readonly section: string | null
  readonly suggestion?: Suggestion | null
  readonly repliesTo: number | null
  /** Whether it is a top-level comment, which waits for triage. */
  readonly pending: boolean
}

/** Adds a review with its event, and returns its id. The component must be locked. */
export async function insertReview(writer: Writer, row: NewReviewRow): Promise<number> {
  const { caller, componentId, action, comment, section, suggestion = null } = row
  const now = new Date().toISOString()
  const { id } = await writer
    .insertInto('reviews')
    .values({
      action,
      comment,
      section,
      component_id: componentId,
      rule_id: row.ruleId,
      user_id: caller.id,
      author_name: caller.name,
      created_at: now,
      updated_at: now,
      search_key: searchKey(caller.name, comment),
      responding_to_review_id: row.repliesTo,
      original_rule_id: row.originalRuleId,
      triage_status: row.pending ? 'pending' : null,
      ...columnsOfSuggestion(suggestion),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const [review] = await lockReviews(writer, componentId, [id])
  if (review === undefined) throw notFound()
  await writeAudit(writer, actorOf(caller), {
    action: 'create',
    subject: reviewSubject(review),
    after: {
      action,
      section,
      rule_id: row.ruleId,
      responding_to_review_id: row.repliesTo,
      suggested_field: suggestion?.field ?? null,
    },
  })
  if (action === 'comment') await recordEvents(writer, actorOf(caller), [reviewEvent('comment.created', review)])
  return id
}
