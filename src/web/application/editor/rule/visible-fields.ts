import { offeredActions } from '../panels/review-actions.ts'
import type { Values } from '../saving/draft.ts'
import type { FormField } from './values.ts'

/** The state that decides which fields are shown and which can be edited. */
export interface RuleState {
  /** Why the rule is read-only; null if it can be edited. */
  readonly readOnlyReason: string | null
  readonly status: string
  readonly lockedSections: readonly string[]
  /** Names of the rules that satisfy this one. */
  readonly satisfiedBy: readonly string[]
  /** Severity of the SRG's requirement; null without one. */
  readonly srgSeverity: string | null
  readonly isAdvanced: boolean
}

export interface VisibleField {
  readonly field: FormField
  /** Why it is read-only; null if it can be edited. */
  readonly reason: string | null
  /** The reason if it applies only to this field. Reasons that apply to the rule are shown once, above the form. */
  readonly hint?: string
}

export const NOT_DETERMINED = 'Not Yet Determined'
/** The title, which is the requirement, is shown with every status. */
const ALWAYS_SHOWN = 'title'
const CONFIGURABLE = 'Applicable - Configurable'

/** The fields that a status shows, in the order of the form. */
export function visibleFields(
  fields: readonly FormField[],
  values: Values,
  ruleState: RuleState,
): readonly VisibleField[] {
  const satisfied = ruleState.satisfiedBy.length > 0
  const status = satisfied ? CONFIGURABLE : ruleState.status
  return fields.flatMap((field) => {
    const listedAccess = field.shown[status] ?? 'hidden'
    const access = listedAccess === 'hidden' && field.name === ALWAYS_SHOWN ? 'read' : listedAccess
    const isHidden = access === 'hidden' || (access === 'advanced' && !ruleState.isAdvanced)
    if (isHidden || !meetsCondition(field, values, ruleState)) return []
    const reason = reasonOf(field, access === 'read', ruleState)
    return [{ field, reason, ...hintOf(field, reason, ruleState) }]
  })
}

/** Fields with an unresolved conflict are shown, whatever the status has become. */
export function withConflicts(
  all: readonly FormField[],
  shown: readonly VisibleField[],
  undecided: Values,
): readonly VisibleField[] {
  const reason = 'The status that the rule has now does not show this; two versions wait below.'
  return all.flatMap((field) => {
    const visibleField = shown.find((candidate) => candidate.field === field)
    if (visibleField !== undefined) return [visibleField]
    return field.name in undecided ? [{ field, reason, hint: reason }] : []
  })
}

function meetsCondition({ when }: FormField, values: Values, { srgSeverity }: RuleState): boolean {
  const { rule_severity: severity, mitigations_available: mitigated } = values
  if (when === null) return true
  if (when === 'other_severity') return srgSeverity !== null && severity !== srgSeverity
  return (mitigated === true) === (when === 'mitigations')
}

/** The hint at a field in a locked section. */
function hintOf(field: FormField, reason: string | null, ruleState: RuleState): Pick<VisibleField, 'hint'> {
  return reason !== null && ruleState.readOnlyReason === null && isSectionLocked(field, ruleState)
    ? { hint: reason }
    : {}
}

function isSectionLocked({ section }: FormField, { lockedSections }: RuleState): boolean {
  return section !== null && lockedSections.includes(section)
}

function reasonOf(field: FormField, isReadOnly: boolean, ruleState: RuleState): string | null {
  const { section } = field
  const { readOnlyReason, status, satisfiedBy } = ruleState
  if (readOnlyReason !== null) return readOnlyReason
  if (isSectionLocked(field, ruleState)) return `The section ${section} is locked.`
  if (satisfiedBy.length > 0) return `Satisfied by ${satisfiedBy.join(', ')}.`
  if (!isReadOnly) return null
  return status === NOT_DETERMINED ? 'Text of the SRG. Choose a status to write.' : `${status}: this stays as it is.`
}

/** Says why the rule cannot be edited, with the most important reason first; null if it can. */
export function readOnlyReason(rule: {
  readonly locked: boolean
  readonly review_requestor_id: number | null
  readonly role: string | null
  readonly released: boolean
  readonly isSiteAdmin: boolean
  readonly person: number
}): string | null {
  if (rule.released && !rule.isSiteAdmin) return 'The component is released.'
  if (rule.role === null || rule.role === 'viewer') return 'You are a viewer here; authors write.'
  if (rule.locked) return 'The rule is locked.'
  if (rule.review_requestor_id === null) return null
  const actor = { id: rule.person, role: rule.role, isReleased: false }
  const withdrawal = offeredActions(rule, actor).find(({ action }) => action === 'revoke_review_request')
  return withdrawal?.reason === null
    ? 'The rule is under review. Withdraw the request to go on writing.'
    : 'The rule is under review, until a reviewer decides or the requester withdraws.'
}

/** Whether a status asks for a field that is still empty. */
export function isMissing(field: FormField, values: Values, { status, srgSeverity }: RuleState): boolean {
  const { [field.name]: value = null, rule_severity: severity } = values
  const isEmpty = value === null || value === ''
  if (field.when === 'other_severity') return isEmpty && severity !== srgSeverity
  return isEmpty && field.asked.includes(status)
}
