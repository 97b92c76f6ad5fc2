import type { ExportedRule } from './component.ts'

/** The purpose of an export, which decides what rules it has. */
export const MODES = ['working_copy', 'vendor_submission', 'published_stig', 'published_srg'] as const

export type Mode = (typeof MODES)[number]

/** The rules of an export in this mode, in the same order. */
export function rulesOf(rules: readonly ExportedRule[], mode: Mode): readonly ExportedRule[] {
  return rules.filter(IS_IN[mode])
}

const IS_IN: Readonly<Record<Mode, (rule: ExportedRule) => boolean>> = {
  working_copy: () => true,
  vendor_submission: ({ status }) => status !== 'Not Yet Determined',
  published_stig: ({ status, satisfiedBy }) => status === 'Applicable - Configurable' && satisfiedBy.length === 0,
  published_srg: ({ status }) => status === 'Applicable',
}
