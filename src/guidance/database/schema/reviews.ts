import type { Generated } from 'kysely'

export type ReviewAction =
  | 'comment'
  | 'request_review'
  | 'revoke_review_request'
  | 'request_changes'
  | 'approve'
  | 'lock_control'
  | 'unlock_control'

export type TriageStatus =
  | 'pending'
  | 'concur'
  | 'concur_with_comment'
  | 'non_concur'
  | 'duplicate'
  | 'informational'
  | 'needs_clarification'
  | 'withdrawn'
  | 'addressed_by'

/** A review action or a comment; a top-level comment has a triage status, nothing else has. */
export interface ReviewsTable {
  id: Generated<number>
  component_id: number
  /** Null: about the component. */
  rule_id: number | null
  /** Null: nobody who has an account. */
  user_id: number | null
  /** What the author was called then. */
  author_name: string
  /** Only of those whose comments were imported. */
  author_email: string | null
  action: ReviewAction
  comment: string
  section: string | null
  responding_to_review_id: number | null
  triage_status: TriageStatus | null
  triage_set_by_id: number | null
  triage_set_by_name: string | null
  triage_set_at: string | null
  adjudicated_by_id: number | null
  adjudicated_by_name: string | null
  adjudicated_at: string | null
  duplicate_of_review_id: number | null
  addressed_by_rule_id: number | null
  /** Of comments: see `searchKey`. */
  search_key: string | null
  /** Where it was first, if it was moved or redirected. */
  original_rule_id: number | null
  /** 0 or 1. */
  imported: Generated<number>
  lock_version: Generated<number>
  created_at: string
  updated_at: string
}

export interface ReactionsTable {
  id: Generated<number>
  review_id: number
  user_id: number
  kind: 'up' | 'down'
  created_at: string
}

export interface TriageResponseTemplatesTable {
  id: Generated<number>
  project_id: number
  name: string
  /** Folded; unique in the project. */
  name_key: string
  body: string
  created_by_id: number | null
  created_at: string
  updated_at: string
}
