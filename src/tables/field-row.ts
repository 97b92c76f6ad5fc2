import type { Section } from './sections.ts'
import type { RuleStatus } from './statuses.ts'

/** Access to a field in a form: `advanced` fields can be written once the component shows them. */
export const FORM_ACCESS = ['write', 'read', 'advanced', 'hidden'] as const

export type FormAccess = (typeof FORM_ACCESS)[number]

/** Further conditions, beside the status, on which a field can depend. */
export const FORM_CONDITIONS = ['other_severity', 'mitigations', 'no_mitigations'] as const

/** The definition of a field that authors write. */
export interface FieldRow {
  /** The name of its column, and of the field in the API, the audit trail and archives. */
  readonly name: string
  /** The name in messages and forms. */
  readonly label: string
  /** A nullable text, a required text, a nullable boolean, or one of some words. */
  readonly kind: 'text' | 'required' | 'flag' | 'status' | 'severity'
  /** Maximum length in characters. */
  readonly limit: number
  /** The API has the field in the rule, in its one DISA description, or in its checks. */
  readonly within: 'rule' | 'description' | 'check'
  /** The views that show the field: lists of rules, the view of one rule, or only the editor. */
  readonly shown: 'in lists' | 'to viewers' | 'to editors'
  /** Null: it cannot be locked separately. */
  readonly section: Section | null
  readonly form: FieldForm
  /** Null: no status requires it. */
  readonly required: FieldRequirement | null
  /** The statuses in which advice reads it; null: none. */
  readonly advised: { readonly stig: readonly RuleStatus[]; readonly srg: readonly RuleStatus[] } | null
  /** Whether the search, and find and replace, look into it. */
  readonly searched: boolean
  /** Its form in XCCDF files; the catalogue has a field of the same name. Null: XCCDF files do not have it. */
  readonly xccdf: XccdfField | null
  /** The column in the CSV of a catalogue, if it is chosen. */
  readonly csv: string | null
  /** The names in checklists of STIG Viewer 2 and 3. */
  readonly ckl: string | null
  readonly cklb: string | null
  /** The name of its description in InSpec controls; blank: the first one. Null: a tag, if it is in the description. */
  readonly inspec: string | null
  /** Its column in spreadsheets of rules, which can be imported again. */
  readonly sheet: SheetColumn | null
}

/** Access to a field in the form, by the status of the rule. A hidden field keeps its value. */
export interface FieldForm {
  /** Not yet determined, configurable, inherently meets, does not meet, not applicable. */
  readonly stig: readonly [FormAccess, FormAccess, FormAccess, FormAccess, FormAccess]
  /** Not yet determined, applicable, not applicable. */
  readonly srg: readonly [FormAccess, FormAccess, FormAccess]
  /** Null: always. */
  readonly when: (typeof FORM_CONDITIONS)[number] | null
}

export interface FieldRequirement {
  readonly by: readonly RuleStatus[]
  /** The code and the message of readiness and advice about a rule without it. */
  readonly code: string
  readonly message: string
  /** Why a rule without it is left out when all rules are locked; null: it is locked all the same. */
  readonly notLocked: string | null
}

interface XccdfField {
  /** Tags that DISA writes into the description, or elements of the rule, between its description and its idents. */
  readonly as: 'tag' | 'element'
  /** The first is written, all are read. */
  readonly names: readonly [string, ...string[]]
}

export interface SheetColumn {
  /** The name in messages about a sheet. */
  readonly name: string
  readonly header: string
  /** Other headers that are accepted. */
  readonly aliases: readonly string[]
  /**
   * Whether every sheet must have it. A change of a column that is not required only counts together with one that
   * is.
   */
  readonly required: boolean
  /** Statuses for which DISA's vendor sheet leaves it blank. */
  readonly blank: readonly RuleStatus[]
}
