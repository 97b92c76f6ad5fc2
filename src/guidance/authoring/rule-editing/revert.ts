import { z } from 'zod'
import type { Caller } from '../../../http/caller.ts'
import { notFound } from '../../../http/input.ts'
import { refuseValues } from '../../../http/toast.ts'
import { CHECK_FIELDS } from '../../../tables/check-fields.ts'
import { auditSchema } from '../../activity/audits/reader.ts'
import type { Writer } from '../../database/transaction.ts'
import { shapeOf } from '../../parts/shape-of.ts'
import { openRule } from '../rules/open.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import { contentChanges } from './changes.ts'
import { changeRule, type ColumnsAndParts, type ChangeResult } from './writer.ts'

const NOT_REVERTED = 'Could not revert history.'

interface RevertRequest {
  readonly ruleId: number
  readonly auditId: number
  /** Names of fields in the entry. */
  readonly fields: readonly string[]
  readonly caller: Caller
  readonly comment: string | null
}

/**
 * Restores the values that fields of a rule had before an entry of its history. Adds removed checks and descriptions
 * again, and removes added ones. 404 if the entry belongs to something else, 422 for fields that the entry does not
 * have.
 */
export async function revertRule(writer: Writer, revert: RevertRequest): Promise<ChangeResult> {
  const { ruleId, auditId, fields, caller, comment } = revert
  const { rule, grant } = await openRule(writer, caller, { ruleId, least: 'author', alone: true })
  const before = await findValues(writer, ruleId, auditId)
  const faults = fields
    .filter((field) => !before.has(field))
    .map((field) => ({ field: 'fields', message: `The entry did not change ${field}` }))
  if (faults.length > 0) throw refuseValues(NOT_REVERTED, faults)
  const values = [...new Set(fields)].map((field) => [field, before.get(field)] as const)
  const change = changeTo(rule, values)
  const { projectId } = grant
  return changeRule(writer, rule, { change, caller, comment, projectId, failure: NOT_REVERTED })
}

const changes = auditSchema.shape.audited_changes

async function findValues(writer: Writer, ruleId: number, auditId: number): Promise<ReadonlyMap<string, unknown>> {
  const entry = await writer
    .selectFrom('audits')
    .select('changes')
    .where('id', '=', auditId)
    .where('auditable_type', '=', 'Rule')
    .where('auditable_id', '=', ruleId)
    .where('action', '=', 'update')
    .executeTakeFirstOrThrow(() => notFound())
  const list = changes.parse(JSON.parse(entry.changes))
  return new Map(list.map(({ field, prev_value }) => [field, prev_value]))
}

type EarlierValues = readonly (readonly [field: string, value: unknown])[]

/** The change that gives fields of a rule values from the audit trail. */
export function changeTo(rule: AuthoredRule, values: EarlierValues): ColumnsAndParts {
  const contentFields = values.filter(([field]) => Object.hasOwn(contentChanges.shape, field))
  const nested = values.map(([field, value]) => nestedOf(rule, field, value))
  const faults = values
    .filter((entry, index) => !contentFields.includes(entry) && nested[index] === null)
    .map(([field]) => ({ field: 'fields', message: `${field} cannot be reverted` }))
  if (faults.length > 0) throw refuseValues(NOT_REVERTED, faults)
  return {
    columns: contentChanges.parse(Object.fromEntries(contentFields)),
    checks_attributes: nested.flatMap((change) => change?.check ?? []),
    rule_descriptions_attributes: nested.flatMap((change) => change?.description ?? []),
    additional_answers_attributes: nested.flatMap((change) => change?.answer ?? []),
  }
}

interface RevertedPart {
  readonly check?: z.output<typeof checkTexts> & PartIdentity
  readonly description?: z.output<typeof description> & PartIdentity
  readonly answer?: { readonly additional_question_id: number; readonly answer: string | null }
}

interface PartIdentity {
  /** Null means that the record is added again. */
  readonly id: number | null
  readonly _destroy: boolean
}

const text = z.string().nullable().default(null)
/** A check in the audit trail, which leaves out null texts. */
export const checkTexts = z.object(shapeOf(CHECK_FIELDS, { text: () => text }))
const description = z.object({ description: text })
const answer = z.string().nullable()

/** The old value of a nested record; null for other fields. */
function nestedOf(rule: AuthoredRule, field: string, value: unknown): RevertedPart | null {
  const [kind, number] = field.split('.')
  const id = Number(number)
  if (kind === 'checks_attributes')
    return { check: { ...checkTexts.parse(value ?? {}), ...wholeOf(rule.checks, id, value) } }
  if (kind === 'rule_descriptions_attributes')
    return {
      description: {
        ...description.parse(value ?? {}),
        ...wholeOf(rule.descriptions, id, value),
      },
    }
  if (kind === 'additional_answers_attributes')
    return { answer: { additional_question_id: id, answer: answer.parse(value) } }
  return null
}

function wholeOf(existing: readonly { readonly id: number }[], id: number, value: unknown): PartIdentity {
  const isThere = existing.some((part) => part.id === id)
  return { id: isThere ? id : null, _destroy: value === null }
}
