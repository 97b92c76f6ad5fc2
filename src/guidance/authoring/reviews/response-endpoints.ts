import { z } from 'zod'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, notFound } from '../../../http/input.ts'
import { toast, toastSchema } from '../../../http/toast.ts'
import type { Database } from '../../database/database.ts'
import type { ReactionsTable } from '../../database/schema/reviews.ts'
import type { Reader, Writer } from '../../database/transaction.ts'
import type { Parts } from '../../parts/parts.ts'
import { phaseOf } from '../components/phase.ts'
import { reviewRole, type ReviewGrant } from './actions/access.ts'
import { reactionBody } from './actions/inputs.ts'
import { CLOSED_MESSAGE, refuseState } from './actions/phase.ts'
import { findReviews } from './records/reader.ts'
import { lockReview, requireReview } from './records/record.ts'
import { reactionCounts, reviewSchema } from './records/schemas.ts'

const TAG = 'Comments'

const response = reviewSchema.extend({
  author_email: z.string().nullable().meta({ description: 'Null if the caller has no role in the component' }),
})

/** Replies and reactions to comments. */
export function responseEndpoints(parts: Parts): readonly Endpoint[] {
  return [responses(parts.database), react(parts), reactions(parts)]
}

function responses(database: Database): Endpoint {
  return endpoint({
    method: 'get',
    path: '/reviews/{id}/responses',
    operation: 'listResponses',
    tag: TAG,
    summary: 'The replies to a comment, oldest first',
    access: reviewRole(database, 'read'),
    input: z.object({ params: idParams }),
    answer: z.object({ rows: z.array(response) }),
    handle: async ({ grant }) => ({ rows: [...(await findResponses(database.read, grant))] }),
  })
}

async function findResponses(
  reader: Reader,
  { caller, reviewId, role }: ReviewGrant,
): Promise<readonly z.infer<typeof response>[]> {
  const emails = await reader
    .selectFrom('reviews')
    .leftJoin('users', 'users.id', 'reviews.user_id')
    .select(['reviews.id', 'users.email', 'reviews.author_email'])
    .where('reviews.responding_to_review_id', '=', reviewId)
    .execute()
  const byId = new Map(emails.map(({ id, email, author_email }) => [id, email ?? author_email]))
  const rows = await findReviews(reader, caller, { answering: reviewId })
  return rows.map((row) => ({
    ...row,
    author_email: role === null ? null : (byId.get(row.id) ?? null),
  }))
}

function react({ database, limits }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/reviews/{id}/reactions',
    operation: 'reactToReview',
    tag: TAG,
    summary: 'Agree or disagree with a comment; sending the same reaction again removes it',
    access: reviewRole(database, 'viewer'),
    failure: NOT_REACTED,
    limited: 'byCaller',
    input: z.object({ params: idParams, body: reactionBody }),
    answer: z.object({ toast: toastSchema, reactions: reactionCounts }),
    handle: async ({ grant, input: { body } }) => {
      await limits.reactions.count(String(grant.caller.id))
      return database.transact(async (writer) => {
        const review = await lockReview(writer, grant)
        if (review.action !== 'comment') throw notFound()
        if (!phaseOf(review).accepting_new_comments) throw refuseState(NOT_REACTED, CLOSED_MESSAGE)
        await toggleReaction(writer, grant, body.kind)
        const reactions = (await requireReview(writer, grant.caller, grant.reviewId)).reactions
        const { up, down } = reactions
        const confirmation = reactions.mine === null ? 'Reaction removed.' : 'Reaction recorded.'
        return { ...toast(confirmation, `${up} agree, ${down} disagree.`), reactions }
      })
    },
  })
}

const NOT_REACTED = 'Could not react.'

type ReactionKind = ReactionsTable['kind']

/** Adds a reaction, replaces the caller's other one, or removes it if it is the same. */
async function toggleReaction(
  writer: Writer,
  { caller: { id: user_id }, reviewId: review_id }: ReviewGrant,
  kind: ReactionKind,
): Promise<void> {
  const before = await writer
    .selectFrom('reactions')
    .select(['id', 'kind'])
    .where('review_id', '=', review_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  if (before !== undefined) await writer.deleteFrom('reactions').where('id', '=', before.id).execute()
  if (before?.kind === kind) return
  await writer
    .insertInto('reactions')
    .values({ review_id, user_id, kind, created_at: new Date().toISOString() })
    .execute()
}

const person = z.object({ name: z.string() })

function reactions({ database, limits }: Parts): Endpoint {
  return endpoint({
    method: 'get',
    path: '/reviews/{id}/reactions',
    operation: 'listReactions',
    tag: TAG,
    summary: 'Who agrees and who disagrees with a comment',
    access: reviewRole(database, 'viewer'),
    limited: 'byCaller',
    input: z.object({ params: idParams }),
    answer: z.object({ up: z.array(person), down: z.array(person) }),
    handle: async ({ grant: { caller, reviewId } }) => {
      await limits.reactionReads.count(String(caller.id))
      const rows = await database.read
        .selectFrom('reactions')
        .innerJoin('users', 'users.id', 'reactions.user_id')
        .select(['reactions.kind', 'users.name'])
        .where('reactions.review_id', '=', reviewId)
        .orderBy('reactions.id')
        .execute()
      const peopleWith = (reactionKind: ReactionKind): { name: string }[] =>
        rows.filter(({ kind }) => kind === reactionKind).map(({ name }) => ({ name }))
      return { up: peopleWith('up'), down: peopleWith('down') }
    },
  })
}
