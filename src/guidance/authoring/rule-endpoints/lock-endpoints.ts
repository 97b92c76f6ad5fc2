import { z } from 'zod'
import type { Caller } from '../../../http/caller.ts'
import { endpoint, type Endpoint } from '../../../http/endpoint.ts'
import { idParams, optionalText, requiredText } from '../../../http/input.ts'
import { confirmation, toast, toastSchema, type Toast } from '../../../http/toast.ts'
import { Refusal } from '../../../platform/errors.ts'
import { isRequired, namesOf, REQUIRED_FIELDS } from '../../../tables/field-lists.ts'
import { SECTIONS, type Section } from '../../../tables/sections.ts'
import type { Writer } from '../../database/transaction.ts'
import { firstLines } from '../../parts/name-some.ts'
import type { Parts } from '../../parts/parts.ts'
import { componentRole, requireComponentRole, ruleRole } from '../access/component-access.ts'
import { ruleIds } from '../rule-bulk/inputs.ts'
import { selectRules } from '../rule-bulk/replace.ts'
import { requireEditorRule } from '../rule-editing/editor.ts'
import { lockRules, lockSections, nameOf, type NamedRule } from '../rule-locks/locking.ts'
import { openRule } from '../rules/open.ts'
import { findRules, ofComponent, type AuthoredRule } from '../rules/reader.ts'
import { ruleEditor, type RuleEditor } from '../rules/schemas.ts'

const TAG = 'Rules'

/** Locks on rules and on their sections (docs/contract.md, Review and locks). */
export function ruleLockEndpoints(parts: Parts): readonly Endpoint[] {
  return [lockOne(parts), lockSeveral(parts), lockEverywhere(parts), lockAll(parts)]
}

const NOT_LOCKED = 'Could not lock.'
const NAMES = namesOf(SECTIONS)
const comment = optionalText('Comment', { max: 4000 }).optional()
const locked = z.boolean('Locked must be true or false')
/** Accepts any text: the handler names unknown sections in its refusal. */
const section = z.string('Section must be a text').max(100, 'Section is too long')
const sections = z
  .array(section, 'Sections must be a list of names')
  .min(1, "Sections can't be blank")
  .max(NAMES.length, `There are more than ${NAMES.length} sections`)

function requireSections(names: readonly string[]): readonly Section[] {
  return [...new Set(names)].map((name) => {
    const section = NAMES.find((section) => section === name)
    if (section === undefined) throw invalidSection(name)
    return section
  })
}

/** The refusal has the member `error`, which existing clients look for. */
function invalidSection(name: string): Refusal {
  const error = `Invalid section: ${name}`
  const message = `${error}. It must be one of: ${NAMES.join(', ')}`
  return new Refusal('validation_failed', message, {
    error,
    toast: { title: 'Invalid sections', message, variant: 'danger' },
    errors: [{ field: 'sections', message }],
  })
}

const lockedRule = z.object({ rule: ruleEditor, toast: toastSchema })

function lockOne({ database }: Parts): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/rules/{id}/section_locks',
    operation: 'lockRuleSection',
    tag: TAG,
    summary: 'Lock or unlock one section of a rule',
    access: ruleRole(database, 'reviewer', { unreleased: true }),
    failure: NOT_LOCKED,
    input: z.object({ params: idParams, body: z.object({ section, locked, comment }) }),
    answer: lockedRule,
    handle: ({ grant, input: { body } }) =>
      performLock(database, { ...grant, ...body, sections: requireSections([body.section]) }),
  })
}

function lockSeveral({ database }: Parts): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/rules/{id}/bulk_section_locks',
    operation: 'lockRuleSections',
    tag: TAG,
    summary: 'Lock or unlock several sections of a rule',
    access: ruleRole(database, 'reviewer', { unreleased: true }),
    failure: NOT_LOCKED,
    input: z.object({ params: idParams, body: z.object({ sections, locked, comment }) }),
    answer: lockedRule,
    handle: ({ grant, input: { body } }) =>
      performLock(database, { ...grant, ...body, sections: requireSections(body.sections) }),
  })
}

interface LockRequest {
  readonly caller: Caller
  readonly ruleId: number
  readonly sections: readonly Section[]
  readonly locked: boolean
  readonly comment?: string | null | undefined
}

async function performLock(database: Parts['database'], request: LockRequest): Promise<z.input<typeof lockedRule>> {
  const rule = await database.transact((writer) => lockRule(writer, request))
  return { rule, ...confirm(request.locked, request.sections) }
}

async function lockRule(
  writer: Writer,
  { caller, ruleId, sections: requestedSections, locked: lock, comment: reason = null }: LockRequest,
): Promise<RuleEditor> {
  const { rule, grant } = await openRule(writer, caller, { ruleId, least: 'reviewer', alone: true })
  const { projectId } = grant
  await lockSections(writer, [rule], { sections: requestedSections, lock, caller, projectId, comment: reason })
  return requireEditorRule(writer, ruleId, caller)
}

function confirm(lock: boolean, names: readonly string[]): { readonly toast: Toast } {
  return toast(lock ? 'Sections locked.' : 'Sections unlocked.', names.join(', '))
}

