import { CHECK_CONTENT } from '../../../../tables/check-fields.ts'
import { namesOf, SHEET_FIELDS } from '../../../../tables/field-lists.ts'
import type { Section } from '../../../../tables/sections.ts'
import type { Severity } from '../../../../tables/severities.ts'
import { RULE_STATUSES, type RuleStatus } from '../../../../tables/statuses.ts'
import { joinChecks } from '../../../authoring/rules/join-checks.ts'
import { nistOf } from '../../../authoring/rules/shape.ts'
import { displayedName } from '../../../database/rule-names.ts'
import { markedChecks } from '../component/check-text.ts'
import type { ExportedRule } from '../component/component.ts'

/** A column of a working copy. */
export interface Column {
  readonly header: string
  readonly value: (rule: ExportedRule) => string | null
  /** The section of the rule that it shows. `reference` columns cannot be edited; null is for columns in no section. */
  readonly section: Section | 'reference' | null
}

/** Names of severities in worksheets; other severities have none. */
const CATEGORIES: Readonly<Record<Severity, string | null>> = {
  high: 'CAT I',
  medium: 'CAT II',
  low: 'CAT III',
  unknown: null,
  info: null,
}

/** A column that the vendor sheet leaves blank for some statuses. */
interface VendorColumn extends Column {
  readonly blank: readonly RuleStatus[]
}

const CHECK: VendorColumn = {
  header: CHECK_CONTENT.sheet.header,
  value: effectiveCheck,
  section: CHECK_CONTENT.section,
  blank: CHECK_CONTENT.sheet.blank,
}

/** DISA's vendor sheet has these columns, too, and lacks the columns after them. */
const SHARED_COLUMNS: readonly VendorColumn[] = [
  reference('IA Control', nistOf),
  { ...reference('CCI', ({ ident }) => ident), section: 'XCCDF Metadata' },
  reference('SRGID', ({ version }) => version),
  // DISA itself assigns STIG ids.
  {
    ...reference('STIGID', ({ prefix, number }) => displayedName(prefix, number)),
    blank: RULE_STATUSES,
  },
  reference('SRG Requirement', ({ source }) => source?.title ?? null),
  ...fields('title'),
  reference('SRG VulDiscussion', ({ source }) => source?.discussion ?? null),
  ...fields('vuln_discussion', 'status'),
  reference('SRG Check', ({ source }) => source?.check ?? null),
  CHECK,
  reference('SRG Fix', ({ source }) => source?.fix ?? null),
  ...fields('fixtext').map((column) => ({ ...column, value: effectiveFix })),
  ...fields('rule_severity').map((column) => ({
    ...column,
    value: ({ rule_severity }: ExportedRule) => CATEGORIES[rule_severity],
  })),
  ...fields('mitigations', 'artifact_description', 'status_justification'),
]

const FIRST_COLUMNS: readonly Column[] = [
  ...SHARED_COLUMNS.map((column) => (column === CHECK ? { ...column, value: markedCheck } : column)),
  ...fields('vendor_comments'),
  { header: 'Satisfies', value: satisfiedRules, section: null },
  ...fields('inspec_control_body'),
]

/** The columns of a worksheet in order. Columns of newer fields come last, so that the others keep their places. */
export const WORKING_COPY: readonly Column[] = [
  ...FIRST_COLUMNS,
  ...fields(...namesOf(SHEET_FIELDS)).filter(({ header }) => !FIRST_COLUMNS.some((column) => column.header === header)),
]

/** The 17 columns that DISA accepts from vendors. */
export const VENDOR_SUBMISSION: readonly Column[] = SHARED_COLUMNS.map((column) => ({
  ...column,
  value: (rule) => (column.blank.includes(rule.status) ? null : column.value(rule)),
}))

function reference(header: string, value: Column['value']): VendorColumn {
  return { header, value, section: 'reference', blank: [] }
}

/** Columns for fields that authors write. */
function fields(...names: readonly (typeof SHEET_FIELDS)[number]['name'][]): VendorColumn[] {
  return names.flatMap((columnName) =>
    SHEET_FIELDS.filter(({ name }) => name === columnName).map(({ name, section, sheet }) => ({
      header: sheet.header,
      blank: sheet.blank,
      section,
      value: (rule: ExportedRule) => rule[name],
    })),
  )
}

/** A satisfied rule is checked like the satisfying rule, unless it is not met at all. */
function effectiveCheck(rule: ExportedRule): string | null {
  if (rule.satisfiedBy.length === 0) return joinChecks(rule)
  return rule.status === 'Applicable - Does Not Meet' ? null : rule.satisfierCheck
}

/** Marks the ends of checks, because a working copy can be imported again. */
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
