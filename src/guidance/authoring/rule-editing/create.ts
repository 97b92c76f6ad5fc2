import { actorOf } from '../../../http/caller.ts'
import { refuseValues } from '../../../http/toast.ts'
import { writeAudit } from '../../activity/audits/writer.ts'
import { recordEvents } from '../../activity/events/record.ts'
import { displayedName } from '../../database/rule-names.ts'
import type { Writer } from '../../database/transaction.ts'
import type { ComponentGrant } from '../access/component-access.ts'
import { ruleSubject } from '../rules/open.ts'
import { requireRule } from '../rules/reader.ts'
import { answerFaults, planAnswers, writeAnswers, type AnswerPlan } from './answers.ts'
import type { NewRule } from './changes.ts'
import { columnsOf, faultsOf, mergeContent, readableContent, type RuleContent } from './content.ts'
import { draftOf, NOT_CREATED, type Draft } from './drafts.ts'
import { partFaults, planParts, writeParts } from './parts.ts'

type TargetComponent = Pick<ComponentGrant, 'componentId' | 'projectId' | 'documentType' | 'caller'>

/**
 * Adds a rule with the component's next number, which is never reused, and returns its id. A duplicate copies
 * everything from another rule of the component except locks, reviews and links. Nested arrays in the request replace
 * the copied ones. The component must be locked.
 */
export async function createRule(writer: Writer, component: TargetComponent, request: NewRule): Promise<number> {
  const draft = await draftOf(writer, component, request)
  const planned = await plan(writer, component, { draft, request })
  const id = await insertRule(writer, component.componentId, { draft, content: planned.content })
  const parts = {
    checks_attributes: request.checks_attributes?.map(withoutId) ?? draft.checks,
    rule_descriptions_attributes: request.rule_descriptions_attributes?.map(withoutId) ?? draft.descriptions,
  }
  await writeParts(writer, id, planParts(NO_PARTS, parts))
  await writeAnswers(writer, id, planned.answers)
  await recordCreated(writer, component, { id, content: planned.content, request })
  return id
}

const NO_PARTS = { checks: [], descriptions: [] }

function withoutId<T extends object>(part: T): T & { readonly id: null } {
  return { ...part, id: null }
}

async function plan(
  writer: Writer,
  { componentId, documentType }: TargetComponent,
  { draft, request }: { readonly draft: Draft; readonly request: NewRule },
): Promise<{ readonly content: RuleContent; readonly answers: readonly AnswerPlan[] }> {
  const content = contentFor(draft, request)
  const parts = planParts(NO_PARTS, {
    checks_attributes: request.checks_attributes?.map(withoutId),
    rule_descriptions_attributes: request.rule_descriptions_attributes?.map(withoutId),
  })
  const before = draft.answers.map((answer) => ({ ...answer, answer: null }))
  const answers = await planAnswers(
    writer,
    { component_id: componentId, answers: before },
    request.additional_answers_attributes ?? draft.answers,
  )
  const faults = [
    ...faultsOf(draft.content, content, documentType),
    ...partFaults(parts),
    ...answerFaults({ document_type: documentType }, answers),
  ]
  if (faults.length > 0) throw refuseValues(NOT_CREATED, faults)
  return { content, answers }
}

function contentFor(draft: Draft, request: NewRule): RuleContent {
  const content = mergeContent(draft.content, columnsOf(null, request))
  const { inspec_control_file: file } = content
  return file !== null && file === draft.generated ? { ...content, inspec_control_file: null } : content
}

interface NewRuleRow {
  readonly draft: Pick<Draft, 'srg_rule_id' | 'vuln_id' | 'legacy_ids'>
  readonly content: RuleContent
}

/**
 * Adds a rule without its parts, with the component's next number, and returns its id. The component must be locked.
 */
export async function insertRule(writer: Writer, componentId: number, { draft, content }: NewRuleRow): Promise<number> {
  const { srg_rule_id, vuln_id, legacy_ids } = draft
  const number = await nextNumber(writer, componentId)
  const now = new Date().toISOString()
  const { id } = await writer
    .insertInto('rules')
    .values({
      ...content,
      srg_rule_id,
      vuln_id,
      legacy_ids,
      number,
      component_id: componentId,
      locked_fields: '{}',
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function nextNumber(writer: Writer, componentId: number): Promise<number> {
  const { last_rule_number } = await writer
    .updateTable('components')
    .set((is) => ({ last_rule_number: is('last_rule_number', '+', 1) }))
    .where('id', '=', componentId)
    .returning('last_rule_number')
    .executeTakeFirstOrThrow()
  return last_rule_number
}

async function recordCreated(
  writer: Writer,
  { componentId, projectId, caller }: TargetComponent,
  { id, content, request }: { readonly id: number; readonly content: RuleContent; readonly request: NewRule },
): Promise<void> {
  const rule = await requireRule(writer, id)
  const data = { rule_id: id, displayed_name: displayedName(rule.prefix, rule.number) }
  await writeAudit(writer, actorOf(caller), {
    action: 'create',
    subject: ruleSubject(rule, projectId),
    comment: request.audit_comment ?? null,
    after: readableContent(content),
  })
  await recordEvents(writer, actorOf(caller), [
    { kind: 'rule.created', projectId, componentId, data: { ...data, status: rule.status } },
  ])
}
