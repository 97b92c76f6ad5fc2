import type { Caller } from '../../../../http/caller.ts'
import { requireSources } from '../../../authoring/component-creation/from-srg.ts'
import { insertComponentRow, type NewRecord } from '../../../authoring/components/record.ts'
import { insertRuleRows, type NewRule } from '../../../authoring/rule-editing/new-rules.ts'
import type { Writer } from '../../../database/transaction.ts'
import type { RuleRecord } from '../format/schemas.ts'
import { rowOf } from '../format/shape.ts'
import { stageAttachments } from './attachments.ts'
import { chunksOf } from './chunks.ts'
import { stageMilestones } from './milestones.ts'
import type { People } from './people.ts'
import { findKnown, keyOf, sourcesOf, type ChosenComponent } from './plan.ts'
import { Requirements } from './requirements.ts'
import { stageReviews } from './stage-reviews.ts'
import type { Staging } from './staging.ts'

export interface StagingOptions {
  readonly caller: Caller
  readonly people: People
  readonly includeReviews: boolean
  /** The file of the archive, which contains its attachments. */
  readonly path: string
}

/** A component with all its records in the staging project. */
export interface StagedComponent {
  readonly id: number
  readonly record: NewRecord
  readonly chosen: ChosenComponent
}

/** Writes a component of an archive in portions. Its SRGs must be in the catalogue. */
export async function stageComponent(
  staging: Staging,
  chosen: ChosenComponent,
  { caller, people, includeReviews, path }: StagingOptions,
): Promise<StagedComponent> {
  const head = await staging.portion((writer) => insertHead(writer, chosen, { projectId: staging.projectId, caller }))
  const { id, record } = head
  const rules = await stageRules(staging, chosen, head)
  await stageLinks(staging, chosen, rules)
  await stageAttachments(staging, chosen, { path, rules })
  await stageMilestones(staging, chosen, { path, componentId: id })
  if (includeReviews) await stageReviews(staging, chosen.reviews, { componentId: id, rules, people })
  return { id, record, chosen }
}

interface StagedHead {
  readonly id: number
  readonly record: NewRecord
  readonly requirements: Requirements
  /** Ids by name. */
  readonly questions: ReadonlyMap<string, number>
}

/** Inserts the component without its rules. It is not released, because everybody sees released components. */
async function insertHead(
  writer: Writer,
  chosen: ChosenComponent,
  { projectId, caller }: { readonly projectId: number; readonly caller: Caller },
): Promise<StagedHead> {
  const { component, name } = chosen
  const knownSrgs = await findKnown(writer, sourcesOf(chosen))
  const srgIds = sourcesOf(chosen).flatMap((srg) => knownSrgs.get(keyOf(srg)) ?? [])
  await requireSources(writer, srgIds, component.document_type)
  const record: NewRecord = {
    projectId,
    srgIds,
    name,
    documentType: component.document_type,
    overlaid: await findParent(writer, chosen),
    publishedSource: component.published_source,
    prefix: component.prefix.toUpperCase(),
    title: component.title ?? name,
    description: component.description,
    version: component.version,
    release: component.release,
    metadata: component.metadata,
    admin: { name: component.admin_name, email: component.admin_email },
    advancedFields: component.advanced_fields,
  }
  const id = await insertComponentRow(writer, record, caller)
  await setArchivedColumns(writer, chosen, id)
  const questions = await insertQuestions(writer, chosen, id)
  return { id, record, questions, requirements: await Requirements.of(writer, srgIds) }
}

/** Finds the released component of which it was an overlay, if exactly one here has its name and prefix. */
async function findParent(writer: Writer, { component }: ChosenComponent): Promise<number | null> {
  const { overlay_parent: parent } = component
  if (parent === null) return null
  const [sameName, other] = await writer
    .selectFrom('components')
    .select('id')
    .where('released', '=', 1)
    .where('name', '=', parent.name)
    .where('prefix', '=', parent.prefix)
    .limit(2)
    .execute()
  return sameName === undefined || other !== undefined ? null : sameName.id
}

