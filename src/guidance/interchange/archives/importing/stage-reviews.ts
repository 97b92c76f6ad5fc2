import type { Insertable } from 'kysely'
import { searchKey } from '../../../authoring/reviews/records/search.ts'
import { columnsOfSuggestion } from '../../../authoring/reviews/records/suggestion-columns.ts'
import type { ReviewsTable } from '../../../database/schema/reviews.ts'
import type { Writer } from '../../../database/transaction.ts'
import type { ReviewRecord } from '../format/schemas.ts'
import type { People } from './people.ts'
import type { Staging } from './staging.ts'

export interface ReviewContext {
  readonly componentId: number
  /** Record ids by rule number. */
  readonly rules: ReadonlyMap<number, number>
  readonly people: People
}

const UNKNOWN_PERSON = 'Unknown'

/** Adds the reviews of a component in order, linked to authors who have an account. */
export async function stageReviews(
  staging: Staging,
  reviews: readonly ReviewRecord[],
  context: ReviewContext,
): Promise<void> {
  const ids = new Map<number, number>()
  await staging.each(reviews, async (writer, portion) => {
    const inserted = await writer
      .insertInto('reviews')
      .values(portion.map((review) => rowOf(review, context)))
      .returning('id')
      .execute()
    const numbers = inserted.map(({ id }) => id).sort((a, b) => a - b)
    for (const [index, { external_id }] of portion.entries()) ids.set(external_id, numbers[index] ?? 0)
  })
  await stageLinks(staging, reviews, ids)
  await stageReactions(staging, reviews, { ids, people: context.people })
}

function rowOf(review: ReviewRecord, context: ReviewContext): Insertable<ReviewsTable> {
  const { componentId, rules, people } = context
  const rule = (number: string | null): number | null => (number === null ? null : (rules.get(Number(number)) ?? null))
  const { action, comment, section, triage_status, triage_set_at, adjudicated_at } = review
  const author = review.user_name ?? UNKNOWN_PERSON
  const userId = people.idOf(review.user_email)
  return {
    action,
    comment,
    section,
    triage_status,
    triage_set_at,
    adjudicated_at,
    component_id: componentId,
    rule_id: rule(review.rule_id),
    user_id: userId,
    author_name: author,
    search_key: searchKey(author, comment),
    author_email: userId === null ? review.user_email : null,
    responding_to_review_id: null,
    triage_set_by_id: people.idOf(review.triage_set_by_email),
    triage_set_by_name: review.triage_set_by_name,
    adjudicated_by_id: people.idOf(review.adjudicated_by_email),
    adjudicated_by_name: review.adjudicated_by_name,
    duplicate_of_review_id: null,
    addressed_by_rule_id: rule(review.addressed_by_rule_id),
    original_rule_id: rule(review.original_rule_id),
    ...columnsOfSuggestion(review.suggestion),
    imported: 1,
    created_at: review.created_at,
    updated_at: review.updated_at ?? review.created_at,
  }
}

/** Links replies and duplicates after all reviews are stored. */
async function stageLinks(
  staging: Staging,
  reviews: readonly ReviewRecord[],
  ids: ReadonlyMap<number, number>,
): Promise<void> {
  const linked = reviews.filter(
    (review) => review.responding_to_external_id !== null || review.duplicate_of_external_id !== null,
  )
  await staging.each(linked, async (writer, portion) => {
    for (const review of portion) await link(writer, review, ids)
  })
}

async function link(writer: Writer, review: ReviewRecord, ids: ReadonlyMap<number, number>): Promise<void> {
  const idOf = (externalId: number | null): number | null => ids.get(externalId ?? -1) ?? null
  await writer
    .updateTable('reviews')
    .set({
      responding_to_review_id: idOf(review.responding_to_external_id),
      duplicate_of_review_id: idOf(review.duplicate_of_external_id),
    })
    .where('id', '=', idOf(review.external_id))
    .execute()
}

/** Adds reactions of people with an account. Each person has at most one for each review. */
async function stageReactions(
  staging: Staging,
  reviews: readonly ReviewRecord[],
  { ids, people }: { readonly ids: ReadonlyMap<number, number>; readonly people: People },
): Promise<void> {
  const rows = reviews.flatMap(({ external_id, created_at, reactions }) => {
    const reactionRows = reactions.flatMap((reaction) => {
      const user_id = people.idOf(reaction.user_email)
      if (user_id === null) return []
      const review_id = ids.get(external_id) ?? 0
      return [{ review_id, user_id, kind: reaction.kind, created_at: reaction.created_at ?? created_at }]
    })
    return [...new Map(reactionRows.map((reaction) => [reaction.user_id, reaction])).values()]
  })
  await staging.each(rows, async (writer, portion) => {
    await writer.insertInto('reactions').values(portion).execute()
  })
}
