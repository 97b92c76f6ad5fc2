interface Period {
  readonly comment_phase: 'open' | 'closed'
  readonly closed_reason: 'adjudicating' | 'finalized' | null
}

/** The phases of a comment period, in their order. */
export const PHASES = [
  {
    key: 'open',
    phase: 'open',
    reason: null,
    label: 'open',
    effect: 'Members comment, reply and react; comments are decided.',
  },
  {
    key: 'adjudicating',
    phase: 'closed',
    reason: 'adjudicating',
    label: 'closed, being decided',
    effect: 'No new comments; replies and decisions go on.',
  },
  {
    key: 'closed',
    phase: 'closed',
    reason: null,
    label: 'closed',
    effect: 'No new comments and no replies; decisions are still possible.',
  },
  {
    key: 'finalized',
    phase: 'closed',
    reason: 'finalized',
    label: 'final',
    effect: 'No new comments and no new decisions.',
  },
] as const

export function phaseOf({ comment_phase, closed_reason }: Period): (typeof PHASES)[number]['key'] {
  return comment_phase === 'open' ? 'open' : (closed_reason ?? 'closed')
}

/** The day of a moment, in the format of date fields. */
export function dayOf(moment: string | null): string {
  return moment === null ? '' : moment.slice(0, 10)
}

/** The moment of a day, in UTC; null without a day. */
export function momentOf(day: string, time = '00:00:00'): string | null {
  return day === '' ? null : `${day}T${time}.000Z`
}

interface ComponentRights {
  readonly effective_permissions: 'viewer' | 'author' | 'reviewer' | 'admin' | null
  readonly released: boolean
}

/** Why the person cannot set the period; null if they can. */
export function whyNoPeriod(
  { effective_permissions: role, released }: ComponentRights,
  isSiteAdmin: boolean,
): string | null {
  if (role === null || role === 'viewer') return 'Authors, reviewers and administrators set the comment period.'
  return released && !isSiteAdmin ? 'It is released: only site administrators change it any more.' : null
}
