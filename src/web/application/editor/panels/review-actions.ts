/** The review state of a rule. */
export interface ReviewState {
  readonly locked: boolean
  readonly review_requestor_id: number | null
}

export type ReviewAction =
  | 'request_review'
  | 'revoke_review_request'
  | 'request_changes'
  | 'approve'
  | 'lock_control'
  | 'unlock_control'

export interface Actor {
  readonly id: number
  readonly role: string | null
  readonly isReleased: boolean
}

interface Step {
  readonly action: ReviewAction
  readonly label: string
  readonly minimumRole: string
  /** Whether the action is possible in this state. */
  readonly isPossible: (state: ReviewState) => boolean
  /** Whether it decides on a request, which the requester may not. */
  readonly isOthersRequest?: boolean
  readonly isOwnRequest?: boolean
  /** Whether it needs a comment that says why. */
  readonly needsComment?: boolean
}

const RANKS = ['viewer', 'author', 'reviewer', 'admin']

const isOpen = ({ locked, review_requestor_id: requestorId }: ReviewState): boolean => !locked && requestorId === null
const isUnderReview = ({ review_requestor_id: requestorId }: ReviewState): boolean => requestorId !== null

const STEPS: readonly Step[] = [
  { action: 'request_review', label: 'Request review', minimumRole: 'author', isPossible: isOpen },
  {
    action: 'revoke_review_request',
    label: 'Withdraw',
    minimumRole: 'author',
    isPossible: isUnderReview,
    isOwnRequest: true,
  },
  {
    action: 'approve',
    label: 'Approve and lock',
    minimumRole: 'reviewer',
    isPossible: isUnderReview,
    isOthersRequest: true,
  },
  {
    action: 'request_changes',
    label: 'Request changes',
    minimumRole: 'reviewer',
    isPossible: isUnderReview,
    isOthersRequest: true,
    needsComment: true,
  },
  { action: 'lock_control', label: 'Lock the rule', minimumRole: 'admin', isPossible: isOpen, needsComment: true },
  {
    action: 'unlock_control',
    label: 'Unlock the rule',
    minimumRole: 'admin',
    isPossible: ({ locked }) => locked,
    needsComment: true,
  },
]

/** Whether an action needs a comment that says why. */
export function needsComment(action: ReviewAction): boolean {
  return STEPS.find((step) => step.action === action)?.needsComment === true
}

export interface OfferedAction {
  readonly action: ReviewAction
  readonly label: string
  /** Why it is not permitted; null if it is. */
  readonly reason: string | null
}

/** Lists the actions for a rule in this state, each with the reason if it is not permitted. */
export function offeredActions(state: ReviewState, actor: Actor): readonly OfferedAction[] {
  return STEPS.filter(({ isPossible }) => isPossible(state)).map((step) => ({
    action: step.action,
    label: step.label,
    reason: reasonAgainstStep(step, state, actor),
  }))
}

function reasonAgainstStep(
  { minimumRole, isOthersRequest, isOwnRequest }: Step,
  { review_requestor_id: requestorId }: ReviewState,
  { id, role, isReleased }: Actor,
): string | null {
  if (isReleased) return 'the component is released'
  if (!hasRole(role, minimumRole)) return `${minimumRole === 'admin' ? 'administrators' : `${minimumRole}s`} do that`
  if (role === 'admin') return null
  if (isOthersRequest === true && requestorId === id) return 'you asked for it; somebody else decides'
  return isOwnRequest === true && requestorId !== id ? 'who asked for it, or an administrator, does that' : null
}

export function hasRole(role: string | null, minimumRole: string): boolean {
  return role !== null && RANKS.indexOf(role) >= RANKS.indexOf(minimumRole)
}
