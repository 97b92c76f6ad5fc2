import type { RuleStatus } from '../../database/schema/rules.ts'
import { FIELDS } from '../../fields/fields.ts'
import type { AuthoredRule } from '../rules/reader.ts'

/** Fields that statuses require: the same table as the blanked columns of DISA's vendor guide. */
const ASKED = FIELDS.filter((field) => field.asked !== null)

/** A rule lacks these parts for its status. They do not prevent a release. */
export type MissingPart =
  | 'status_missing'
  | 'check_missing'
  | (typeof ASKED)[number]['asked']['lack']
  | 'changes_requested'
  | 'under_review'

/** Whether a text is more than blanks. */
function hasText(text: string | null): boolean {
  return text !== null && text.trim() !== ''
}

function hasCheck({ checks }: AuthoredRule): boolean {
  return checks.some(({ content }) => hasText(content))
}

/** Statuses that require a check; a rule may have several checks. */
const CHECKED = new Set<RuleStatus>(['Applicable - Configurable', 'Applicable'])

function missing(rule: AuthoredRule): readonly MissingPart[] {
  const asked = ASKED.filter((field) => field.asked.by.some((status) => status === rule.status))
  return [
    ...(CHECKED.has(rule.status) && !hasCheck(rule) ? (['check_missing'] as const) : []),
    ...asked.filter(({ name }) => !hasText(rule[name])).map((field) => field.asked.lack),
  ]
}

/** A reviewer would miss these parts. A satisfied rule needs no texts of its own. */
export function missingPartsOf(rule: AuthoredRule): readonly MissingPart[] {
  const missingParts: MissingPart[] = []
  if (rule.status === 'Not Yet Determined' && rule.document_type === 'stig') missingParts.push('status_missing')
  if (rule.satisfiedBy.length === 0) missingParts.push(...missing(rule))
  if (rule.changes_requested === 1) missingParts.push('changes_requested')
  if (rule.review_requestor_id !== null) missingParts.push('under_review')
  return missingParts
}
