import {
  APPLICABLE,
  AS_WRITTEN,
  CHECK,
  COLUMN,
  CONFIGURABLE,
  INHERENT,
  NONE,
  NOT_MET,
  STEPS_FORM,
} from './field-presets.ts'
import type { FieldRow } from './field-row.ts'

/** In a spreadsheet, one column has all checks of a rule. */
export const CHECK_CONTENT = {
  ...CHECK,
  name: 'content',
  label: 'Check',
  form: STEPS_FORM,
  advised: AS_WRITTEN,
  searched: true,
  inspec: 'check',
  required: {
    by: [CONFIGURABLE, APPLICABLE],
    code: 'check_missing',
    message: 'The rule has no check.',
    notLocked: null,
  },
  sheet: { ...COLUMN, name: 'check', header: 'Check', aliases: ['Check Content'], blank: [INHERENT, NOT_MET, NONE] },
} as const satisfies FieldRow

/** The fields of a check. A rule may have several checks, each with a row of its own. */
export const CHECK_FIELDS = [
  { ...CHECK, name: 'system', label: 'System of the check' },
  { ...CHECK, name: 'content_ref_name', label: 'Name of the content reference' },
  { ...CHECK, name: 'content_ref_href', label: 'Address of the content reference' },
  CHECK_CONTENT,
] as const satisfies readonly FieldRow[]
