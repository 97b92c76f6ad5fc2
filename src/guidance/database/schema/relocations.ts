import type { Generated } from 'kysely'

/**
 * The proposal that a requirement of an SRG becomes one of another SRG. Neither executed nor declined,
 * it is open; a rule has one such at most.
 */
export interface RequirementRelocationsTable {
  id: Generated<number>
  source_rule_id: number
  /** What it has become; null until then, and when that is removed. */
  target_rule_id: number | null
  /** The leading letters of the prefix of the SRG where it is to go. */
  target_technology_token: string
  requested_by_id: number | null
  /** What they were called then. */
  requested_by_name: string
  accepted_by_id: number | null
  accepted_by_name: string | null
  executed_at: string | null
  declined_by_id: number | null
  declined_by_name: string | null
  declined_at: string | null
  /** Why it was declined. */
  adjudication_rationale: string | null
  created_at: string
  updated_at: string
}

/** The projects whose authors may take the requirement: those with such an SRG when it was proposed. */
export interface RelocationDestinationsTable {
  relocation_id: number
  project_id: number
}
