import { actorOf, type Caller } from '../../../http/caller.ts'
import { inPortions } from '../../../platform/concurrency/turns.ts'
import type { EventKind } from '../../../tables/event-kinds.ts'
import type { Section } from '../../../tables/sections.ts'
import { writeAudits } from '../../activity/audits/writer.ts'
import { recordEvents, type NewEvent } from '../../activity/events/record.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Writer } from '../../database/transaction.ts'
import { ruleSubject } from '../rules/open.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import { lockedFieldsOf } from '../rules/shape.ts'
import { writeSummary } from './audit.ts'

/** The number of rules in one statement, which has a limited number of parameters. */
export const BATCH_SIZE = 500
/** The number of rules to record at once, each with its own texts. Other requests run in between. */
const RECORDED_AT_ONCE = 100

/** The author of a change, with the comment and the project for the audit trail. */
export interface ChangeContext {
  readonly caller: Caller
  readonly projectId: number
  readonly comment: string | null
}

/** A rule in answers that list several. */
export interface NamedRule {
  readonly id: number
  readonly displayed_name: string
}

export function nameOf({ id, prefix, number }: AuthoredRule): NamedRule {
  return { id, displayed_name: displayedName(prefix, number) }
}

/**
 * Locks or unlocks whole rules, each with a review that names the person and the reason, as if done one by one
 * (docs/contract.md, Review and locks). The rules must be in the other state, and their component must be locked.
 */
export async function lockRules(
  writer: Writer,
  rules: readonly AuthoredRule[],
  { lock, ...context }: ChangeContext & { readonly lock: boolean },
): Promise<void> {
  const { caller, projectId, comment } = context
  const now = new Date().toISOString()
  const action = lock ? ('lock_control' as const) : ('unlock_control' as const)
  for await (const portion of inPortions(rules, BATCH_SIZE)) {
    const ids = portion.map(({ id }) => id)
    await writer
      .updateTable('rules')
      .set((is) => ({
        locked: lock ? 1 : 0,
        updated_at: now,
        lock_version: is('lock_version', '+', 1),
      }))
      .where('id', 'in', ids)
      .execute()
    const reviews = portion.map(({ id, component_id }) => ({
      component_id,
      rule_id: id,
      user_id: caller.id,
      author_name: caller.name,
      action,
      comment: comment ?? '',
      created_at: now,
      updated_at: now,
    }))
    await writer.insertInto('reviews').values(reviews).execute()
  }
  await summarise(writer, rules, {
    caller,
    projectId,
    comment,
    done: lock ? 'Locked' : 'Unlocked',
  })
  await recordChanges(writer, rules, {
    caller,
    projectId,
    comment,
    kind: lock ? 'rule.locked' : 'rule.unlocked',
    values: () => [{ locked: !lock }, { locked: lock }],
  })
}

/** Writes a summary to the history of the component. */
export async function summarise(
  writer: Writer,
  rules: readonly AuthoredRule[],
  { caller, comment, done }: ChangeContext & { readonly done: string },
): Promise<void> {
  const [first] = rules
  if (first === undefined || rules.length === 1) return
  const summary = `${done} ${rules.length} rules.`
  await writeSummary(writer, caller, {
    componentId: first.component_id,
    comment: comment === null ? summary : `${summary} ${comment}`,
    after: { controls: rules.map((rule) => nameOf(rule).displayed_name) },
  })
}

type LockValues = Parameters<typeof writeSummary>[2]['after']

interface ReportedChange extends ChangeContext {
  readonly kind: EventKind
  readonly values: (rule: AuthoredRule) => readonly [before: LockValues, after: LockValues]
}

/**
 * Adds an audit entry and an event for each rule. If there are several rules, the histories of the component and the
 * project show one summary instead (`writeSummary`).
 */
export async function recordChanges(
  writer: Writer,
  rules: readonly AuthoredRule[],
  report: ReportedChange,
): Promise<readonly number[]> {
  const isSingle = rules.length === 1
  const audits: number[] = []
  for await (const batch of inPortions(rules, RECORDED_AT_ONCE))
    audits.push(...(await recordPortion(writer, batch, { ...report, isSingle })))
  return audits
}

async function recordPortion(
  writer: Writer,
  rules: readonly AuthoredRule[],
  { caller, projectId, comment, kind, values, isSingle }: ReportedChange & { readonly isSingle: boolean },
): Promise<readonly number[]> {
  const entries = rules.map((rule) => {
    const [before, after] = values(rule)
    const { type, id, name } = ruleSubject(rule, projectId)
    const subject = isSingle ? ruleSubject(rule, projectId) : { type, id, name }
    return { action: 'update', subject, comment, before, after } as const
  })
  const events = rules.map((rule, index): NewEvent => {
    const fields = Object.keys(entries[index]?.after ?? {})
    const { id: rule_id, component_id: componentId } = rule
    const { displayed_name } = nameOf(rule)
    return { kind, projectId, componentId, data: { rule_id, displayed_name, fields } }
  })
  await recordEvents(writer, actorOf(caller), events)
  return writeAudits(writer, actorOf(caller), entries)
}

interface SectionLock extends ChangeContext {
  readonly sections: readonly Section[]
  readonly lock: boolean
}

/** Locks or unlocks sections of rules, and returns the rules that changed. Their component must be locked. */
export async function lockSections(
  writer: Writer,
  rules: readonly AuthoredRule[],
  { sections, lock, ...context }: SectionLock,
): Promise<readonly AuthoredRule[]> {
  const after = new Map(rules.map((rule) => [rule.id, sectionsAfter(rule, sections, lock)]))
  const changed = rules.filter((rule) => JSON.stringify(after.get(rule.id)) !== JSON.stringify(sectionsOf(rule)))
  const byOutcome = new Map<string, number[]>()
  for (const { id } of changed) {
    const fields = (after.get(id) ?? []).map((section) => [section, true] as const)
    const stored = JSON.stringify(Object.fromEntries(fields))
    byOutcome.set(stored, [...(byOutcome.get(stored) ?? []), id])
  }
  for (const [locked_fields, ids] of byOutcome) await storeSections(writer, locked_fields, ids)
  await summarise(writer, changed, { ...context, done: `${lock ? 'Locked' : 'Unlocked'} ${sections.join(', ')} of` })
  await recordChanges(writer, changed, {
    ...context,
    kind: 'rule.updated',
    values: (rule) => [{ locked_fields: sectionsOf(rule) }, { locked_fields: after.get(rule.id) ?? [] }],
  })
  return changed
}

function sectionsOf(rule: AuthoredRule): readonly string[] {
  return Object.keys(lockedFieldsOf(rule)).sort()
}

function sectionsAfter(rule: AuthoredRule, sections: readonly Section[], lock: boolean): readonly string[] {
  const sectionNames = new Set<string>(sections)
  const others = sectionsOf(rule).filter((section) => !sectionNames.has(section))
  return lock ? [...others, ...sectionNames].sort() : others
}

async function storeSections(writer: Writer, locked_fields: string, ids: readonly number[]): Promise<void> {
  const updated_at = new Date().toISOString()
  for await (const portion of inPortions(ids, BATCH_SIZE))
    await writer
      .updateTable('rules')
      .set((is) => ({ locked_fields, updated_at, lock_version: is('lock_version', '+', 1) }))
      .where('id', 'in', portion)
      .execute()
}
