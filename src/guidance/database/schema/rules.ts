import type { Generated } from 'kysely'
import type { CHECK_FIELDS } from '../../../tables/check-fields.ts'
import type { FieldColumns } from '../../../tables/field-columns.ts'
import type { Field } from '../../../tables/field-lists.ts'

/** A rule of a component that is a STIG, or a requirement of one that is an SRG. */
export interface RulesTable extends FieldColumns<Field> {
  id: Generated<number>
  component_id: number
  /** Unique in the component; `rule_id` is the same with leading zeros. */
  number: number
  /** The catalogue's requirement that the rule was made from. */
  srg_rule_id: number | null
  /** The rule of the published STIG that it was made from: `SV-257777r991589_rule`. */
  source_rule_id: string | null
  /** The final id of an SRG requirement, assigned when its component is released. */
  minted_id: string | null
  vuln_id: string | null
  /** Comma-separated. */
  legacy_ids: string | null
  /** 0 or 1. */
  locked: Generated<number>
  /** JSON object: name of a section → true. */
  locked_fields: string
  /** JSON object: code of advice → reason, person and time of switching it off. */
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

export interface RuleChecksTable extends FieldColumns<(typeof CHECK_FIELDS)[number]> {
  id: Generated<number>
  rule_id: number
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

/** A file that shows how a rule is met. */
export interface AttachmentsTable {
  id: Generated<number>
  rule_id: number
  user_id: number | null
  /** The name of the person who added it, which stays after the account is removed. */
  author_name: string
  name: string
  media_type: string
  /** SHA-256 (hex) of its bytes. */
  sha256: string
  bytes: number
  created_at: string
}

export interface AttachmentPartsTable {
  attachment_id: number
  /** From 0. */
  position: number
  content: Buffer
}
