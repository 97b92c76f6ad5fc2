import type { Generated } from 'kysely'

/**
 * A proposal to move a requirement of an SRG to another SRG. It is open until it is executed or declined; a rule
 * has at most one open proposal.
 */
export interface RequirementRelocationsTable {
  id: Generated<number>
  source_rule_id: number
  /** The requirement made from it; null before that, and after its removal. */
  target_rule_id: number | null
  /** The leading letters of the prefix of the destination SRG. */
  target_technology_token: string
  requested_by_id: number | null
  /** Their names at that time. */
  requested_by_name: string
  accepted_by_id: number | null
  accepted_by_name: string | null
  executed_at: string | null
  declined_by_id: number | null
  declined_by_name: string | null
  declined_at: string | null
  /** Why the proposal was declined. */
  adjudication_rationale: string | null
  created_at: string
  updated_at: string
}

/** The projects whose authors may accept the requirement: those that had such an SRG when it was proposed. */
export interface RelocationDestinationsTable {
  relocation_id: number
  project_id: number
}
