import { FIELDS } from '../../../tables/fields.ts'

/** STIG Viewer writes these fields last, in this order, and the others in the order of the table. */
const LAST_FIELDS = ['Security_Override_Guidance', 'IA_Controls']

/** Fields that are attributes of a checklist, in order. */
export const CHECKLIST_FIELDS = FIELDS.filter((field) => field.ckl !== null).toSorted(
  (a, b) => LAST_FIELDS.indexOf(a.ckl) - LAST_FIELDS.indexOf(b.ckl),
)

export type ChecklistField = (typeof CHECKLIST_FIELDS)[number]['name']

/** A checklist with one STIG, as both formats of STIG Viewer have it. */
export interface Checklist {
  /** UUID. */
  readonly id: string
  /** A note of the program that wrote the checklist. STIG Viewer does not show it. */
  readonly note: { readonly name: string; readonly value: string } | null
  /** Programs that import a checklist need a name, although the system is not known yet. */
  readonly hostName: string
  /** DISA's number of the product; blank: unknown. */
  readonly targetKey: string
  readonly stig: ChecklistStig
  readonly ruleCount: number
  /** Rules are made one at a time while they are written, because there may be many. */
  readonly rules: Iterable<ChecklistRule>
}

export interface ChecklistStig {
  readonly uuid: string
  readonly benchmarkId: string
  readonly title: string
  readonly description: string | null
  /** The 2 of V2R7. */
  readonly version: number
  /** `Release: 7 Benchmark Date: 05 Jan 2026`. */
  readonly releaseInfo: string
  readonly source: string | null
}

export interface ChecklistRule {
  readonly uuid: string
  readonly groupId: string
  readonly groupTitle: string | null
  readonly ruleId: string
  readonly version: string | null
  readonly severity: string
  readonly weight: string
  readonly title: string
  readonly discussion: string | null
  readonly check: string
  readonly checkReference: { readonly name: string; readonly href: string }
  /** A flag is `true`, `false` or blank. */
  readonly fields: Readonly<Record<ChecklistField, string | null>>
  readonly legacyIds: readonly string[]
  readonly ccis: readonly string[]
  readonly assessment: Assessment
  readonly createdAt: string | null
  readonly updatedAt: string | null
}

/** The result for a rule. */
export interface Assessment {
  readonly status: 'Not_Reviewed' | 'NotAFinding' | 'Open' | 'Not_Applicable'
  readonly findingDetails: string
  readonly comments: string
}
