import type { Generated } from 'kysely'
import type { BenchmarkKind } from './benchmarks.ts'
import type { Role } from './memberships.ts'

export type CommentPhase = 'open' | 'closed'
export type ClosedReason = 'adjudicating' | 'finalized'

/** A guidance document in progress. */
export interface ComponentsTable {
  id: Generated<number>
  project_id: number
  /** The released component that this one is based on. */
  component_id: number | null
  /** The primary SRG of the component. */
  security_requirements_guide_id: number
  /** The SRG in the catalogue that was made from its release. */
  benchmark_id: number | null
  /** The published STIG that it was made from: `RHEL_9_STIG`, `V2R7`. The catalogue may no longer have it. */
  source_stig_id: string | null
  source_stig_version: string | null
  document_type: BenchmarkKind
  name: string
  /** The folded name, for sorting and search. */
  name_key: string
  prefix: string
  title: string
  description: string | null
  version: number | null
  release: number | null
  admin_name: string | null
  admin_email: string | null
  /** 0 or 1. */
  advanced_fields: Generated<number>
  comment_phase: CommentPhase
  closed_reason: ClosedReason | null
  comment_period_starts_at: string | null
  comment_period_ends_at: string | null
  /** JSON object of strings. */
  metadata: string
  /** 0 or 1. */
  released: Generated<number>
  released_at: string | null
  /** The highest number that any of its rules has had; numbers are not reused. */
  last_rule_number: Generated<number>
  lock_version: Generated<number>
  created_at: string
  updated_at: string
}

/** The SRGs that a component was made from; position 0 is the primary one. */
export interface ComponentSrgsTable {
  component_id: number
  benchmark_id: number
  position: number
}

/** Numbers begin at 1,000,000,001: those of project memberships stay below. */
export interface ComponentMembershipsTable {
  id: Generated<number>
  user_id: number
  component_id: number
  role: Role
  created_at: string
  updated_at: string
}

export interface AdditionalQuestionsTable {
  id: Generated<number>
  component_id: number
  name: string
  question_type: 'dropdown' | 'freeform' | 'url'
  /** JSON array of strings. */
  options: string
}

/** A date in the plan of a component. When it is reached, an archive of the component is stored. */
export interface MilestonesTable {
  id: Generated<number>
  component_id: number
  name: string
  /** YYYY-MM-DD. */
  due_on: string
  reached_at: string | null
  /** The name of the person, which stays after the account is removed. */
  reached_by: string | null
  /** The digest of the rules. */
  snapshot: string | null
  /** JSON: the work that was left to do. */
  readiness: string | null
  /** The size of the archive; 0 before it is reached. */
  bytes: number
  created_at: string
}

export interface MilestonePartsTable {
  milestone_id: number
  /** From 0. */
  position: number
  content: Buffer
}
