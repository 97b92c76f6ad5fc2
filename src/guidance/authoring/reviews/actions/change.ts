import type { Toast } from '../../../../http/toast.ts'
import type { Database } from '../../../database/database.ts'
import type { Writer } from '../../../database/transaction.ts'
import { lockReview, requireReview, type ReviewRecord } from '../records/record.ts'
import type { Review } from '../records/schemas.ts'
import type { ReviewGrant } from './access.ts'

interface ReviewChange {
  readonly grant: ReviewGrant
  /** The version that the caller had seen, if it matters. */
  readonly seen?: number | undefined
}

interface ChangeToast {
  /** What the answer says of the change. */
  readonly toast: Toast
}

/**
 * Does something to a comment while others are kept away from it; the comment afterwards, and what was
 * done. 409 where the comment is not as the caller had seen it.
 */
export function changeComment<T>(
  database: Database,
  { grant, seen }: ReviewChange,
  work: (writer: Writer, review: ReviewRecord) => Promise<T>,
): Promise<{ readonly review: Review; readonly done: T }> {
  return database.transact(async (writer) => {
    const done = await work(writer, await lockReview(writer, grant, seen))
    return { done, review: await requireReview(writer, grant.caller, grant.reviewId) }
  })
}

/** The same for a change whose only outcome is the comment. */
export async function changeAlone(
  database: Database,
  { toast, ...change }: ReviewChange & ChangeToast,
  work: (writer: Writer, review: ReviewRecord) => Promise<void>,
): Promise<ChangeToast & { readonly review: Review }> {
  const { review } = await changeComment(database, change, work)
  return { toast, review }
}

/** The same for a change that may come with a reply, whose number the work gives. */
export function changeAndAnswer(
  database: Database,
  { grant, seen, toast }: ReviewChange & ChangeToast,
  work: (writer: Writer, review: ReviewRecord) => Promise<number | null>,
): Promise<ChangeToast & { readonly review: Review; readonly response_review: Review | null }> {
  const { caller, reviewId } = grant
  return database.transact(async (writer) => {
    const reply = await work(writer, await lockReview(writer, grant, seen))
    const response_review = reply === null ? null : await requireReview(writer, caller, reply)
    return { toast, response_review, review: await requireReview(writer, caller, reviewId) }
  })
}
