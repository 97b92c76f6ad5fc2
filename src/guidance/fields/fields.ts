import type { RuleChecksTable } from '../database/schema/rules.ts'
import type { FieldRow } from './row.ts'

/** A text of a rule has these properties unless its row says otherwise. */
const TEXT = {
  kind: 'text',
  limit: 10_000,
  within: 'rule',
  shown: 'to viewers',
  section: null,
  tags: null,
  csv: null,
  ckl: null,
  cklb: null,
  sheet: null,
  asked: null,
} as const
const XCCDF = { ...TEXT, limit: 255, section: 'XCCDF Metadata' } as const
const DISA = { ...TEXT, within: 'description', section: 'DISA Metadata' } as const
const INSPEC = { ...TEXT, shown: 'to editors' } as const
const FLAG = { ...DISA, kind: 'flag' } as const

const COLUMN = { aliases: [], required: true, blank: [] } as const
const EXTRA = { ...COLUMN, required: false } as const

const CONFIGURABLE = 'Applicable - Configurable'
const INHERENT = 'Applicable - Inherently Meets'
const NOT_MET = 'Applicable - Does Not Meet'
const NONE = 'Not Applicable'

/**
 * The fields of a rule that its authors write, in the order that most of what lists them has. What
 * schemas, copies, formats and checks know of a field, they take from here.
 */
export const FIELDS = [
  {
    ...TEXT,
    name: 'title',
    label: 'Title',
    kind: 'required',
    limit: 500,
    section: 'Title',
    shown: 'in lists',
    sheet: { ...COLUMN, name: 'title', header: 'Requirement', aliases: ['Title'] },
  },
  { ...XCCDF, name: 'version', label: 'Version', shown: 'in lists' },
  {
    ...TEXT,
    name: 'status',
    label: 'Status',
    kind: 'status',
    section: 'Status',
    shown: 'in lists',
    sheet: { ...COLUMN, name: 'status', header: 'Status' },
  },
  {
    ...TEXT,
    name: 'rule_severity',
    label: 'Severity',
    kind: 'severity',
    section: 'Severity',
    shown: 'in lists',
    sheet: { ...COLUMN, name: 'severity', header: 'Severity', blank: [NONE] },
  },
  { ...XCCDF, name: 'rule_weight', label: 'Weight', kind: 'required' },
  { ...XCCDF, name: 'ident', label: 'Ident', limit: 2048 },
  { ...XCCDF, name: 'ident_system', label: 'Ident system' },
  {
    ...TEXT,
    name: 'fixtext',
    label: 'Fix',
    section: 'Fix',
    ckl: 'Fix_Text',
    cklb: 'fix_text',
    sheet: {
      ...COLUMN,
      name: 'fix',
      header: 'Fix',
      aliases: ['Fix Text'],
      blank: [INHERENT, NOT_MET, NONE],
    },
    asked: { lack: 'fix_missing', by: [CONFIGURABLE, 'Applicable'] },
  },
  { ...XCCDF, name: 'fixtext_fixref', label: 'Fix reference' },
  { ...XCCDF, name: 'fix_id', label: 'Fix id', shown: 'to editors' },
  {
    ...TEXT,
    name: 'status_justification',
    label: 'Status justification',
    limit: 1000,
    section: 'Status',
    sheet: {
      ...COLUMN,
      name: 'status_justification',
      header: 'Status Justification',
      blank: [CONFIGURABLE],
    },
    asked: { lack: 'justification_missing', by: [INHERENT, NOT_MET, NONE] },
  },
  {
    ...TEXT,
    name: 'artifact_description',
    label: 'Artifact description',
    section: 'Artifact Description',
    sheet: {
      ...COLUMN,
      name: 'artifact_description',
      header: 'Artifact Description',
      blank: [CONFIGURABLE, NOT_MET, NONE],
    },
    asked: { lack: 'artifact_missing', by: [INHERENT] },
  },
  {
    ...TEXT,
    name: 'vendor_comments',
    label: 'Vendor comments',
    section: 'Vendor Comments',
    sheet: { ...EXTRA, name: 'vendor_comments', header: 'Vendor Comments' },
  },
  {
    ...DISA,
    name: 'vuln_discussion',
    label: 'Vulnerability discussion',
    section: 'Vulnerability Discussion',
    tags: ['VulnDiscussion'],
    sheet: {
      ...COLUMN,
      name: 'vuln_discussion',
      header: 'VulDiscussion',
      blank: [NONE],
      aliases: ['Vuln Discussion', 'Description'],
    },
  },
  {
    ...DISA,
    name: 'false_positives',
    label: 'False positives',
    tags: ['FalsePositives'],
    ckl: 'False_Positives',
    cklb: 'false_positives',
    csv: 'False Positives',
  },
  {
    ...DISA,
    name: 'false_negatives',
    label: 'False negatives',
    tags: ['FalseNegatives'],
    ckl: 'False_Negatives',
    cklb: 'false_negatives',
    csv: 'False Negatives',
  },
  {
    ...FLAG,
    name: 'documentable',
    label: 'Documentable',
    tags: ['Documentable'],
    ckl: 'Documentable',
  },
  { ...FLAG, name: 'mitigations_available', label: 'Mitigations available' },
  {
    ...DISA,
    name: 'mitigations',
    label: 'Mitigations',
    tags: ['Mitigations'],
    ckl: 'Mitigations',
    cklb: 'mitigations',
    csv: 'Mitigations',
    sheet: {
      ...EXTRA,
      name: 'mitigations',
      header: 'Mitigation',
      aliases: ['Mitigations'],
      blank: [CONFIGURABLE, INHERENT, NONE],
    },
    asked: { lack: 'mitigation_missing', by: [NOT_MET] },
  },
  { ...FLAG, name: 'poam_available', label: 'POA&M available' },
  { ...DISA, name: 'poam', label: 'POA&M' },
  {
    ...DISA,
    name: 'severity_override_guidance',
    label: 'Severity override guidance',
    // First drafts have the second one.
    tags: ['SeverityOverrideGuidance', 'SecurityOverrideGuidance'],
    ckl: 'Security_Override_Guidance',
    cklb: 'security_override_guidance',
    csv: 'Severity Override',
  },
  {
    ...DISA,
    name: 'potential_impacts',
    label: 'Potential impacts',
    // Some readers expect the second one.
    tags: ['PotentialImpacts', 'PotentialImpact'],
    ckl: 'Potential_Impact',
    cklb: 'potential_impacts',
  },
  {
    ...DISA,
    name: 'third_party_tools',
    label: 'Third party tools',
    tags: ['ThirdPartyTools'],
    ckl: 'Third_Party_Tools',
    cklb: 'third_party_tools',
  },
  {
    ...DISA,
    name: 'mitigation_control',
    label: 'Mitigation control',
    tags: ['MitigationControl'],
    ckl: 'Mitigation_Control',
    cklb: 'mitigation_control',
  },
  {
    ...DISA,
    name: 'responsibility',
    label: 'Responsibility',
    tags: ['Responsibility'],
    ckl: 'Responsibility',
    cklb: 'responsibility',
  },
  {
    ...DISA,
    name: 'ia_controls',
    label: 'IA controls',
    tags: ['IAControls'],
    ckl: 'IA_Controls',
    cklb: 'ia_controls',
  },
  {
    ...INSPEC,
    name: 'inspec_control_body',
    label: 'InSpec control body',
    limit: 50_000,
    sheet: { ...EXTRA, name: 'inspec_control_body', header: 'InSpec Control Body' },
  },
  {
    ...INSPEC,
    name: 'inspec_control_body_lang',
    label: 'Language of the InSpec control body',
    limit: 255,
  },
  { ...INSPEC, name: 'inspec_control_file', label: 'InSpec control file', limit: 50_000 },
  {
    ...INSPEC,
    name: 'inspec_control_file_lang',
    label: 'Language of the InSpec control file',
    limit: 255,
  },
] as const satisfies readonly FieldRow[]

