import type { RulesTable, RuleStatus } from '../database/schema/rules.ts'
import type { Section } from './sections.ts'

/** The definition of a field that authors write. */
export interface FieldRow {
  /** The name of its column, and of the field in the API, the audit trail and archives. */
  readonly name: keyof RulesTable
  /** The name in messages. */
  readonly label: string
  /** A nullable text, a required text, a nullable boolean, or one of some words. */
  readonly kind: 'text' | 'required' | 'flag' | 'status' | 'severity'
  /** Maximum length in characters. */
  readonly limit: number
  /** The API has the field in the rule, or in its one DISA description. */
  readonly within: 'rule' | 'description'
  /** The views that show the field: lists of rules, the view of one rule, or only the editor. */
  readonly shown: 'in lists' | 'to viewers' | 'to editors'
  /** Null: it cannot be locked separately. */
  readonly section: Section | null
  /** The tags in the description of an XCCDF rule: the first is written, all are read. */
  readonly tags: readonly [string, ...string[]] | null
  /** The column in the CSV of a catalogue, if it is chosen. */
  readonly csv: string | null
  /** The names in checklists of STIG Viewer 2 and 3. */
  readonly ckl: string | null
  readonly cklb: string | null
  /** Its column in spreadsheets of rules, which can be imported again. */
  readonly sheet: SheetColumn | null
  /** The statuses that require it, and what readiness reports if it is missing. */
  readonly asked: { readonly lack: string; readonly by: readonly RuleStatus[] } | null
}

interface SheetColumn {
  /** The name in messages about a sheet. */
  readonly name: keyof RulesTable | 'fix' | 'severity'
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
