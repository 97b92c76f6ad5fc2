import type { Generated } from 'kysely'
import type { Severity } from './benchmarks.ts'

/** The spellings of records (docs/contract.md, Rule status). */
export type RuleStatus =
  | 'Not Yet Determined'
  | 'Applicable - Configurable'
  | 'Applicable - Inherently Meets'
  | 'Applicable - Does Not Meet'
  | 'Applicable'
  | 'Not Applicable'

/** A rule of a component that is a STIG, or a requirement of one that is an SRG. */
export interface RulesTable {
  id: Generated<number>
  component_id: number
  /** Unique in the component; `rule_id` is the same with leading zeros. */
  number: number
  /** The catalogue's requirement that the rule was made from. */
  srg_rule_id: number | null
  /** Id of the SRG requirement. */
  version: string | null
  /** The final id of an SRG requirement, assigned when its component is released. */
  minted_id: string | null
  title: string
  status: RuleStatus
  rule_severity: Severity
  rule_weight: string
  vuln_id: string | null
  /** Comma-separated, like `ident`. */
  legacy_ids: string | null
  /** CCIs, sorted: `CCI-000015, CCI-000366`. */
  ident: string | null
  ident_system: string | null
  fixtext: string | null
  fixtext_fixref: string | null
  fix_id: string | null
  status_justification: string | null
  artifact_description: string | null
  vendor_comments: string | null
  vuln_discussion: string | null
  false_positives: string | null
  false_negatives: string | null
  /** These three are 0, 1 or null. */
  documentable: number | null
  mitigations_available: number | null
  poam_available: number | null
  mitigations: string | null
  poam: string | null
  severity_override_guidance: string | null
  potential_impacts: string | null
  third_party_tools: string | null
  mitigation_control: string | null
  responsibility: string | null
  ia_controls: string | null
  inspec_control_body: string | null
  inspec_control_body_lang: string | null
  /** Null: generated from the other fields. */
  inspec_control_file: string | null
  inspec_control_file_lang: string | null
  /** 0 or 1. */
  locked: Generated<number>
  /** JSON object: name of a section → true. */
  locked_fields: string
  /** JSON object: code of advice → why it is off, by whom, since when. */
  advice_off: Generated<string>
  review_requestor_id: number | null
  /** 0 or 1. */
  changes_requested: Generated<number>
  deleted_at: string | null
  /** Incremented by every change of the rule; detects concurrent edits. */
  lock_version: Generated<number>
  created_at: string
  updated_at: string
}

export interface RuleChecksTable {
  id: Generated<number>
  rule_id: number
  system: string | null
  content_ref_name: string | null
  content_ref_href: string | null
  content: string | null
}

export interface RuleDescriptionsTable {
  id: Generated<number>
  rule_id: number
  description: string | null
}

export interface AdditionalAnswersTable {
  id: Generated<number>
  rule_id: number
  additional_question_id: number
  answer: string | null
}

/** `rule_id` is satisfied by `satisfied_by_rule_id`. */
export interface RuleSatisfactionsTable {
  rule_id: number
  satisfied_by_rule_id: number
  /** The status before the link. */
  previous_status: string | null
  created_at: string
}
