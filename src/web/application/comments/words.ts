import { SECTIONS } from '../../../tables/sections.ts'
import { nameOfField } from '../parts/compare/changes.ts'

/** Display names of the statuses and sections of the API. */

export const STATUSES = [
  'pending',
  'concur',
  'concur_with_comment',
  'non_concur',
  'informational',
  'needs_clarification',
  'duplicate',
  'addressed_by',
  'withdrawn',
] as const

export type Status = (typeof STATUSES)[number]

const STATUS_WORDS: Readonly<Record<Status, string>> = {
  pending: 'Pending',
  concur: 'Accept',
  concur_with_comment: 'Accept with changes',
  non_concur: 'Decline',
  informational: 'Information only',
  needs_clarification: 'Needs clarification',
  duplicate: 'Duplicate',
  addressed_by: 'Addressed by another rule',
  withdrawn: 'Withdrawn',
}

/** Actions that give a comment a status, with DISA's word for each. */
const DECISION_WORDS: Readonly<Partial<Record<Status, string>>> = {
  concur: 'Accept (concur)',
  concur_with_comment: 'Accept with changes (concur with comment)',
  non_concur: 'Decline (non-concur)',
  informational: 'Information only',
  needs_clarification: 'Ask the commenter',
  duplicate: 'Duplicate of …',
  addressed_by: 'Addressed by rule …',
}

export function decisionInWords(status: Status): string {
  return DECISION_WORDS[status] ?? STATUS_WORDS[status]
}

export function statusInWords(status: string | null): string {
  const known = STATUSES.find((one) => one === status)
  return known === undefined ? 'No status' : STATUS_WORDS[known]
}

export type SectionKey = (typeof SECTIONS)[number]['key']

export function sectionInWords(section: string | null): string {
  return SECTIONS.find(({ key }) => key === section)?.label ?? 'In general'
}

/** The name of a field of the rule for which a text is suggested. */
export function fieldInWords(field: string): string {
  return nameOfField(field === 'content' ? 'check_content' : field)
}
