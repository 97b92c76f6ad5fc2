import { offersFor } from '../panels/actions.ts'
import type { Values } from '../saving/draft.ts'
import type { FormField } from './values.ts'

/** The state that decides which fields are shown and which can be edited. */
export interface RuleState {
  /** Why nothing can be written; null: it can. */
  readonly closed: string | null
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
  /** Why it can only be read; null: it can be written. */
  readonly reason: string | null
  /** The reason where it is about this field alone; what is about the rule is said once, above the form. */
  readonly hint?: string
}

export const NEVER_DETERMINED = 'Not Yet Determined'
/** The requirement is what the rule is about, whatever the status is. */
const ALWAYS_SHOWN = 'title'
const CONFIGURABLE = 'Applicable - Configurable'

/** The fields that a status shows, in the order of the form. */
export function visibleFields(
  fields: readonly FormField[],
  values: Values,
  standing: RuleState,
): readonly VisibleField[] {
  const satisfied = standing.satisfiedBy.length > 0
  const status = satisfied ? CONFIGURABLE : standing.status
  return fields.flatMap((field) => {
    const stated = field.shown[status] ?? 'hidden'
    const showing = stated === 'hidden' && field.name === ALWAYS_SHOWN ? 'read' : stated
    const isHidden = showing === 'hidden' || (showing === 'advanced' && !standing.isAdvanced)
    if (isHidden || !isDue(field, values, standing)) return []
    const reason = reasonOf(field, showing === 'read', standing)
    return [{ field, reason, ...hintOf(field, reason, standing) }]
  })
}

/** Fields with an unresolved conflict are shown, whatever the status has become. */
export function withUndecided(
  all: readonly FormField[],
  shown: readonly VisibleField[],
  undecided: Values,
): readonly VisibleField[] {
  const reason = 'The status that the rule has now does not show this; two versions wait below.'
  return all.flatMap((field) => {
    const known = shown.find((one) => one.field === field)
    if (known !== undefined) return [known]
    return field.name in undecided ? [{ field, reason, hint: reason }] : []
  })
}

function isDue({ when }: FormField, values: Values, { srgSeverity }: RuleState): boolean {
  const { rule_severity: severity, mitigations_available: mitigated } = values
  if (when === null) return true
  if (when === 'other_severity') return srgSeverity !== null && severity !== srgSeverity
  return (mitigated === true) === (when === 'mitigations')
}

/** Only where the lock of a section is why it can only be read. */
function hintOf(field: FormField, reason: string | null, standing: RuleState): Pick<VisibleField, 'hint'> {
  return reason !== null && standing.closed === null && isSectionLocked(field, standing) ? { hint: reason } : {}
}

function isSectionLocked({ section }: FormField, { lockedSections }: RuleState): boolean {
  return section !== null && lockedSections.includes(section)
}

function reasonOf(field: FormField, isRead: boolean, standing: RuleState): string | null {
  const { section } = field
  const { closed, status, satisfiedBy } = standing
  if (closed !== null) return closed
  if (isSectionLocked(field, standing)) return `The section ${section} is locked.`
  if (satisfiedBy.length > 0) return `Satisfied by ${satisfiedBy.join(', ')}.`
  if (!isRead) return null
  return status === NEVER_DETERMINED ? 'Text of the SRG. Choose a status to write.' : `${status}: this stays as it is.`
}

/** Says why the rule cannot be edited, with the most important reason first; null if it can. */
export function closedBecause(rule: {
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
  const who = { id: rule.person, role: rule.role, isReleased: false }
  const revoke = offersFor(rule, who).find(({ action }) => action === 'revoke_review_request')
  return revoke?.reason === null
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
