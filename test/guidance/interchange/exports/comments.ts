import type { GuidanceUnderTest, Person } from '../../../support/guidance.ts'
import { placeComment } from '../../../support/samples/reviews.ts'

interface Comment {
  readonly component: number
  readonly rule: number | null
  readonly text: string
  readonly replyTo?: number
  /** Whether it was triaged and adjudicated. */
  readonly concur?: boolean
}

/** Puts a comment on a rule, or on a component, past HTTP; its number. */
export function comment(
  guidance: GuidanceUnderTest,
  author: Person,
  { component, rule, text, replyTo, concur = false }: Comment,
): Promise<number> {
  const posted = '2026-01-05T10:00:00.000Z'
  const triaged = { triage_set_by_name: author.name, triage_set_at: '2026-01-06T10:00:00.000Z' }
  const closed = { adjudicated_by_name: author.name, adjudicated_at: '2026-01-07T10:00:00.000Z' }
  const status = concur ? ('concur' as const) : ('pending' as const)
  return placeComment(guidance, author, {
    component_id: component,
    rule_id: rule,
    section: 'fixtext',
    comment: text,
    triage_status: replyTo === undefined ? status : null,
    responding_to_review_id: replyTo ?? null,
    ...(concur && { ...triaged, ...closed }),
    created_at: posted,
    updated_at: posted,
  })
}
