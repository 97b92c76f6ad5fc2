import type { FieldForm, FieldRow, SheetColumn } from './field-row.ts'
import { STATUSES } from './statuses.ts'

export const CONFIGURABLE = STATUSES.stig.applicable_configurable
export const INHERENT = STATUSES.stig.applicable_inherently_meets
export const NOT_MET = STATUSES.stig.applicable_does_not_meet
export const NONE = STATUSES.stig.not_applicable
const UNDETERMINED = STATUSES.srg.not_yet_determined
export const APPLICABLE = STATUSES.srg.applicable

/** Advice reads what authors write of a rule that has to be configured. */
export const AS_WRITTEN = { stig: [CONFIGURABLE], srg: [UNDETERMINED, APPLICABLE] } as const
export const OF_APPLICABLE = [CONFIGURABLE, INHERENT, NOT_MET] as const

const HIDDEN_EVERYWHERE = {
  stig: ['hidden', 'hidden', 'hidden', 'hidden', 'hidden'],
  srg: ['hidden', 'hidden', 'hidden'],
  when: null,
} as const satisfies FieldForm

/** Access to what authors write of a rule that has to be configured. */
export const WRITTEN_FORM = {
  stig: ['read', 'write', 'hidden', 'hidden', 'hidden'],
  srg: ['write', 'write', 'read'],
  when: null,
} as const satisfies FieldForm

/** Access to check and fix, which a requirement that is not applicable does not have. */
export const STEPS_FORM = { ...WRITTEN_FORM, srg: ['write', 'write', 'hidden'] } as const satisfies FieldForm

export const MITIGATION_FORM = {
  stig: ['hidden', 'advanced', 'hidden', 'write', 'hidden'],
  srg: ['advanced', 'advanced', 'hidden'],
  when: null,
} as const satisfies FieldForm

export const INSPEC_FORM = {
  stig: ['hidden', 'write', 'hidden', 'hidden', 'hidden'],
  srg: ['hidden', 'hidden', 'hidden'],
  when: null,
} as const satisfies FieldForm

/** A text of a rule has these properties unless its row says otherwise. */
export const TEXT = {
  kind: 'text',
  limit: 10_000,
  within: 'rule',
  shown: 'to viewers',
  section: null,
  form: HIDDEN_EVERYWHERE,
  required: null,
  advised: null,
  searched: false,
  xccdf: null,
  csv: null,
  ckl: null,
  cklb: null,
  inspec: null,
  sheet: null,
} as const satisfies Partial<FieldRow>

export const XCCDF = {
  ...TEXT,
  limit: 255,
  section: 'XCCDF Metadata',
  form: {
    stig: ['hidden', 'advanced', 'hidden', 'hidden', 'hidden'],
    srg: ['hidden', 'advanced', 'hidden'],
    when: null,
  },
} as const satisfies Partial<FieldRow>

export const DISA = {
  ...TEXT,
  within: 'description',
  section: 'DISA Metadata',
  form: {
    stig: ['hidden', 'advanced', 'hidden', 'advanced', 'hidden'],
    srg: ['advanced', 'advanced', 'hidden'],
    when: null,
  },
} as const satisfies Partial<FieldRow>

export const FLAG = { ...DISA, kind: 'flag' } as const

export const INSPEC = { ...TEXT, shown: 'to editors' } as const

export const CHECK = { ...TEXT, within: 'check', section: 'Check' } as const

/** A column that every sheet of rules has. */
export const COLUMN = { aliases: [], required: true, blank: [] } as const satisfies Partial<SheetColumn>
export const OPTIONAL_COLUMN = { ...COLUMN, required: false } as const satisfies Partial<SheetColumn>
