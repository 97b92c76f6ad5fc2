import { actorOf } from '../../../http/caller.ts'
import { refuseValues } from '../../../http/toast.ts'
import { CHECK_COLUMNS } from '../../../tables/field-lists.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { recordEvents } from '../../activity/events/record.ts'
import { displayedName, ruleIdOf } from '../../database/rule-names.ts'
import type { Reader, Writer } from '../../database/transaction.ts'
import { contentOf, readableContent } from '../rule-editing/content.ts'
import { insertRule } from '../rule-editing/create.ts'
import { ruleSubject } from '../rules/open.ts'
import { requireRule, type AuthoredRule } from '../rules/reader.ts'
import type { AcceptedRelocation, DecidableRelocation } from './accepted-relocation.ts'
import { requireDecider, type DeciderGrant } from './access.ts'
import { moveComments } from './comments.ts'
import { recipientFaults, acceptanceFaults, requireTarget, type TargetComponent } from './faults.ts'
import { relocationSubject } from './record.ts'
import type { Preview } from './schemas.ts'

export const NOT_ACCEPTED = 'Could not accept the proposal.'
export const NOT_DECLINED = 'Could not decline the proposal.'

/** Previews the acceptance, with all reasons against it. */
export async function previewAcceptance(reader: Reader, { relocation, targetId }: DeciderGrant): Promise<Preview> {
  const target = await requireTarget(reader, targetId)
  const source = await requireRule(reader, relocation.ruleId)
  const errors = [
    ...(await recipientFaults(reader, relocation, target)),
    ...(await acceptanceFaults(reader, source, target)),
  ]
  const { title, status, srg_rule_id: derived_from_srg_rule_id } = source
  const rule_id = ruleIdOf(target.last_rule_number + 1)
  const valid = errors.length === 0
  return {
    valid,
    errors: errors.map(({ message }) => message),
    source_displayed_name: relocation.name,
    target_component_id: target.id,
    target_component_name: target.name,
    would_create: { title, status, rule_id, derived_from_srg_rule_id },
    would_tombstone_source: valid,
  }
}

/**
 * Moves a requirement into the target, with its comments, and returns the id of the new rule. The old rule is removed,
 * but counted as moved out. 404 if the proposal was decided meanwhile, 422 with the reasons of `previewAcceptance`.
 */
export async function accept(writer: Writer, grant: DeciderGrant): Promise<number> {
  const { relocation, target } = await openForDecision(writer, grant)
  const source = await requireRule(writer, relocation.ruleId)
  const errors = [
    ...(await recipientFaults(writer, relocation, target)),
    ...(await acceptanceFaults(writer, source, target)),
  ]
  if (errors.length > 0) throw refuseValues(NOT_ACCEPTED, errors)
  const newRule = await addToTarget(writer, source, target)
  await moveComments(writer, { source, newRule, grant, relocation, target })
  await removeSource(writer, source)
  await markExecuted(writer, grant, newRule)
  await recordDecision(writer, { source, newRule, grant, relocation, target })
  return newRule.id
}

/** Locks both components, in the order of their ids, to prevent deadlocks. */
async function openForDecision(writer: Writer, grant: DeciderGrant): Promise<DecidableRelocation> {
  const { caller, relocation, targetId } = grant
  const components = new Set([relocation.componentId, targetId])
  for (const id of [...components].sort((a, b) => a - b)) await writer.lock('component', id)
  const now = await requireDecider(writer, caller, { id: relocation.id, targetId })
  return { relocation: now.relocation, target: await requireTarget(writer, targetId) }
}

