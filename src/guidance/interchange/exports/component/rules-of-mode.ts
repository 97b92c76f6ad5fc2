import type { Mode } from '../../../../tables/export-formats.ts'
import type { ExportedRule } from './component.ts'

/** Selects the rules for an export in this mode, in the same order. */
export function rulesOf(rules: readonly ExportedRule[], mode: Mode): readonly ExportedRule[] {
  return rules.filter(IS_IN[mode])
}

const IS_IN: Readonly<Record<Mode, (rule: ExportedRule) => boolean>> = {
  working_copy: () => true,
  vendor_submission: ({ status }) => status !== 'Not Yet Determined',
  published_stig: ({ status, satisfiedBy }) => status === 'Applicable - Configurable' && satisfiedBy.length === 0,
  published_srg: ({ status }) => status === 'Applicable',
}
