import type { Selectable } from 'kysely'
import { z } from 'zod'
import { notFound } from '../../../../http/input.ts'
import { Refusal } from '../../../../platform/errors.ts'
import { isLockedFor } from '../../../authoring/rules/sections.ts'
import { displayedName } from '../../../database/rule-names.ts'
import type { MergeFieldsTable, MergeOutcome, MergesTable } from '../../../database/schema/imports.ts'
import type { Reader } from '../../../database/transaction.ts'
import { lockNameOf, MERGED_FIELDS, type FieldValue, type MergedField } from '../planning/fields.ts'
import { FILE_FORMATS } from '../reading/merge-file.ts'
import { type mergeQuery, notesSchema, type MergeAnswer, type MergeField } from '../schemas.ts'

export type MergeRow = Selectable<MergesTable>
export type MergeFieldRow = Selectable<MergeFieldsTable>

/** Finds a complete plan of the component. 404 if none has this number. */
export async function requireMerge(reader: Reader, componentId: number, mergeId: number): Promise<MergeRow> {
  return reader
    .selectFrom('merges')
    .selectAll()
    .where('id', '=', mergeId)
    .where('component_id', '=', componentId)
    .where('state', '!=', 'planning')
    .executeTakeFirstOrThrow(() => notFound())
}

const value = z.union([z.string(), z.boolean()]).nullable()
const fieldName = z.enum(MERGED_FIELDS)

export function valueIn(json: string): FieldValue {
  return value.parse(JSON.parse(json))
}

export function fieldOf({ field }: Pick<MergeFieldRow, 'field'>): MergedField {
  return fieldName.parse(field)
}

interface LockColumns {
  readonly locked: number
  readonly locked_fields: string
  /** The number of rules that satisfy it. */
  readonly satisfiers: number
}

/** The reason why a field of a rule cannot change: a lock, or a text that comes from the satisfying rule. */
export function blockReasonOf(rule: LockColumns, field: MergedField): MergeField['blocked'] {
  if (rule.locked === 1) return 'locked'
  if (isLockedFor(rule, lockNameOf(field))) return 'section locked'
  return rule.satisfiers > 0 && (field === 'check_content' || field === 'fixtext') ? 'inherited' : null
}

export type FieldFilter = z.output<typeof mergeQuery>

/** A plan with some of its fields. */
export async function findMerge(reader: Reader, merge: MergeRow, filter: FieldFilter): Promise<MergeAnswer> {
  const counted = await countOutcomes(reader, merge.id)
  const { fields, total } = await findFields(reader, merge.id, filter)
  const last = Math.max(1, Math.ceil(total / filter.per_page))
  if (filter.page > last) throw new Refusal('page_out_of_range', `Page ${filter.page} is out of range (1..${last})`)
  const { unmatched, missing, renumbered, warnings, encoding } = notesSchema.parse(JSON.parse(merge.notes))
  const { id, component_id, file_name: file, base_source, base_until, unchanged } = merge
  const { format, state } = stored.parse(merge)
  return {
    id,
    component_id,
    file,
    format,
    state,
    base: { source: base_source, until: base_until },
    counts: { unchanged, ...counted, added: unmatched.length, missing: missing.length },
    open_conflicts: (await findOpen(reader, merge.id)).length,
    fields,
    pagination: { page: filter.page, per_page: filter.per_page, total },
    unmatched,
    missing,
    renumbered,
    warnings,
    encoding,
  }
}

const stored = z.object({
  format: z.enum(FILE_FORMATS),
  state: z.enum(['open', 'applied', 'undone']),
})

async function countOutcomes(reader: Reader, mergeId: number): Promise<Record<MergeOutcome, number>> {
  const rows = await reader
    .selectFrom('merge_fields')
    .select(['outcome', (is) => is.fn.countAll<number>().as('count')])
    .where('merge_id', '=', mergeId)
    .groupBy('outcome')
    .execute()
  const count = (outcome: string): number => rows.find((row) => row.outcome === outcome)?.count ?? 0
  return {
    theirs: count('theirs'),
    ours: count('ours'),
    same: count('same'),
    merged: count('merged'),
    conflict: count('conflict'),
  }
}

/** A field of a rule, with the name of the rule. */
export interface NamedField {
  readonly rule_id: number
  readonly displayed_name: string
  readonly field: MergedField
}

/** Finds conflicts without a decision, except in fields that cannot change. */
export async function findOpen(reader: Reader, mergeId: number): Promise<readonly NamedField[]> {
  const rows = await withRules(openOf(fieldsOf(reader, mergeId)))
    .select(['merge_fields.rule_id', 'merge_fields.field'])
    .orderBy('merge_fields.id')
    .execute()
  return rows
    .filter((row) => blockReasonInRow(row) === null)
    .map((row) => ({
      rule_id: row.rule_id,
      displayed_name: displayedName(row.prefix, row.number),
      field: fieldOf(row),
    }))
}

type FieldQuery = ReturnType<typeof fieldsOf>

function fieldsOf(reader: Reader, mergeId: number) {
  return reader.selectFrom('merge_fields').where('merge_id', '=', mergeId)
}

function openOf(query: FieldQuery): FieldQuery {
  return query.where('outcome', '=', 'conflict').where('take', 'is', null)
}

/** Adds the names of the rules, and the data that shows whether they can change. */
function withRules(query: FieldQuery) {
  return query
    .innerJoin('rules', 'rules.id', 'merge_fields.rule_id')
    .innerJoin('components', 'components.id', 'rules.component_id')
    .select(['rules.number', 'rules.locked', 'rules.locked_fields', 'components.prefix'])
    .select((is) =>
      is
        .selectFrom('rule_satisfactions as link')
        .select((link) => link.fn.countAll<number>().as('count'))
        .whereRef('link.rule_id', '=', 'rules.id')
        .as('satisfiers'),
    )
}

function blockReasonInRow(
  row: Pick<LockColumns, 'locked' | 'locked_fields'> & { readonly satisfiers: number | null; readonly field: string },
): MergeField['blocked'] {
  return blockReasonOf({ ...row, satisfiers: row.satisfiers ?? 0 }, fieldOf(row))
}

async function findFields(
  reader: Reader,
  mergeId: number,
  { outcome, open, page, per_page }: FieldFilter,
): Promise<{ readonly fields: MergeField[]; readonly total: number }> {
  let matching = fieldsOf(reader, mergeId)
  if (outcome !== undefined) matching = matching.where('outcome', '=', outcome)
  if (open === 'true') matching = openOf(matching)
  const { total } = await matching.select((is) => is.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await withRules(matching)
    .selectAll('merge_fields')
    .orderBy('merge_fields.id')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute()
  const fields = rows.map((row) => ({
    rule_id: row.rule_id,
    displayed_name: displayedName(row.prefix, row.number),
    field: fieldOf(row),
    base: valueIn(row.base),
    ours: valueIn(row.ours),
    theirs: valueIn(row.theirs),
    merged: row.merged,
    outcome: row.outcome,
    take: row.take,
    text: row.text,
    blocked: blockReasonInRow(row),
  }))
  return { fields, total }
}
