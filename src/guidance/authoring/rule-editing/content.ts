import type { Selectable } from 'kysely'
import { z } from 'zod'
import { compareCodeUnits } from '../../../graph/term.ts'
import { notFound } from '../../../http/input.ts'
import type { FieldError } from '../../../http/toast.ts'
import { recordOf } from '../../../platform/records.ts'
import { DESCRIPTION_FIELDS, FLAGS, namesOf } from '../../../tables/field-lists.ts'
import { FIELDS } from '../../../tables/fields.ts'
import { SEVERITIES } from '../../../tables/severities.ts'
import { RULE_STATUSES, STATUSES } from '../../../tables/statuses.ts'
import { changesBetween } from '../../activity/audits/writer.ts'
import type { BenchmarkKind } from '../../database/schema/benchmarks.ts'
import type { RulesTable } from '../../database/schema/rules.ts'
import { shapeOf } from '../../parts/shape-of.ts'
import { inspecControl } from '../rules/inspec.ts'
import type { AuthoredRule } from '../rules/reader.ts'
import { ccisOf } from '../rules/shape.ts'
import { limitOf } from '../rules/text-limits.ts'
import type { ContentChanges, RuleChanges } from './changes.ts'

const content = z.object(
  shapeOf(FIELDS, {
    text: () => z.string().nullable(),
    required: () => z.string(),
    // Stored as a number, sent as a boolean.
    flag: () => z.union([z.int(), z.boolean()]).transform(Number).nullable(),
    status: () => z.enum(RULE_STATUSES),
    severity: () => z.enum(SEVERITIES),
  }),
)

/** The columns of a rule that authors write. */
export type RuleContent = z.output<typeof content>

const flags = new Set<string>(FLAGS)

export function contentOf(rule: Selectable<RulesTable>): RuleContent {
  return content.parse(rule)
}

/** Sets values of the content that have the form of the audit trail. */
export function contentWith(before: RuleContent, values: Readonly<Record<string, unknown>>): RuleContent {
  return content.parse({ ...before, ...values })
}

/** A rule's content after a change. */
export function merge(rule: AuthoredRule, changes: ContentChanges): RuleContent {
  const merged = mergeContent(contentOf(rule), changes)
  return { ...merged, inspec_control_file: writtenFile(rule, merged.inspec_control_file) }
}

export function mergeContent(before: RuleContent, changes: ContentChanges): RuleContent {
  const defined = Object.entries(changes).filter(([, value]) => value !== undefined)
  const merged = content.parse({ ...before, ...Object.fromEntries(defined) })
  return changes.ident == null ? merged : { ...merged, ident: sortedIdents(changes.ident) }
}

export const USUAL_WEIGHT = '10.0'

/** The content of a blank rule. */
export const BLANK_CONTENT: RuleContent = content.parse({
  ...Object.fromEntries(Object.keys(content.shape).map((field) => [field, null])),
  title: '',
  status: 'Not Yet Determined',
  rule_severity: 'medium',
  rule_weight: USUAL_WEIGHT,
})

/** Sorts identifiers, without duplicates. */
function sortedIdents(ident: string): string | null {
  const values = [...new Set(ccisOf(ident))].sort(compareCodeUnits)
  return values.length === 0 ? null : values.join(', ')
}

/** Null for the generated file as it is: it must not be stored as if somebody had written it. */
function writtenFile(rule: AuthoredRule, file: string | null): string | null {
  if (rule.inspec_control_file !== null || file === null) return file
  return file === inspecControl(rule) ? null : file
}

/**
 * Collects the editable columns from all levels of a request. The description has the id of its rule; null stands for a
 * new rule.
 */
export function columnsOf(ruleId: number | null, changes: RuleChanges): ContentChanges {
  const { disa_rule_descriptions_attributes: described = [], ...ruleChanges } = changes
  const [description] = described
  if (description === undefined) return ruleChanges
  const { id, _destroy, ...disa } = description
  if (id != null && ruleId !== null && id !== ruleId) throw notFound()
  return { ...ruleChanges, ...(_destroy === true ? NO_DESCRIPTIONS : disa) }
}

const NO_DESCRIPTIONS: ContentChanges = recordOf(namesOf(DESCRIPTION_FIELDS), () => null)

/** The content as the audit trail and the API have it: flags are booleans. */
export function readableContent(values: RuleContent): Readonly<Record<string, string | number | boolean | null>> {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [field, flags.has(field) && value !== null ? value === 1 : value]),
  )
}

/** Finds the faults of the new content. Unchanged fields are not checked. */
export function faultsOf(before: RuleContent, after: RuleContent, kind: BenchmarkKind): readonly FieldError[] {
  const changed = changesBetween(before, after)
  const tooLong = changed.flatMap(({ field, new_value }) => lengthFault(field, new_value))
  const names = new Set(changed.map(({ field }) => field))
  return [
    ...tooLong,
    ...(names.has('status') ? statusFaults(after, kind) : []),
    ...(names.has('rule_severity') ? severityFaults(after) : []),
    ...(names.has('rule_weight') ? weightFaults(after) : []),
    ...(names.has('status') || names.has('status_justification') ? justificationFaults(after, kind) : []),
  ]
}

/** The fault of a new text that is too long. */
export function lengthFault(field: string, value: unknown): readonly FieldError[] {
  if (typeof value !== 'string') return []
  const max = limitOf(field)
  const message = `${labelOf(field)} is too long (maximum is ${max} characters)`
  return value.length > max ? [{ field, message }] : []
}

function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function statusFaults({ status }: RuleContent, kind: BenchmarkKind): readonly FieldError[] {
  if (isStatusOf(kind, status)) return []
  const statusList = Object.values(STATUSES[kind]).join(', ')
  return [{ field: 'status', message: `Status must be one of: ${statusList}` }]
}

/** Whether rules of this kind of component can have this status (docs/contract.md, Rule status). */
export function isStatusOf(kind: BenchmarkKind, status: string): boolean {
  return Object.values(STATUSES[kind]).some((allowed) => allowed === status)
}

function severityFaults({ rule_severity }: RuleContent): readonly FieldError[] {
  if (rule_severity !== 'unknown' && rule_severity !== 'info') return []
  return [{ field: 'rule_severity', message: 'Severity must be high, medium or low' }]
}

/** Whether XCCDF allows the weight. Exports could not write another one. */
export function isWeight(text: string): boolean {
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(text)
}

function weightFaults({ rule_weight }: RuleContent): readonly FieldError[] {
  if (isWeight(rule_weight)) return []
  return [{ field: 'rule_weight', message: 'Rule weight must be a number such as 10.0' }]
}

function justificationFaults(after: RuleContent, kind: BenchmarkKind): readonly FieldError[] {
  if (kind !== 'srg' || after.status !== 'Not Applicable') return []
  if (after.status_justification !== null) return []
  const message = "Status justification can't be blank for a requirement that is Not Applicable"
  return [{ field: 'status_justification', message }]
}
