import { nistOf } from '../../../authoring/rules/shape.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { Severity } from '../../../database/schema/benchmarks.ts'
import type { Section } from '../../../fields/sections.ts'
import { checkOf, markedChecks } from '../component/check.ts'
import type { ExportedRule } from '../component/component.ts'

/** A column of a working copy. */
export interface Column {
  readonly header: string
  readonly value: (rule: ExportedRule) => string | null
  /** What of a rule it shows; `reference` is not for editing, null is in no section. */
  readonly section: Section | 'reference' | null
}

/** How reviewers call severities; the others have no such name. */
const CATEGORIES: Readonly<Record<Severity, string | null>> = {
  high: 'CAT I',
  medium: 'CAT II',
  low: 'CAT III',
  unknown: null,
  info: null,
}

/** Those of DISA's vendor sheet, too, which is without the ones that follow them. */
const SHARED: readonly Column[] = [
  { header: 'IA Control', value: nistOf, section: 'reference' },
  { header: 'CCI', value: ({ ident }) => ident, section: 'XCCDF Metadata' },
  { header: 'SRGID', value: ({ version }) => version, section: 'reference' },
  {
    header: 'STIGID',
    value: ({ prefix, number }) => displayedName(prefix, number),
    section: 'reference',
  },
  { header: 'SRG Requirement', value: ({ source }) => source?.title ?? null, section: 'reference' },
  { header: 'Requirement', value: ({ title }) => title, section: 'Title' },
  {
    header: 'SRG VulDiscussion',
    value: ({ source }) => source?.discussion ?? null,
    section: 'reference',
  },
  {
    header: 'VulDiscussion',
    value: ({ vuln_discussion }) => vuln_discussion,
    section: 'Vulnerability Discussion',
  },
  { header: 'Status', value: ({ status }) => status, section: 'Status' },
  { header: 'SRG Check', value: ({ source }) => source?.check ?? null, section: 'reference' },
  { header: 'Check', value: effectiveCheck, section: 'Check' },
  { header: 'SRG Fix', value: ({ source }) => source?.fix ?? null, section: 'reference' },
  { header: 'Fix', value: effectiveFix, section: 'Fix' },
  {
    header: 'Severity',
    value: ({ rule_severity }) => CATEGORIES[rule_severity],
    section: 'Severity',
  },
  { header: 'Mitigation', value: ({ mitigations }) => mitigations, section: 'DISA Metadata' },
  {
    header: 'Artifact Description',
    value: ({ artifact_description }) => artifact_description,
    section: 'Artifact Description',
  },
  {
    header: 'Status Justification',
    value: ({ status_justification }) => status_justification,
    section: 'Status',
  },
]

/** In the order of the reference, guidance-xccdf §6.1. */
export const WORKING_COPY: readonly Column[] = [
  ...SHARED.map((column) =>
    column.header === 'Check' ? { ...column, value: markedCheck } : column,
  ),
  {
    header: 'Vendor Comments',
    value: ({ vendor_comments }) => vendor_comments,
    section: 'Vendor Comments',
  },
  { header: 'Satisfies', value: satisfiedRules, section: null },
  {
    header: 'InSpec Control Body',
    value: ({ inspec_control_body }) => inspec_control_body,
    section: null,
  },
]

/** What the vendor sheet leaves blank for a status (§6.2). */
const BLANK: Readonly<Partial<Record<ExportedRule['status'], readonly string[]>>> = {
  'Applicable - Configurable': ['Mitigation', 'Artifact Description', 'Status Justification'],
  'Applicable - Inherently Meets': ['Check', 'Fix', 'Mitigation'],
  'Applicable - Does Not Meet': ['Check', 'Fix', 'Artifact Description'],
  'Not Applicable': [
    ...['Check', 'Fix', 'VulDiscussion', 'Severity', 'Mitigation'],
    'Artifact Description',
  ],
}

/** The 17 columns that DISA takes from vendors (§6.2); it gives the STIG ids itself. */
export const VENDOR_SUBMISSION: readonly Column[] = SHARED.map((column) => ({
  ...column,
  value: (rule) => (isBlank(column, rule) ? null : column.value(rule)),
}))

function isBlank({ header }: Column, { status }: ExportedRule): boolean {
  return header === 'STIGID' || BLANK[status]?.includes(header) === true
}

/** A rule that another satisfies is checked as that one is, unless it is not met at all (§6.1). */
function effectiveCheck(rule: ExportedRule): string | null {
  if (rule.satisfiedBy.length === 0) return checkOf(rule)
  return rule.status === 'Applicable - Does Not Meet' ? null : rule.satisfierCheck
}

/** A working copy comes back, so that it says where a check ends. */
function markedCheck(rule: ExportedRule): string | null {
  return rule.satisfiedBy.length === 0 ? markedChecks(rule) : effectiveCheck(rule)
}

function effectiveFix({ satisfiedBy: [satisfier], status, fixtext }: ExportedRule): string | null {
  if (satisfier === undefined) return fixtext
  return status === 'Applicable - Does Not Meet' ? null : satisfier.fixtext
}

function satisfiedRules({ satisfies }: ExportedRule): string | null {
  const names = satisfies.map(({ prefix, number }) => displayedName(prefix, number))
  return names.length === 0 ? null : `Satisfies: ${names.join(', ')}`
}
