import type { AuthoredRule } from './reader.ts'
import type { Section } from './schemas.ts'
import { lockedFieldsOf } from './shape.ts'

/** Which part of a rule each field belongs to; what is not here cannot be locked by itself. */
const SECTION_OF: ReadonlyMap<string, Section> = new Map(
  Object.entries({
    title: 'Title',
    rule_severity: 'Severity',
    status: 'Status',
    status_justification: 'Status',
    fixtext: 'Fix',
    checks_attributes: 'Check',
    vuln_discussion: 'Vulnerability Discussion',
    rule_descriptions_attributes: 'Vulnerability Discussion',
    false_positives: 'DISA Metadata',
    false_negatives: 'DISA Metadata',
    documentable: 'DISA Metadata',
    mitigations_available: 'DISA Metadata',
    mitigations: 'DISA Metadata',
    poam_available: 'DISA Metadata',
    poam: 'DISA Metadata',
    severity_override_guidance: 'DISA Metadata',
    potential_impacts: 'DISA Metadata',
    third_party_tools: 'DISA Metadata',
    mitigation_control: 'DISA Metadata',
    responsibility: 'DISA Metadata',
    ia_controls: 'DISA Metadata',
    vendor_comments: 'Vendor Comments',
    artifact_description: 'Artifact Description',
    version: 'XCCDF Metadata',
    rule_weight: 'XCCDF Metadata',
    ident: 'XCCDF Metadata',
    ident_system: 'XCCDF Metadata',
    fix_id: 'XCCDF Metadata',
    fixtext_fixref: 'XCCDF Metadata',
  } as const),
)

/**
 * The lockable section of a field: a column of `rules`, or `checks_attributes`,
 * `rule_descriptions_attributes`, also with the number of one behind a dot. Null: it has none, as
 * InSpec code and answers.
 */
export function sectionOf(column: string): Section | null {
  return SECTION_OF.get(column.split('.')[0] ?? column) ?? null
}

/** Whether a lock on the whole rule or on the section keeps the field as it is (contract §13). */
export function isLockedFor(
  rule: Pick<AuthoredRule, 'locked' | 'locked_fields'>,
  column: string,
): boolean {
  if (rule.locked === 1) return true
  const section = sectionOf(column)
  return section !== null && lockedFieldsOf(rule)[section] === true
}
