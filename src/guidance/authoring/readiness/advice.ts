import { CHECK_CONTENT } from '../../../tables/check-fields.ts'
import { isRequired, REQUIRED_FIELDS } from '../../../tables/field-lists.ts'
import type { AuthoredRule } from '../rules/reader.ts'

const REQUIREMENTS = [CHECK_CONTENT.required, ...REQUIRED_FIELDS.map(({ required }) => required)]

type MissingField = (typeof REQUIREMENTS)[number]['code']

/** A rule lacks these parts for its status. They do not prevent a release. */
export type MissingPart = 'status_missing' | MissingField | 'changes_requested' | 'under_review'

export const MISSING_FIELDS = REQUIREMENTS.map(({ code }) => code)

export function messageOf(code: MissingField): string {
  return REQUIREMENTS.find((one) => one.code === code)?.message ?? ''
}

/** Whether a text is more than blanks. */
function hasText(text: string | null): boolean {
  return text !== null && text.trim() !== ''
}

function findMissingTexts(rule: AuthoredRule): readonly MissingPart[] {
  const hasCheck = rule.checks.some(({ content }) => hasText(content))
  const fields = REQUIRED_FIELDS.filter((field) => isRequired(field, rule.status) && !hasText(rule[field.name]))
  return [
    ...(isRequired(CHECK_CONTENT, rule.status) && !hasCheck ? [CHECK_CONTENT.required.code] : []),
    ...fields.map(({ required }) => required.code),
  ]
}

/** A reviewer would miss these parts. A satisfied rule needs no texts of its own. */
export function missingPartsOf(rule: AuthoredRule): readonly MissingPart[] {
  const missingParts: MissingPart[] = []
  if (rule.status === 'Not Yet Determined' && rule.document_type === 'stig') missingParts.push('status_missing')
  if (rule.satisfiedBy.length === 0) missingParts.push(...findMissingTexts(rule))
  if (rule.changes_requested === 1) missingParts.push('changes_requested')
  if (rule.review_requestor_id !== null) missingParts.push('under_review')
  return missingParts
}
