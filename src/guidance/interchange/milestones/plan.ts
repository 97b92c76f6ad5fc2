/** A date of DISA's process for vendors, in days after the intent form. */
interface PlannedMilestone {
  readonly name: string
  readonly days: number
}

/**
 * The stages of DISA's process. The template takes two weeks, and drafts are due 30, 60 and 90 days after it. DISA sets
 * the dates of the last three; until then, they are estimates.
 */
export const USUAL_PLAN: readonly PlannedMilestone[] = [
  { name: 'Intent form', days: 0 },
  { name: 'SRG template, first ten requirements', days: 14 },
  { name: 'Draft at 30 days', days: 44 },
  { name: 'Draft at 60 days', days: 74 },
  { name: 'Initial draft at 90 days', days: 104 },
  { name: 'DISA validation', days: 134 },
  { name: 'Public comment', days: 164 },
  { name: 'Release', days: 194 },
]

const DAY_MS = 86_400_000

/** YYYY-MM-DD, so many days later. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}
