import type { RulesTable, RuleStatus } from '../database/schema/rules.ts'
import type { Section } from './sections.ts'

/** What is known of a field that authors write. */
export interface FieldRow {
  /** Its column; callers, the audit trail and archives call it the same. */
  readonly name: keyof RulesTable
  /** As messages call it. */
  readonly label: string
  /** A text or null, a text that is always there, a truth value or null, or one of some words. */
  readonly kind: 'text' | 'required' | 'flag' | 'status' | 'severity'
  /** In characters (contract, input length limits). */
  readonly limit: number
  /** Where callers find it: in the rule itself, or in its one DISA description. */
  readonly within: 'rule' | 'description'
  /** Who is shown it: everybody in lists of rules, those who look at a rule, or only its editors. */
  readonly shown: 'in lists' | 'to viewers' | 'to editors'
  /** Null: it cannot be locked by itself. */
  readonly section: Section | null
  /** In the description of an XCCDF rule: written as the first, read as any of them (guidance-xccdf §3). */
  readonly tags: readonly [string, ...string[]] | null
  /** In the CSV of a catalogue, for those who ask for it (guidance-xccdf §7). */
  readonly csv: string | null
  /** In checklists of STIG Viewer 2 and 3. */
  readonly ckl: string | null
  readonly cklb: string | null
  /** Its column in spreadsheets of rules, which people send back. */
  readonly sheet: SheetColumn | null
  /** Statuses that ask for it, and what readiness says where it is not there. */
  readonly asked: { readonly lack: string; readonly by: readonly RuleStatus[] } | null
}

interface SheetColumn {
  /** As messages about a sheet call it. */
  readonly name: keyof RulesTable | 'fix' | 'severity'
  readonly header: string
  /** Other headers by which it is found. */
  readonly aliases: readonly string[]
  /** Every sheet has it. A change in one of the others counts only along with a change in one of these. */
  readonly required: boolean
  /** Statuses for which the sheet that DISA takes from vendors leaves it blank (guidance-xccdf §6.2). */
  readonly blank: readonly RuleStatus[]
}
