import { CHECK_FIELDS, FIELDS } from './fields.ts'
import type { FieldRow } from './row.ts'

/** How a form has a field: to write, to read, to write once the component shows advanced fields, or not at all. */
export const SHOWINGS = ['write', 'read', 'advanced', 'hidden'] as const

export type Showing = (typeof SHOWINGS)[number]

/** A field can depend on these conditions beside the status. */
export const OCCASIONS = ['other_severity', 'mitigations', 'no_mitigations'] as const

interface FormRow {
  /** Not yet determined, configurable, inherently meets, does not meet, not applicable. */
  readonly stig: readonly [Showing, Showing, Showing, Showing, Showing]
  /** Not yet determined, applicable, not applicable. */
  readonly srg: readonly [Showing, Showing, Showing]
  /** Null: nothing. */
  readonly when: (typeof OCCASIONS)[number] | null
}

const ALWAYS = { when: null } as const
const TEXT = {
  ...ALWAYS,
  stig: ['read', 'write', 'hidden', 'hidden', 'hidden'],
  srg: ['write', 'write', 'read'],
} as const satisfies FormRow
const STEPS = { ...TEXT, srg: ['write', 'write', 'hidden'] } as const satisfies FormRow
const DISA = {
  ...ALWAYS,
  stig: ['hidden', 'advanced', 'hidden', 'advanced', 'hidden'],
  srg: ['advanced', 'advanced', 'hidden'],
} as const satisfies FormRow
const XCCDF = {
  ...ALWAYS,
  stig: ['hidden', 'advanced', 'hidden', 'hidden', 'hidden'],
  srg: ['hidden', 'advanced', 'hidden'],
} as const satisfies FormRow
const MITIGATION = {
  ...ALWAYS,
  stig: ['hidden', 'advanced', 'hidden', 'write', 'hidden'],
  srg: ['advanced', 'advanced', 'hidden'],
} as const satisfies FormRow
const INSPEC = {
  ...ALWAYS,
  stig: ['hidden', 'write', 'hidden', 'hidden', 'hidden'],
  srg: ['hidden', 'hidden', 'hidden'],
} as const satisfies FormRow
const NOWHERE = {
  ...ALWAYS,
  stig: ['hidden', 'hidden', 'hidden', 'hidden', 'hidden'],
  srg: ['hidden', 'hidden', 'hidden'],
} as const satisfies FormRow

/**
 * Which fields of a rule its authors see and write, by its status, in the order of the form (DISA's process guide for
 * vendors). What is hidden keeps its value.
 */
const FORMS = {
  status: {
    ...ALWAYS,
    stig: ['write', 'write', 'write', 'write', 'write'],
    srg: ['write', 'write', 'write'],
  },
  rule_severity: {
    ...ALWAYS,
    stig: ['read', 'write', 'write', 'write', 'read'],
    srg: ['read', 'write', 'read'],
  },
  severity_override_guidance: {
    stig: ['hidden', 'write', 'write', 'write', 'hidden'],
    srg: ['hidden', 'write', 'hidden'],
    when: 'other_severity',
  },
  title: TEXT,
  vuln_discussion: TEXT,
  content: STEPS,
  fixtext: STEPS,
  status_justification: {
    ...ALWAYS,
    stig: ['hidden', 'advanced', 'write', 'write', 'write'],
    srg: ['write', 'write', 'write'],
  },
  artifact_description: {
    ...ALWAYS,
    stig: ['hidden', 'advanced', 'write', 'hidden', 'write'],
    srg: ['write', 'write', 'read'],
  },
  mitigations_available: MITIGATION,
  mitigations: { ...MITIGATION, when: 'mitigations' },
  mitigation_control: { ...MITIGATION, when: 'mitigations' },
  poam_available: { ...MITIGATION, when: 'no_mitigations' },
  poam: { ...MITIGATION, when: 'no_mitigations' },
  vendor_comments: {
    ...ALWAYS,
    stig: ['hidden', 'write', 'write', 'write', 'write'],
    srg: ['write', 'write', 'read'],
  },
  inspec_control_body: INSPEC,
  documentable: DISA,
  false_positives: DISA,
  false_negatives: DISA,
  potential_impacts: DISA,
  third_party_tools: DISA,
  responsibility: DISA,
  ia_controls: DISA,
  version: XCCDF,
  rule_weight: XCCDF,
  fix_id: XCCDF,
  ident: XCCDF,
  ident_system: XCCDF,
  fixtext_fixref: NOWHERE,
  inspec_control_body_lang: NOWHERE,
  inspec_control_file: NOWHERE,
  inspec_control_file_lang: NOWHERE,
} as const satisfies Readonly<Record<(typeof FIELDS)[number]['name'] | 'content', FormRow>>

interface FormField extends FormRow {
  readonly name: string
  readonly label: string
  readonly kind: FieldRow['kind']
  readonly limit: number
  readonly section: FieldRow['section']
  /** The API has the field in this object. */
  readonly within: FieldRow['within'] | 'check'
  /** The statuses that require it. */
  readonly asked: readonly string[]
}

const CHECK_LIMIT = 10_000

function formField(name: string, row: FormRow): FormField {
  const field: FieldRow | undefined = FIELDS.find((one) => one.name === name)
  if (field !== undefined) {
    const { label, kind, limit, section, within, asked } = field
    return { ...row, name, label, kind, limit, section, within, asked: asked?.by ?? [] }
  }
  const check = CHECK_FIELDS.find((one) => one.name === name)
  if (check === undefined) throw new Error(`There is no field ${name}`)
  const { label, kind } = check
  const asked = ['Applicable - Configurable', 'Applicable']
  return { ...row, name, label, kind, limit: CHECK_LIMIT, section: 'Check', within: 'check', asked }
}

/** The fields of the form, in its order. */
export const FORM_FIELDS: readonly FormField[] = Object.entries(FORMS).map(([name, row]) => formField(name, row))
