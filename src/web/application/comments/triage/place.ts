import { pageCount, type Pagination } from '../filters.ts'

/** The open comment in a list with pages. */
export interface CommentPosition {
  readonly ids: readonly number[]
  readonly pagination: Pagination
  /** The open comment. */
  readonly open: number
  /** Last index of the open comment: after a decision it may have left the list, and the next one has its index. */
  readonly last: number
}

/** The target of a step: a comment of this page, or the first or last one of another page. */
export type Step = { readonly comment: number } | { readonly page: number; readonly end: 'first' | 'last' }

/** Finds the target of a step forward (1) or back (-1); null at the end of the list. */
export function stepFrom({ ids, pagination, open, last }: CommentPosition, by: number): Step | null {
  const index = ids.indexOf(open)
  const limit = by > 0 ? last : last - 1
  const to = index === -1 ? limit : index + by
  const comment = ids[to]
  if (to >= 0 && comment !== undefined) return { comment }
  const { page } = pagination
  if (to < 0) return page > 1 ? { page: page - 1, end: 'last' } : null
  return page < pageCount(pagination) ? { page: page + 1, end: 'first' } : null
}

export function positionText({ ids, pagination, open }: CommentPosition): string {
  const { page, per_page: size, total } = pagination
  const index = ids.indexOf(open)
  if (open === 0) return ''
  return index === -1 ? `not among the ${total} of this filter` : `${(page - 1) * size + index + 1} of ${total}`
}
