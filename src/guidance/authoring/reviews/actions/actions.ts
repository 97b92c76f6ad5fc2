import { actorOf, type Caller } from '../../../../http/caller.ts'
import { notFound } from '../../../../http/input.ts'
import { refuseValues } from '../../../../http/toast.ts'
import { Pauses } from '../../../../platform/concurrency/turns.ts'
import type { EventKind } from '../../../../tables/event-kinds.ts'
import { writeAudit } from '../../../activity/audits/writer.ts'
import { recordEvents } from '../../../activity/events/record.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { Role } from '../../../database/schema/memberships.ts'
import type { ReviewAction } from '../../../database/schema/reviews.ts'
import type { Writer } from '../../../database/transaction.ts'
import { firstLines } from '../../../parts/name-some.ts'
import { hasRole } from '../../../parts/project-access.ts'
import { requireComponentRole, type RuleGrant } from '../../access/component-access.ts'
import { requireReview } from '../records/record.ts'
import type { Review } from '../records/schemas.ts'
import { refuseState } from './phase.ts'
import { insertReview } from './post.ts'

/** Actions that change whether a rule is edited, reviewed or locked. */
export type LifecycleAction = Exclude<ReviewAction, 'comment'>

/** The columns of a rule that these actions change. */
interface LifecycleState {
  readonly locked: number
  readonly review_requestor_id: number | null
  readonly changes_requested: number
}

interface LifecycleStep {
  readonly least: Role
  /** Whether the action is part of authoring, which ends with the release (docs/contract.md, Roles). */
  readonly authoring?: boolean
  /** Whether the action needs a comment with the reason. */
  readonly needsReason?: boolean
  /** The reason why the action is not possible now; null if it is. */
  readonly obstacle: (state: LifecycleState, caller: CallerRole) => string | null
  readonly change: (caller: Caller) => Partial<LifecycleState>
  readonly event: EventKind
}

interface CallerRole {
  readonly id: number
  readonly role: Role
}

const LOCKED = 'The rule is locked.'
const UNDER_REVIEW = 'The rule is under review.'
const NOT_UNDER_REVIEW = 'The rule is not under review.'

function whyNotFree({ locked, review_requestor_id }: LifecycleState): string | null {
  if (locked === 1) return LOCKED
  return review_requestor_id === null ? null : UNDER_REVIEW
}

/** Only an administrator may decide on their own request. */
function whyNotReviewable({ review_requestor_id }: LifecycleState, { id, role }: CallerRole): string | null {
  if (review_requestor_id === null) return NOT_UNDER_REVIEW
  return review_requestor_id === id && !hasRole(role, 'admin')
    ? 'You requested this review, so somebody else must decide on it.'
    : null
}

function whyNotRevocable({ review_requestor_id }: LifecycleState, { id, role }: CallerRole): string | null {
  if (review_requestor_id === null) return NOT_UNDER_REVIEW
  return review_requestor_id === id || hasRole(role, 'admin')
    ? null
    : 'Only the requester or an administrator may revoke the request.'
}

/** The table of docs/contract.md, Review and locks. */
const STEPS: Readonly<Record<LifecycleAction, LifecycleStep>> = {
  request_review: {
    least: 'author',
    authoring: true,
    obstacle: whyNotFree,
    event: 'rule.review_requested',
    change: ({ id }) => ({ review_requestor_id: id, changes_requested: 0 }),
  },
  revoke_review_request: {
    least: 'author',
    authoring: true,
    obstacle: whyNotRevocable,
    event: 'rule.updated',
    change: () => ({ review_requestor_id: null }),
  },
  request_changes: {
    least: 'reviewer',
    needsReason: true,
    obstacle: whyNotReviewable,
    event: 'rule.changes_requested',
    change: () => ({ review_requestor_id: null, changes_requested: 1 }),
  },
  approve: {
    least: 'reviewer',
    obstacle: whyNotReviewable,
    event: 'rule.locked',
    change: () => ({ review_requestor_id: null, locked: 1 }),
  },
  lock_control: {
    least: 'admin',
    needsReason: true,
    obstacle: whyNotFree,
    event: 'rule.locked',
    change: () => ({ locked: 1 }),
  },
  unlock_control: {
    // A released rule stays locked, also when many rules are edited at once.
    least: 'admin',
    needsReason: true,
    authoring: true,
    event: 'rule.unlocked',
    obstacle: ({ locked }) => (locked === 1 ? null : 'The rule is not locked.'),
    change: () => ({ locked: 0 }),
  },
}

interface RequestedAction {
  readonly action: LifecycleAction
  readonly comment: string
}

/**
 * Requests, revokes or decides a review of a rule, or locks or unlocks it (docs/contract.md, Review and locks). 403
 * without the role, 422 if the rule is in another state.
 */
export async function takeAction(
  writer: Writer,
  { caller, componentId, ruleId }: RuleGrant,
  requested: RequestedAction,
): Promise<Review> {
  const { step, role } = await openStep(writer, { caller, componentId }, requested)
  const [rule] = await findStates(writer, componentId, [ruleId])
  if (rule === undefined) throw notFound()
  const obstacle = step.obstacle(rule, { id: caller.id, role })
  if (obstacle !== null) throw refuseState(NOT_REVIEWED, obstacle)
  const id = await performAction(writer, rule, { ...requested, step, caller })
  return requireReview(writer, caller, id)
}

