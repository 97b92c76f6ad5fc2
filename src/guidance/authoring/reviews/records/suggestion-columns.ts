import type { ReviewsTable } from '../../../database/schema/reviews.ts'
import type { Suggestion } from './schemas.ts'

/** The columns of a review that hold its suggestion. */
export const SUGGESTION_COLUMNS = ['suggested_field', 'suggested_text', 'suggested_base', 'accepted_text'] as const

export type SuggestionColumns = Pick<ReviewsTable, (typeof SUGGESTION_COLUMNS)[number]>

const NO_SUGGESTION: SuggestionColumns = {
  suggested_field: null,
  suggested_text: null,
  suggested_base: null,
  accepted_text: null,
}

export function columnsOfSuggestion(suggestion: Suggestion | null): SuggestionColumns {
  if (suggestion === null) return NO_SUGGESTION
  const { field, text, base, accepted_text } = suggestion
  return { suggested_field: field, suggested_text: text, suggested_base: base, accepted_text }
}

export function suggestionOf(columns: SuggestionColumns): Suggestion | null {
  const { suggested_field: field, suggested_text: text, suggested_base: base, accepted_text } = columns
  return field === null ? null : { field, text: text ?? '', base: base ?? '', accepted_text }
}
