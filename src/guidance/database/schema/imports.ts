import type { Generated } from 'kysely'

export type ImportState = 'waiting' | 'running' | 'finished' | 'refused' | 'failed'

/** An uploaded file to import, and the result. */
export interface ImportsTable {
  id: Generated<number>
  /** The uploader; null once the account is deleted. */
  user_id: number | null
  /** The uploader's name in the audit trail. */
  actor: string
  file_name: string
  /** Name of the file in the folder of imports; null once it is done. */
  spool: string | null
  /** JSON object: document_type, version, replace. */
  options: string
  state: ImportState
  /** Number of finished members. */
  done: number
  total: number
  /** JSON: the imported, unchanged and refused members. */
  outcome: string
  created_at: string
  updated_at: string
}

/** `planning` until all fields are stored; after a crash, the clean-up removes such a plan. */
export type MergeState = 'planning' | 'open' | 'applied' | 'undone'
export type MergeOutcome = 'theirs' | 'ours' | 'same' | 'merged' | 'conflict'
export type MergeTake = 'ours' | 'theirs' | 'merged' | 'text'

/** The plan of merging a file into a component. */
export interface MergesTable {
  id: Generated<number>
  component_id: number
  /** Null: the account was removed. */
  user_id: number | null
  file_name: string
  format: string
  state: MergeState
  /** How the base was found: by the digest in the file, chosen by a person, or from history. */
  base_source: 'file' | 'chosen' | 'history'
  /** The time until which the component had the content of the base; null: it still has it. */
  base_until: string | null
  /** Number of fields with the same value in the file, the component and the base. */
  unchanged: number
  /** JSON: rules and rows without a partner, renumbered rules, warnings. */
  notes: string
  /** JSON array: the ids of the audit entries of the rules, once it is applied. */
  audits: string
  created_at: string
  updated_at: string
}

/** A field that differs between base, component and file. Values are JSON: a text, a boolean or null. */
export interface MergeFieldsTable {
  id: Generated<number>
  merge_id: number
  rule_id: number
  field: string
  base: string
  ours: string
  theirs: string
  /** Both edits together; null if they cannot be combined. */
  merged: string | null
  outcome: MergeOutcome
  /** The decision of a person; null: none. */
  take: MergeTake | null
  /** The text of the decision `text`. */
  text: string | null
}