function lockEverywhere({ database }: Parts): Endpoint {
  return endpoint({
    method: 'patch',
    path: '/components/{id}/lock_sections',
    operation: 'lockComponentSections',
    tag: TAG,
    summary: 'Lock or unlock sections of rules of a component that are not locked as a whole',
    access: componentRole(database, 'reviewer', { unreleased: true }),
    failure: NOT_LOCKED,
    input: z.object({
      params: idParams,
      body: z.object({
        sections,
        locked,
        comment,
        rule_ids: ruleIds.optional().meta({ description: 'Without it, all rules' }),
      }),
    }),
    answer: confirmation,
    handle: async ({ grant: { caller, componentId }, input: { body } }) => {
      const requestedSections = requireSections(body.sections)
      const count = await database.transact(async (writer) => {
        await writer.lock('component', componentId)
        const requirement = { componentId, least: 'reviewer', unreleased: true } as const
        const { projectId } = await requireComponentRole(writer, caller, requirement)
        const rules = await findRules(writer, ofComponent(componentId))
        const open = selectRules(rules, body.rule_ids ?? null, NOT_LOCKED).filter((rule) => rule.locked === 0)
        const context = { caller, projectId, comment: body.comment ?? null }
        return (await lockSections(writer, open, { ...context, sections: requestedSections, lock: body.locked })).length
      })
      const title = body.locked ? 'Sections locked.' : 'Sections unlocked.'
      return toast(title, `${requestedSections.join(', ')}: ${count} rules`)
    },
  })
}

const lockBody = z.object({
  review: z.object({
    action: z.literal('lock_control', 'Action must be lock_control'),
    comment: requiredText('Comment', { max: 4000 }),
  }),
})

interface SkippedRule extends NamedRule {
  readonly reason: string
}

function lockAll({ database }: Parts): Endpoint {
  return endpoint({
    method: 'post',
    path: '/components/{id}/lock',
    operation: 'lockComponent',
    tag: TAG,
    summary: 'Lock all rules of a component that are ready for it',
    access: componentRole(database, 'admin', { unreleased: true }),
    failure: 'Could not lock rules.',
    input: z.object({ params: idParams, body: lockBody }),
    answer: confirmation,
    handle: async ({ grant: { caller, componentId }, input: { body } }) => {
      const { count, skipped } = await database.transact(async (writer) => {
        await writer.lock('component', componentId)
        const requirement = { componentId, least: 'admin', unreleased: true } as const
        const { projectId } = await requireComponentRole(writer, caller, requirement)
        const rules = await findRules(writer, ofComponent(componentId))
        return lockReady(writer, rules, { caller, projectId, comment: body.review.comment })
      })
      const message = skipped.length === 0 ? 'No rule was skipped.' : listSkipped(skipped)
      const confirmation = toast(`Locked ${count} ${count === 1 ? 'rule' : 'rules'}.`, message)
      const variant: Toast['variant'] = skipped.length === 0 ? 'success' : 'warning'
      return { toast: { ...confirmation.toast, variant }, locked: count, skipped }
    },
  })
}

async function lockReady(
  writer: Writer,
  rules: readonly AuthoredRule[],
  context: Omit<Parameters<typeof lockRules>[2], 'lock'>,
): Promise<{ readonly count: number; readonly skipped: readonly SkippedRule[] }> {
  const open = rules.filter((rule) => rule.locked === 0)
  const skipped = open.flatMap((rule) => {
    const reason = whyNotReady(rule)
    return reason === null ? [] : [{ ...nameOf(rule), reason }]
  })
  const ready = open.filter((rule) => whyNotReady(rule) === null)
  if (ready.length === 0) throw nothingToLock(skipped)
  await lockRules(writer, ready, { ...context, lock: true })
  return { count: ready.length, skipped }
}

/** The reason why a rule is skipped when all rules are locked; null if it is not skipped. */
function whyNotReady(rule: AuthoredRule): string | null {
  const { status } = rule
  if (rule.review_requestor_id !== null) return 'It is under review'
  if (status === 'Not Yet Determined' && rule.satisfiedBy.length === 0) return 'Its status is not yet determined'
  const missing = REQUIRED_FIELDS.find(
    (field) => field.required.notLocked !== null && isRequired(field, status) && rule[field.name] === null,
  )
  return missing?.required.notLocked ?? null
}

function nothingToLock(skipped: readonly SkippedRule[]): Refusal {
  const title = 'No rule can be locked.'
  const message = listSkipped(skipped)
  return new Refusal('validation_failed', `${title} ${message}`.trim(), {
    toast: { title, message, variant: 'warning' },
    errors: skipped.map((rule) => ({ field: null, message: listSkipped([rule]) })),
    skipped,
  })
}

/** Lists the first skipped rules for people. The member `skipped` has all of them. */
function listSkipped(skipped: readonly SkippedRule[]): string {
  return firstLines(skipped.map(({ displayed_name, reason }) => `${displayed_name}: ${reason}`)).join('\n')
}
