/** The review state of a rule. */
export interface ReviewState {
  readonly locked: boolean
  readonly review_requestor_id: number | null
}

export type Action =
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
  readonly action: Action
  readonly label: string
  readonly least: string
  /** Whether it makes sense in this state. */
  readonly fits: (life: ReviewState) => boolean
  /** Whether the state is somebody's own request, on which another one decides. */
  readonly isDecision?: boolean
  readonly isOwn?: boolean
  /** Whether it needs a comment that says why. */
  readonly isExplained?: boolean
}

const RANKS = ['viewer', 'author', 'reviewer', 'admin']

const isFree = ({ locked, review_requestor_id: by }: ReviewState): boolean => !locked && by === null
const isUnderReview = ({ review_requestor_id: by }: ReviewState): boolean => by !== null

const STEPS: readonly Step[] = [
  { action: 'request_review', label: 'Request review', least: 'author', fits: isFree },
  {
    action: 'revoke_review_request',
    label: 'Withdraw',
    least: 'author',
    fits: isUnderReview,
    isOwn: true,
  },
  {
    action: 'approve',
    label: 'Approve and lock',
    least: 'reviewer',
    fits: isUnderReview,
    isDecision: true,
  },
  {
    action: 'request_changes',
    label: 'Request changes',
    least: 'reviewer',
    fits: isUnderReview,
    isDecision: true,
    isExplained: true,
  },
  { action: 'lock_control', label: 'Lock the rule', least: 'admin', fits: isFree, isExplained: true },
  {
    action: 'unlock_control',
    label: 'Unlock the rule',
    least: 'admin',
    fits: ({ locked }) => locked,
    isExplained: true,
  },
]

/** Whether an action needs a comment that says why. */
export function isExplained(action: Action): boolean {
  return STEPS.find((step) => step.action === action)?.isExplained === true
}

export interface OfferedAction {
  readonly action: Action
  readonly label: string
  /** Why it is not possible; null: it is. */
  readonly reason: string | null
}

/** Lists the actions for a rule in this state, each with the reason if it is not permitted. */
export function offersFor(life: ReviewState, who: Actor): readonly OfferedAction[] {
  return STEPS.filter(({ fits }) => fits(life)).map((step) => ({
    action: step.action,
    label: step.label,
    reason: reasonAgainst(step, life, who),
  }))
}

function reasonAgainst(
  { least, isDecision, isOwn }: Step,
  { review_requestor_id: by }: ReviewState,
  { id, role, isReleased }: Actor,
): string | null {
  if (isReleased) return 'the component is released'
  if (!hasRole(role, least)) return `${least === 'admin' ? 'administrators' : `${least}s`} do that`
  if (role === 'admin') return null
  if (isDecision === true && by === id) return 'you asked for it; somebody else decides'
  return isOwn === true && by !== id ? 'who asked for it, or an administrator, does that' : null
}

export function hasRole(role: string | null, least: string): boolean {
  return role !== null && RANKS.indexOf(role) >= RANKS.indexOf(least)
}