/** Takes an action on several rules of a component: on all, or on none with all obstacles. */
export async function takeActions(
  writer: Writer,
  { caller, componentId, ruleIds }: RulesToReview,
  requested: RequestedAction,
): Promise<void> {
  const { step, role } = await openStep(writer, { caller, componentId }, requested)
  const rules = await findStates(writer, componentId, ruleIds)
  const knownIds = new Set(rules.map(({ id }) => id))
  const unknownRules = ruleIds
    .filter((id) => !knownIds.has(id))
    .map((id) => `The component has no rule with the id ${id}`)
  const obstacles = rules.flatMap((rule) => {
    const obstacle = step.obstacle(rule, { id: caller.id, role })
    return obstacle === null ? [] : [`${displayedName(rule.prefix, rule.number)}: ${obstacle}`]
  })
  const faults = [...unknownRules, ...obstacles]
  if (faults.length > 0) throw refuseAll(faults)
  const pauses = new Pauses()
  for (const rule of rules) {
    await performAction(writer, rule, { ...requested, step, caller })
    await pauses.rest()
  }
}

interface RulesToReview {
  readonly caller: Caller
  readonly componentId: number
  readonly ruleIds: readonly number[]
}

function refuseAll(faults: readonly string[]): Error {
  return refuseValues(
    NOT_REVIEWED,
    firstLines(faults).map((message) => ({ field: 'rule_ids', message })),
  )
}

/** Locks the component and checks the role that the action needs. */
async function openStep(
  writer: Writer,
  { caller, componentId }: Omit<RulesToReview, 'ruleIds'>,
  { action, comment }: RequestedAction,
): Promise<{ readonly step: LifecycleStep; readonly role: Role }> {
  const step = STEPS[action]
  requireComment(step, comment)
  await writer.lock('component', componentId)
  const requirement = { componentId, least: step.least, unreleased: step.authoring === true }
  const { role } = await requireComponentRole(writer, caller, requirement)
  return { step, role: role ?? 'viewer' }
}

/** Takes a possible action, and returns the id of its review. */
async function performAction(
  writer: Writer,
  rule: RuleState,
  { step, caller, action, comment }: RequestedAction & { readonly step: LifecycleStep; readonly caller: Caller },
): Promise<number> {
  const changes = step.change(caller)
  const now = new Date().toISOString()
  await writer
    .updateTable('rules')
    .set({ ...changes, lock_version: rule.lock_version + 1, updated_at: now })
    .where('id', '=', rule.id)
    .execute()
  await recordAction(writer, rule, { step, changes, caller, comment })
  return insertReview(writer, {
    caller,
    componentId: rule.component_id,
    ruleId: rule.id,
    action,
    comment,
    originalRuleId: null,
    section: null,
    repliesTo: null,
    pending: false,
  })
}

const NOT_REVIEWED = 'Could not add review.'

function requireComment({ needsReason = false }: LifecycleStep, comment: string): void {
  if (!needsReason || comment !== '') return
  throw refuseValues(NOT_REVIEWED, [{ field: 'comment', message: "Comment can't be blank" }])
}

type RuleState = Awaited<ReturnType<typeof findStates>>[number]

/** Live rules of the component with these ids, by number. */
function findStates(writer: Writer, componentId: number, ruleIds: readonly number[]) {
  return writer
    .selectFrom('rules')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .select(['rules.id', 'rules.number', 'rules.lock_version', 'rules.component_id'])
    .select(['rules.locked', 'rules.review_requestor_id', 'rules.changes_requested'])
    .select(['components.project_id', 'components.prefix'])
    .where('rules.id', 'in', ruleIds)
    .where('rules.component_id', '=', componentId)
    .where('rules.deleted_at', 'is', null)
    .orderBy('rules.number')
    .execute()
}

interface CompletedAction {
  readonly step: LifecycleStep
  readonly changes: Partial<LifecycleState>
  readonly caller: Caller
  readonly comment: string
}

async function recordAction(
  writer: Writer,
  rule: RuleState,
  { step, changes, caller, comment }: CompletedAction,
): Promise<void> {
  const name = displayedName(rule.prefix, rule.number)
  const { id, component_id: componentId, project_id: projectId } = rule
  const after = stateOf({ ...rule, ...changes })
  await writeAudit(writer, actorOf(caller), {
    action: 'update',
    comment: comment === '' ? null : comment,
    before: stateOf(rule),
    after,
    subject: { type: 'Rule', id, name, projectId, componentId },
  })
  const data = { rule_id: id, displayed_name: name, ...after }
  await recordEvents(writer, actorOf(caller), [{ kind: step.event, projectId, componentId, data }])
}

function stateOf({ locked, review_requestor_id, changes_requested }: LifecycleState): {
  readonly locked: boolean
  readonly review_requestor_id: number | null
  readonly changes_requested: boolean
} {
  return { review_requestor_id, locked: locked === 1, changes_requested: changes_requested === 1 }
}
