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

interface DecisionWords {
  readonly decision: string
  /** The term of DISA. */
  readonly disa?: string
}

/** Actions that give a comment a status. */
const DECISION_WORDS: Readonly<Partial<Record<Status, DecisionWords>>> = {
  concur: { decision: 'Accept', disa: 'concur' },
  concur_with_comment: { decision: 'Accept with changes', disa: 'concur with comment' },
  non_concur: { decision: 'Decline', disa: 'non-concur' },
  needs_clarification: { decision: 'Ask the commenter', disa: 'needs clarification' },
  duplicate: { decision: 'Duplicate of …' },
  addressed_by: { decision: 'Addressed by rule …' },
}

export function decisionInWords(status: Status): DecisionWords {
  return DECISION_WORDS[status] ?? { decision: STATUS_WORDS[status] }
}

export function statusInWords(status: string | null): string {
  const knownStatus = STATUSES.find((name) => name === status)
  return knownStatus === undefined ? 'No status' : STATUS_WORDS[knownStatus]
}

export type SectionKey = (typeof SECTIONS)[number]['key']

export function sectionInWords(section: string | null): string {
  return SECTIONS.find(({ key }) => key === section)?.label ?? 'In general'
}

/** The name of a field of the rule for which a text is suggested. */
export function fieldInWords(field: string): string {
  return nameOfField(field === 'content' ? 'check_content' : field)
}
