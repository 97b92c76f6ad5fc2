import { ADVISED_FIELDS, namesOf } from '../tables/field-lists.ts'
import type { GuideCode } from './guide.ts'
import type { Reading } from './text/reading.ts'

/** Fields that a finding can concern: the names of the API, and `check_content` for a check. */
export const FINDING_FIELDS = ['check_content', 'status', 'ident', ...namesOf(ADVISED_FIELDS)] as const

export type AdvisedField = (typeof FINDING_FIELDS)[number]

/** A fault of one text; `start` and `end` count UTF-16 code units, as strings of JavaScript do. */
export interface TextRemark {
  readonly code: GuideCode
  readonly start: number
  readonly end: number
  readonly message: string
  /** A replacement. */
  readonly suggestion: string | null
}

/** A remark with its field. */
export interface Finding extends TextRemark {
  readonly field: AdvisedField
  /** The check, if a rule has several; null for other fields. */
  readonly checkId: number | null
}

/** A finding with the beginning of the words that it is about. */
export interface QuotedFinding extends Finding {
  readonly quote: string
}

const MOST_QUOTED = 160

/** The beginning of a part of a text, without the rest of that, which V8 would keep with a mere part. */
export function quoteFrom(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return text
    .slice(start, Math.min(end, start + MOST_QUOTED))
    .split('')
    .join('')
}

/** The parts of the rule that a check of one text may read. */
export interface RuleTexts {
  readonly title: Reading
  /** All checks. */
  readonly checks: Reading
}

export type TextCheck = (reading: Reading, rule: RuleTexts) => readonly TextRemark[]
