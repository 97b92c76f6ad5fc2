import { ADVISED_FIELDS, namesOf } from '../tables/field-lists.ts'
import type { GuideCode } from './guide.ts'
import type { ParsedText } from './text/parsed-text.ts'

/** Fields that a finding can concern: the names of the API, and `check_content` for a check. */
export const FINDING_FIELDS = ['check_content', 'status', 'ident', ...namesOf(ADVISED_FIELDS)] as const

export type AdvisedField = (typeof FINDING_FIELDS)[number]

/** A fault in a text; `start` and `end` are in UTF-16 code units. */
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

/** A finding with the beginning of its passage. */
export interface QuotedFinding extends Finding {
  readonly quote: string
}

const MAX_QUOTED = 160

/** The beginning of a passage, as a copy: a mere slice would keep the whole text in the memory of V8. */
export function quoteFrom(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return text
    .slice(start, Math.min(end, start + MAX_QUOTED))
    .split('')
    .join('')
}

/** The parts of the rule that a check of one text may read. */
export interface RuleTexts {
  readonly title: ParsedText
  /** All checks. */
  readonly checks: ParsedText
}

export type TextCheck = (reading: ParsedText, rule: RuleTexts) => readonly TextRemark[]
