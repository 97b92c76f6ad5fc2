import { notFound } from '../../../http/input.ts'
import type { FieldError } from '../../../http/toast.ts'
import { pick, recordOf } from '../../../platform/records.ts'
import { CHECK_COLUMNS } from '../../../tables/field-lists.ts'
import type { Writer } from '../../database/transaction.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import type { CheckChanges, DescriptionChanges } from './changes.ts'
import { lengthFault } from './content.ts'

/** The number of records of each kind in one rule. */
const MAX_PARTS = 100

type TextFields<Name extends string> = Readonly<Record<Name, string | null>>

export type Check = TextFields<(typeof CHECK_COLUMNS)[number]>
export type Description = TextFields<'description'>

interface StoredPart<T> {
  readonly id: number
  readonly before: T
}

/** The changes of the nested records of one kind. */
interface PartPlan<T> {
  readonly count: number
  readonly added: readonly T[]
  readonly changed: readonly (StoredPart<T> & { readonly after: T })[]
  readonly removed: readonly StoredPart<T>[]
}

export interface PartPlans {
  readonly checks_attributes: PartPlan<Check>
  readonly rule_descriptions_attributes: PartPlan<Description>
}

interface PartListChanges {
  readonly checks_attributes?: readonly CheckChanges[] | undefined
  readonly rule_descriptions_attributes?: readonly DescriptionChanges[] | undefined
}

/** Plans the changes. 404 for nested records that do not belong to the rule. */
export function planParts(rule: Pick<AuthoredRule, 'checks' | 'descriptions'>, changes: PartListChanges): PartPlans {
  return {
    checks_attributes: plan(
      rule.checks.map((check) => ({ id: check.id, before: pick(check, CHECK_COLUMNS) })),
      changes.checks_attributes,
      checkAfter,
    ),
    rule_descriptions_attributes: plan(
      rule.descriptions.map(({ id, description }) => ({ id, before: { description } })),
      changes.rule_descriptions_attributes,
      (before, { description }) => ({ description: changedOrBefore(description, before?.description) }),
    ),
  }
}

function checkAfter(before: Check | undefined, change: CheckChanges): Check {
  return recordOf(CHECK_COLUMNS, (name) => changedOrBefore(change[name], before?.[name]))
}

function changedOrBefore(changed: string | null | undefined, before: string | null = null): string | null {
  return changed === undefined ? before : changed
}

interface PartChange {
  readonly id?: number | null | undefined
  readonly _destroy?: boolean | undefined
}

function plan<T extends TextFields<string>, S extends PartChange>(
  existing: readonly StoredPart<T>[],
  changes: readonly S[] = [],
  merge: (before: T | undefined, change: S) => T,
): PartPlan<T> {
  const stored = new Map(existing.map((part) => [part.id, part]))
  const added: T[] = []
  const affected = new Map<number, StoredPart<T> & { readonly after: T | null }>()
  for (const change of changes) {
    if (change.id == null) {
      if (change._destroy !== true) added.push(merge(undefined, change))
      continue
    }
    const storedPart = stored.get(change.id)
    if (storedPart === undefined) throw notFound()
    affected.set(change.id, {
      ...storedPart,
      after: change._destroy === true ? null : merge(storedPart.before, change),
    })
  }
  const parts = [...affected.values()]
  const removed = parts.filter(({ after }) => after === null)
  return {
    count: existing.length + added.length - removed.length,
    added,
    removed,
    changed: parts.flatMap(({ after, ...part }) =>
      after === null || isSame(part.before, after) ? [] : [{ ...part, after }],
    ),
  }
}

function isSame(before: TextFields<string>, after: TextFields<string>): boolean {
  return Object.entries(after).every(([name, value]) => before[name] === value)
}

/** The kinds of nested records that change, as fields of the rule. */
export function changedParts(plans: PartPlans): readonly string[] {
  return listPlans(plans)
    .filter(([, { added, changed, removed }]) => added.length + changed.length + removed.length > 0)
    .map(([field]) => field)
}

function listPlans(plans: PartPlans): readonly (readonly [string, PartPlan<TextFields<string>>])[] {
  const { checks_attributes, rule_descriptions_attributes } = plans
  return [
    ['checks_attributes', checks_attributes],
    ['rule_descriptions_attributes', rule_descriptions_attributes],
  ]
}

