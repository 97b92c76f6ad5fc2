import { actorOf, type Caller } from '../../../../http/caller.ts'
import { writeAudit } from '../../../activity/audits/writer.ts'
import { requireSources } from '../../../authoring/component-creation/from-srg.ts'
import { componentSubject, insertComponent } from '../../../authoring/components/record.ts'
import { insertRules } from '../../../authoring/rule-editing/new-rules.ts'
import type { Writer } from '../../../database/transaction.ts'
import { CHUNK } from '../format/limits.ts'
import { rowOf } from '../format/shape.ts'
import { insertReviews } from './import-reviews.ts'
import type { People } from './people.ts'
import { findKnown, keyOf, sourcesOf, type Chosen } from './plan.ts'
import { Requirements } from './requirements.ts'
import { isReleasable } from './summary.ts'

interface ImportTarget {
  readonly projectId: number
  readonly caller: Caller
  readonly people: People
  readonly includeReviews: boolean
}

/** Adds a component of an archive with all its records. Its SRGs must be in the catalogue. */
export async function importComponent(
  writer: Writer,
  chosen: Chosen,
  { projectId, caller, people, includeReviews }: ImportTarget,
): Promise<void> {
  const known = await findKnown(writer, sourcesOf(chosen))
  const srgIds = sourcesOf(chosen).flatMap((srg) => known.get(keyOf(srg)) ?? [])
  await requireSources(writer, srgIds, chosen.component.document_type)
  const componentId = await insertRecord(writer, chosen, { projectId, caller, srgIds })
  const questions = await insertQuestions(writer, chosen, componentId)
  const rules = await insertRecords(writer, chosen, { componentId, srgIds, caller })
  await insertAnswers(writer, chosen, { rules, questions })
  await insertLinks(writer, chosen, rules)
  if (includeReviews) await insertReviews(writer, chosen.reviews, { componentId, rules, people })
  const subject = componentSubject({ id: componentId, name: chosen.name, project_id: projectId })
  const comment = `Imported from an archive: ${chosen.rules.length} rules`
  await writeAudit(writer, actorOf(caller), { action: 'custom', subject, comment })
}

interface ComponentTarget {
  readonly projectId: number
  readonly caller: Caller
  readonly srgIds: readonly number[]
}

async function insertRecord(
  writer: Writer,
  chosen: Chosen,
  { projectId, caller, srgIds }: ComponentTarget,
): Promise<number> {
  const { component, name } = chosen
  const { prefix, title, description, version, release, document_type, metadata } = component
  const overlaid = await findParent(writer, chosen)
  const record = {
    ...{ projectId, documentType: document_type, srgIds, overlaid, name, description, version },
    ...{ prefix: prefix.toUpperCase(), title: title ?? name, release, metadata },
    admin: { name: component.admin_name, email: component.admin_email },
    advancedFields: component.advanced_fields,
  }
  const id = await insertComponent(writer, record, caller)
  const now = new Date().toISOString()
  const released = component.released && isReleasable(chosen)
  const { comment_phase, closed_reason, last_rule_number } = component
  const { comment_period_starts_at, comment_period_ends_at } = component
  await writer
    .updateTable('components')
    .set({
      ...{ comment_phase, closed_reason, comment_period_starts_at, comment_period_ends_at },
      released: Number(released),
      released_at: released ? (component.released_at ?? now) : null,
      last_rule_number: last_rule_number ?? 0,
      created_at: component.created_at ?? now,
      updated_at: component.updated_at ?? now,
    })
    .where('id', '=', id)
    .execute()
  return id
}

/** The released component that it was an overlay of, if exactly one here has its name and prefix. */
async function findParent(writer: Writer, { component }: Chosen): Promise<number | null> {
  const { overlay_parent: parent } = component
  if (parent === null) return null
  const [found, other] = await writer
    .selectFrom('components')
    .select('id')
    .where('released', '=', 1)
    .where('name', '=', parent.name)
    .where('prefix', '=', parent.prefix)
    .limit(2)
    .execute()
  return found === undefined || other !== undefined ? null : found.id
}

/** Returns record ids by name. */
async function insertQuestions(
  writer: Writer,
  { component: { additional_questions } }: Chosen,
  componentId: number,
): Promise<ReadonlyMap<string, number>> {
  if (additional_questions.length === 0) return new Map()
  const rows = await writer
    .insertInto('additional_questions')
    .values(
      additional_questions.map(({ name, question_type, options }) => ({
        ...{ component_id: componentId, name, question_type, options: JSON.stringify(options) },
      })),
    )
    .returning(['id', 'name'])
    .execute()
  return new Map(rows.map(({ id, name }) => [name, id]))
}

interface RuleTarget {
  readonly componentId: number
  readonly srgIds: readonly number[]
  readonly caller: Caller
}

/** Returns record ids by rule number. */
async function insertRecords(
  writer: Writer,
  { component, rules }: Chosen,
  { componentId, srgIds, caller }: RuleTarget,
): Promise<ReadonlyMap<number, number>> {
  const requirements = await Requirements.of(writer, srgIds)
  const now = new Date().toISOString()
  const rows = rules.map((rule) => ({
    row: {
      ...rowOf(rule, now),
      number: Number(rule.rule_id),
      srg_rule_id: requirements.take(rule),
      review_requestor_id: null,
    },
    checks: rule.checks,
    descriptions: rule.rule_descriptions.map(({ description }) => description),
  }))
  const into = { componentId, prefix: component.prefix.toUpperCase(), actor: actorOf(caller) }
  return insertRules(writer, rows, into)
}

interface InsertedIds {
  readonly rules: ReadonlyMap<number, number>
  readonly questions: ReadonlyMap<string, number>
}

async function insertAnswers(
  writer: Writer,
  chosen: Chosen,
  { rules, questions }: InsertedIds,
): Promise<void> {
  const rows = chosen.rules.flatMap((rule) =>
    rule.additional_answers.map(({ question_name, answer }) => ({
      rule_id: rules.get(Number(rule.rule_id)) ?? 0,
      additional_question_id: questions.get(question_name ?? '') ?? 0,
      answer,
    })),
  )
  for (let at = 0; at < rows.length; at += CHUNK)
    await writer
      .insertInto('additional_answers')
      .values(rows.slice(at, at + CHUNK))
      .execute()
}

async function insertLinks(
  writer: Writer,
  { satisfactions }: Chosen,
  rules: ReadonlyMap<number, number>,
): Promise<void> {
  const created_at = new Date().toISOString()
  const rows = satisfactions.map(({ rule_id, satisfied_by_rule_id, previous_status }) => ({
    rule_id: rules.get(Number(rule_id)) ?? 0,
    satisfied_by_rule_id: rules.get(Number(satisfied_by_rule_id)) ?? 0,
    ...{ previous_status, created_at },
  }))
  for (let at = 0; at < rows.length; at += CHUNK)
    await writer
      .insertInto('rule_satisfactions')
      .values(rows.slice(at, at + CHUNK))
      .execute()
}
