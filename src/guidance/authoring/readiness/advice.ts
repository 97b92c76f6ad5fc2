import type { RuleStatus } from '../../database/schema/rules.ts'
import { FIELDS } from '../../fields/fields.ts'
import type { AuthoredRule } from '../rules/reader.ts'

/** Fields that statuses require: the same table as the blanked columns of DISA's vendor guide. */
const ASKED = FIELDS.filter((field) => field.asked !== null)

/** What a rule lacks for its status. It does not prevent a release. */
export type MissingPart =
  | 'status_missing'
  | 'check_missing'
  | (typeof ASKED)[number]['asked']['lack']
  | 'changes_requested'
  | 'under_review'

/** Whether a text is more than blanks. */
function says(text: string | null): boolean {
  return text !== null && text.trim() !== ''
}

function hasCheck({ checks }: AuthoredRule): boolean {
  return checks.some(({ content }) => says(content))
}

/** Statuses that require a check; a rule may have several checks. */
const CHECKED = new Set<RuleStatus>(['Applicable - Configurable', 'Applicable'])

function missing(rule: AuthoredRule): readonly MissingPart[] {
  const asked = ASKED.filter((field) => field.asked.by.some((status) => status === rule.status))
  return [
    ...(CHECKED.has(rule.status) && !hasCheck(rule) ? (['check_missing'] as const) : []),
    ...asked.filter(({ name }) => !says(rule[name])).map((field) => field.asked.lack),
  ]
}

/** What a reviewer would miss. A satisfied rule needs no texts of its own. */
export function lacksOf(rule: AuthoredRule): readonly MissingPart[] {
  const lacks: MissingPart[] = []
  if (rule.status === 'Not Yet Determined' && rule.document_type === 'stig')
    lacks.push('status_missing')
  if (rule.satisfiedBy.length === 0) lacks.push(...missing(rule))
  if (rule.changes_requested === 1) lacks.push('changes_requested')
  if (rule.review_requestor_id !== null) lacks.push('under_review')
  return lacks
}
