import type { Toast } from '../../../../http/toast.ts'
import type { Database } from '../../../database/database.ts'
import type { Writer } from '../../../database/transaction.ts'
import { lockReview, requireReview, type ReviewRecord } from '../records/record.ts'
import type { Review } from '../records/schemas.ts'
import type { ReviewGrant } from './access.ts'

interface ReviewChange {
  readonly grant: ReviewGrant
  /** The version that the caller has seen; undefined accepts any. */
  readonly expectedVersion?: number | undefined
}

interface ChangeToast {
  /** The toast in the answer. */
  readonly toast: Toast
}

/**
 * Changes a comment while its component is locked. Returns the comment after the change, and the result of the work.
 * 409 if the caller has seen another version.
 */
export function changeComment<T>(
  database: Database,
  { grant, expectedVersion }: ReviewChange,
  work: (writer: Writer, review: ReviewRecord) => Promise<T>,
): Promise<{ readonly review: Review; readonly result: T }> {
  return database.transact(async (writer) => {
    const result = await work(writer, await lockReview(writer, grant, expectedVersion))
    return { result, review: await requireReview(writer, grant.caller, grant.reviewId) }
  })
}

/** Makes a change that adds no reply. */
export async function changeAlone(
  database: Database,
  { toast, ...change }: ReviewChange & ChangeToast,
  work: (writer: Writer, review: ReviewRecord) => Promise<void>,
): Promise<ChangeToast & { readonly review: Review }> {
  const { review } = await changeComment(database, change, work)
  return { toast, review }
}

/** Makes a change that may add a reply. The work returns the id of the reply. */
export function changeAndAnswer(
  database: Database,
  { grant, expectedVersion, toast }: ReviewChange & ChangeToast,
  work: (writer: Writer, review: ReviewRecord) => Promise<number | null>,
): Promise<ChangeToast & { readonly review: Review; readonly response_review: Review | null }> {
  const { caller, reviewId } = grant
  return database.transact(async (writer) => {
    const reply = await work(writer, await lockReview(writer, grant, expectedVersion))
    const response_review = reply === null ? null : await requireReview(writer, caller, reply)
    return { toast, response_review, review: await requireReview(writer, caller, reviewId) }
  })
}