export type Field = (typeof FIELDS)[number]

export const RULE_FIELDS = FIELDS.filter((field) => field.within === 'rule')
export const DESCRIPTION_FIELDS = FIELDS.filter((field) => field.within === 'description')
export const DESCRIPTION_TEXTS = namesOf(DESCRIPTION_FIELDS.filter((field) => field.kind === 'text'))
/** All of them belong to the description. */
export const FLAGS = namesOf(FIELDS.filter((field) => field.kind === 'flag'))

/** XCCDF files have these fields in the description of a rule; the catalogue uses the same names. */
export const DISCUSSION_FIELDS = FIELDS.filter((field) => field.tags !== null)
/** Authors add these fields to a description; no file has them. */
export const ADDED_FIELDS = DESCRIPTION_FIELDS.filter((field) => field.tags === null)
export const DISCUSSION_TEXTS = namesOf(DISCUSSION_FIELDS.filter((field) => field.kind === 'text'))
export const DISCUSSION_FLAGS = namesOf(DISCUSSION_FIELDS.filter((field) => field.kind === 'flag'))

/** Authors can write these fields in a sheet. */
export const SHEET_FIELDS = FIELDS.filter((field) => field.sheet !== null)
export const SHEET_TEXTS = SHEET_FIELDS.filter((field) => field.kind === 'text')
export const SHEET_COLUMNS = SHEET_FIELDS.map(({ sheet }) => sheet)

/** The fields of a check, which has a row of its own. */
export const CHECK_FIELDS = [
  { name: 'system', label: 'System of the check', kind: 'text' },
  { name: 'content_ref_name', label: 'Name of the content reference', kind: 'text' },
  { name: 'content_ref_href', label: 'Address of the content reference', kind: 'text' },
  { name: 'content', label: 'Check', kind: 'text' },
] as const satisfies readonly (Pick<FieldRow, 'label' | 'kind'> & { name: keyof RuleChecksTable })[]

export const CHECK_COLUMNS = namesOf(CHECK_FIELDS)

export function namesOf<F extends { readonly name: string }>(fields: readonly F[]): F['name'][] {
  return fields.map(({ name }) => name)
}