/** Sets the columns that a new component lacks. */
async function setArchivedColumns(writer: Writer, { component, rules }: ChosenComponent, id: number): Promise<void> {
  const now = new Date().toISOString()
  const numbers = rules.map((rule) => Number(rule.rule_id))
  await writer
    .updateTable('components')
    .set({
      comment_phase: component.comment_phase,
      closed_reason: component.closed_reason,
      comment_period_starts_at: component.comment_period_starts_at,
      comment_period_ends_at: component.comment_period_ends_at,
      last_rule_number: numbers.reduce((last, number) => Math.max(last, number), component.last_rule_number ?? 0),
      created_at: component.created_at ?? now,
      updated_at: component.updated_at ?? now,
    })
    .where('id', '=', id)
    .execute()
}

async function insertQuestions(
  writer: Writer,
  { component: { additional_questions } }: ChosenComponent,
  componentId: number,
): Promise<ReadonlyMap<string, number>> {
  if (additional_questions.length === 0) return new Map()
  const rows = await writer
    .insertInto('additional_questions')
    .values(
      additional_questions.map(({ name, question_type, options }) => ({
        component_id: componentId,
        name,
        question_type,
        options: JSON.stringify(options),
      })),
    )
    .returning(['id', 'name'])
    .execute()
  return new Map(rows.map(({ id, name }) => [name, id]))
}

/** Inserts the rules, and returns record ids by rule number. */
async function stageRules(
  staging: Staging,
  { rules }: ChosenComponent,
  { id: componentId, requirements, questions }: StagedHead,
): Promise<ReadonlyMap<number, number>> {
  const ids = new Map<number, number>()
  const added = rules.map((record) => ({ record, rule: newRuleOf(record, requirements) }))
  await staging.each(added, async (writer, portion) => {
    const ruleIds = await insertRuleRows(
      writer,
      portion.map(({ rule }) => rule),
      componentId,
    )
    const records = portion.map(({ record }) => record)
    await insertAnswers(writer, records, { rules: ruleIds, questions })
    for (const [number, id] of ruleIds) ids.set(number, id)
  })
  return ids
}

function newRuleOf(rule: RuleRecord, requirements: Requirements): NewRule {
  return {
    row: {
      ...rowOf(rule, new Date().toISOString()),
      number: Number(rule.rule_id),
      srg_rule_id: requirements.take(rule),
      review_requestor_id: null,
    },
    checks: rule.checks,
    descriptions: rule.rule_descriptions.map(({ description }) => description),
  }
}

interface InsertedIds {
  readonly rules: ReadonlyMap<number, number>
  readonly questions: ReadonlyMap<string, number>
}

async function insertAnswers(writer: Writer, rules: readonly RuleRecord[], ids: InsertedIds): Promise<void> {
  const rows = rules.flatMap((rule) =>
    rule.additional_answers.map(({ question_name, answer }) => ({
      rule_id: ids.rules.get(Number(rule.rule_id)) ?? 0,
      additional_question_id: ids.questions.get(question_name ?? '') ?? 0,
      answer,
    })),
  )
  for (const chunk of chunksOf(rows)) await writer.insertInto('additional_answers').values(chunk).execute()
}

async function stageLinks(
  staging: Staging,
  { satisfactions }: ChosenComponent,
  rules: ReadonlyMap<number, number>,
): Promise<void> {
  const created_at = new Date().toISOString()
  const rows = satisfactions.map(({ rule_id, satisfied_by_rule_id, previous_status }) => ({
    rule_id: rules.get(Number(rule_id)) ?? 0,
    satisfied_by_rule_id: rules.get(Number(satisfied_by_rule_id)) ?? 0,
    previous_status,
    created_at,
  }))
  await staging.each(rows, async (writer, portion) => {
    await writer.insertInto('rule_satisfactions').values(portion).execute()
  })
}