/** Adds the requirement unchanged to the target, with the target's next number and its attachments. */
async function addToTarget(writer: Writer, source: AuthoredRule, target: TargetComponent): Promise<AuthoredRule> {
  const id = await insertRule(writer, target.id, { draft: source, content: contentOf(source) })
  await writer
    .insertInto('rule_checks')
    .columns(['rule_id', ...CHECK_COLUMNS])
    .expression((from) =>
      from
        .selectFrom('rule_checks')
        .select((is) => is.val(id).as('rule_id'))
        .select(CHECK_COLUMNS)
        .where('rule_id', '=', source.id)
        .orderBy('id'),
    )
    .execute()
  await writer
    .insertInto('rule_descriptions')
    .columns(['rule_id', 'description'])
    .expression((from) =>
      from
        .selectFrom('rule_descriptions')
        .select((is) => [is.val(id).as('rule_id'), 'description'])
        .where('rule_id', '=', source.id)
        .orderBy('id'),
    )
    .execute()
  await writer.updateTable('attachments').set({ rule_id: id }).where('rule_id', '=', source.id).execute()
  return requireRule(writer, id)
}

async function removeSource(writer: Writer, { id }: AuthoredRule): Promise<void> {
  const now = new Date().toISOString()
  const values = { deleted_at: now, updated_at: now }
  await writer.updateTable('rules').set(values).where('id', '=', id).execute()
}

async function markExecuted(
  writer: Writer,
  { caller, relocation }: DeciderGrant,
  newRule: AuthoredRule,
): Promise<void> {
  const now = new Date().toISOString()
  await writer
    .updateTable('requirement_relocations')
    .set({
      executed_at: now,
      updated_at: now,
      target_rule_id: newRule.id,
      accepted_by_id: caller.id,
      accepted_by_name: caller.name,
    })
    .where('id', '=', relocation.id)
    .execute()
}

/** Writes to the histories of both components, and notifies their followers. */
async function recordDecision(
  writer: Writer,
  { source, newRule, grant, relocation, target }: AcceptedRelocation,
): Promise<void> {
  const actor = actorOf(grant.caller)
  const [from, to] = [relocation.name, displayedName(newRule.prefix, newRule.number)]
  await writeAudit(writer, actor, {
    action: 'destroy',
    subject: ruleSubject(source, relocation.projectId),
    comment: `Relocated to ${to}`,
    before: readableContent(contentOf(source)),
  })
  await writeAudit(writer, actor, {
    action: 'create',
    subject: ruleSubject(newRule, target.project_id),
    comment: `Relocated from ${from}`,
    after: readableContent(contentOf(newRule)),
  })
  await writeAudit(writer, actor, {
    action: 'update',
    subject: relocationSubject(relocation),
    before: { state: 'open' },
    after: { state: 'executed', relocated_to: to },
  })
  await recordEvents(writer, actor, [
    {
      kind: 'rule.deleted',
      projectId: relocation.projectId,
      componentId: source.component_id,
      data: { rule_id: source.id, displayed_name: from },
    },
    {
      kind: 'rule.created',
      projectId: target.project_id,
      componentId: target.id,
      data: { rule_id: newRule.id, displayed_name: to, status: newRule.status },
    },
  ])
}

/**
 * Declines a proposal. Its authors still see it, with the reason. Only possible for a component that it was sent to,
 * even if that could not accept the requirement.
 */
export async function decline(writer: Writer, grant: DeciderGrant, rationale: string): Promise<void> {
  const { relocation, target } = await openForDecision(writer, grant)
  const errors = await recipientFaults(writer, relocation, target)
  if (errors.length > 0) throw refuseValues(NOT_DECLINED, errors)
  const { caller } = grant
  const now = new Date().toISOString()
  await writer
    .updateTable('requirement_relocations')
    .set({
      declined_at: now,
      updated_at: now,
      adjudication_rationale: rationale,
      declined_by_id: caller.id,
      declined_by_name: caller.name,
    })
    .where('id', '=', relocation.id)
    .execute()
  await writeAudit(writer, actorOf(caller), {
    action: 'update',
    subject: relocationSubject(relocation),
    before: { state: 'open' },
    after: { state: 'declined', adjudication_rationale: rationale },
  })
}
