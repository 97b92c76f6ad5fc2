import { STATUSES, type Status } from './words.ts'

/** The fields of a component that the rights to its comments depend on. */
export interface CommentRights {
  readonly effective_permissions: 'viewer' | 'author' | 'reviewer' | 'admin' | null
  readonly accepting_new_comments: boolean
  readonly triaging_active: boolean
  readonly frozen_for_writes: boolean
}

/** The fields of a comment that the rights to it depend on. */
export interface CommentState {
  readonly own: boolean
  readonly triage_status: string | null
  readonly adjudicated_at: string | null
  readonly responding_to_review_id: number | null
}

/** Why it is not possible; null if it is. */
type Reason = string | null

const CLOSED_MESSAGE = 'Comments on this component are closed.'
const FINAL = 'The comments of this component are final.'
const READER = 'Only members can do this; you read this component as it was released.'

export function whyNoComment(component: CommentRights): Reason {
  if (component.effective_permissions === null) return READER
  if (component.accepting_new_comments) return null
  return component.frozen_for_writes ? FINAL : CLOSED_MESSAGE
}

/** Replies are possible while comments are being decided. */
export function whyNoReply(component: CommentRights): Reason {
  if (component.effective_permissions === null) return READER
  if (component.triaging_active) return null
  return component.frozen_for_writes ? FINAL : CLOSED_MESSAGE
}

/** Null also for comments of others, because nobody expects to withdraw them. */
export function canReword(component: CommentRights, standing: CommentState): boolean {
  const isUndecided = standing.triage_status === 'pending' && standing.adjudicated_at === null
  return isOwnOpen(component, standing) && isUndecided
}

export function canWithdraw(component: CommentRights, standing: CommentState): boolean {
  const isUndecided = ['pending', 'needs_clarification'].includes(standing.triage_status ?? '')
  return isOwnOpen(component, standing) && isUndecided && standing.adjudicated_at === null
}

function isOwnOpen(component: CommentRights, { own, responding_to_review_id: parent }: CommentState): boolean {
  return own && parent === null && component.effective_permissions !== null && !component.frozen_for_writes
}

export function whyNoTriage({ effective_permissions: role, frozen_for_writes }: CommentRights): Reason {
  if (role === null) return READER
  if (role === 'viewer') return 'Authors, reviewers and administrators decide on comments.'
  return frozen_for_writes ? FINAL : null
}

/** Why a suggested text cannot be accepted: it is an edit of the rule, and a decision on the comment. */
export function whyNoAcceptance(
  component: CommentRights & { readonly released: boolean; readonly isSiteAdmin: boolean },
): Reason {
  if (component.released && !component.isSiteAdmin) return 'The component is released.'
  return whyNoTriage(component)
}

export function isAdmin({ effective_permissions: role }: CommentRights): boolean {
  return role === 'admin'
}

const CLOSING_STATUSES: readonly Status[] = ['informational', 'duplicate', 'addressed_by', 'withdrawn']

/** The possible decisions on a comment; for a closed comment, only decisions that close it. */
export function decisionsFor({ adjudicated_at }: Pick<CommentState, 'adjudicated_at'>): readonly Status[] {
  return adjudicated_at === null ? STATUSES.filter((status) => status !== 'pending') : CLOSING_STATUSES
}

/** Describes the consequence of a decision in a sentence. */
export function consequenceOf(status: Status): string {
  if (CLOSING_STATUSES.includes(status)) return 'This closes the comment at once.'
  if (status === 'non_concur') return 'A response is needed: say why.'
  if (status === 'needs_clarification') return 'It goes back to its author. Decide again after the reply.'
  return 'It stays open until it is closed below.'
}

/** Whether a comment is decided, but not closed yet. */
export function canClose({ triage_status: status, adjudicated_at }: CommentState): boolean {
  return adjudicated_at === null && status !== null && status !== 'pending'
}

export function canReopen({ triage_status: status, adjudicated_at }: CommentState): boolean {
  return adjudicated_at !== null && status !== 'withdrawn'
}

interface SelectedComment {
  readonly component_id: number
  readonly triage_status: string | null
  /** Null without an account; then only the name is known. */
  readonly commenter_id: number | null
  readonly commenter_display_name: string
}

/** Comments that can remain after a merge: duplicates cannot. */
export function survivorsIn<One extends SelectedComment>(chosen: readonly One[]): readonly One[] {
  return chosen.filter(({ triage_status: status }) => status !== 'duplicate')
}

/** The id of the author, because several people may have the same name. */
function authorOf({ commenter_id, commenter_display_name }: SelectedComment): number | string {
  return commenter_id ?? commenter_display_name
}

/** Says why the chosen comments cannot be merged; null if they can. */
export function whyNoMerge(chosen: readonly SelectedComment[]): Reason {
  if (chosen.length < 2) return 'Choose two comments or more of one person.'
  if (new Set(chosen.map((comment) => comment.component_id)).size > 1) return 'They belong to several components.'
  if (new Set(chosen.map(authorOf)).size > 1) return 'They are by several people.'
  return survivorsIn(chosen).length === 0 ? 'All of them repeat another comment already.' : null
}