/** The faults of nested records. */
export function partFaults(plans: PartPlans): readonly FieldError[] {
  return listPlans(plans).flatMap(([field, { count, added, changed }]) => [
    ...(count > MAX_PARTS && added.length > 0 ? [{ field, message: `A rule has at most ${MAX_PARTS} of them` }] : []),
    ...added.flatMap((texts) => textFaults({}, texts)),
    ...changed.flatMap(({ before, after }) => textFaults(before, after)),
  ])
}

function textFaults(before: Readonly<Record<string, string | null>>, after: TextFields<string>): readonly FieldError[] {
  return Object.entries(after).flatMap(([name, text]) => (before[name] === text ? [] : lengthFault(name, text)))
}

/** Nested records before and after, for the audit trail; null if the record did not exist. */
export interface PartAudit {
  readonly before: Readonly<Record<string, Readonly<Record<string, string>> | null>>
  readonly after: Readonly<Record<string, Readonly<Record<string, string>> | null>>
}

/** Stores the planned changes. */
export async function writeParts(
  writer: Writer,
  ruleId: number,
  { checks_attributes: checks, rule_descriptions_attributes: descriptions }: PartPlans,
): Promise<PartAudit> {
  const newChecks = await insert(writer, 'rule_checks', ruleId, checks.added)
  const newDescriptions = await insert(writer, 'rule_descriptions', ruleId, descriptions.added)
  for (const { id, after } of checks.changed)
    await writer.updateTable('rule_checks').set(after).where('id', '=', id).execute()
  for (const { id, after } of descriptions.changed)
    await writer.updateTable('rule_descriptions').set(after).where('id', '=', id).execute()
  await remove(writer, 'rule_checks', checks.removed)
  await remove(writer, 'rule_descriptions', descriptions.removed)
  return {
    before: {
      ...auditedValues('checks_attributes', newChecks, () => null),
      ...auditedValues('checks_attributes', [...checks.changed, ...checks.removed], auditedBefore),
      ...auditedValues('rule_descriptions_attributes', newDescriptions, () => null),
      ...auditedValues(
        'rule_descriptions_attributes',
        [...descriptions.changed, ...descriptions.removed],
        auditedBefore,
      ),
    },
    after: {
      ...auditedValues('checks_attributes', [...newChecks, ...checks.changed], auditedAfter),
      ...auditedValues('checks_attributes', checks.removed, () => null),
      ...auditedValues('rule_descriptions_attributes', [...newDescriptions, ...descriptions.changed], auditedAfter),
      ...auditedValues('rule_descriptions_attributes', descriptions.removed, () => null),
    },
  }
}

interface AddedPart<T> {
  readonly id: number
  readonly after: T
}

type PartsTable = 'rule_checks' | 'rule_descriptions'

async function insert<T extends Check | Description>(
  writer: Writer,
  table: PartsTable,
  ruleId: number,
  added: readonly T[],
): Promise<readonly AddedPart<T>[]> {
  const rows: AddedPart<T>[] = []
  for (const after of added) {
    const { id } = await writer
      .insertInto(table)
      .values({ ...after, rule_id: ruleId })
      .returning('id')
      .executeTakeFirstOrThrow()
    rows.push({ id, after })
  }
  return rows
}

async function remove(writer: Writer, table: PartsTable, removed: readonly { readonly id: number }[]): Promise<void> {
  if (removed.length === 0) return
  const ids = removed.map(({ id }) => id)
  await writer.deleteFrom(table).where('id', 'in', ids).execute()
}

type AuditedPart = Readonly<Record<string, string>>

function auditedValues<T extends { readonly id: number }>(
  field: string,
  parts: readonly T[],
  value: (part: T) => AuditedPart | null,
): Readonly<Record<string, AuditedPart | null>> {
  return Object.fromEntries(parts.map((part) => [`${field}.${part.id}`, value(part)]))
}

function auditedBefore({ before }: { readonly before: TextFields<string> }): AuditedPart {
  return withoutNulls(before)
}

function auditedAfter({ after }: { readonly after: TextFields<string> }): AuditedPart {
  return withoutNulls(after)
}

/** Leaves out null texts. */
export function withoutNulls(texts: TextFields<string>): AuditedPart {
  return Object.fromEntries(Object.entries(texts).flatMap(([name, text]) => (text === null ? [] : [[name, text]])))
}
