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

/** A review action or a comment; only top-level comments have a triage status. */
export interface ReviewsTable {
  id: Generated<number>
  component_id: number
  /** Null: about the component. */
  rule_id: number | null
  /** Null: the author has no account here. */
  user_id: number | null
  /** The author's name at that time. */
  author_name: string
  /** Only for imported comments. */
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
  /** The field of the rule for which the comment suggests a text; null without a suggestion. */
  suggested_field: string | null
  suggested_text: string | null
  /** The text of the field that the suggestion changes. */
  suggested_base: string | null
  /** The text that was written into the rule when the suggestion was accepted; null until then. */
  accepted_text: string | null
  /** For comments: see `searchKey`. */
  search_key: string | null
  /** The original rule of a moved or redirected comment. */
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
