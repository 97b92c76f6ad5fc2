import type { components } from '#api-types'
import { nameOfField } from '../../parts/compare/changes.ts'

type AuditEntry = components['schemas']['ListAuditsAnswer']['rows'][number]

/** The fields that all lists of audit entries have. */
export type AuditRow = Omit<AuditEntry, 'actor_id' | 'auditable_id' | 'audited_changes'> & {
  readonly audited_changes: readonly object[]
}

/** An entry of the history. */
export interface Entry {
  readonly id: number
  readonly time: string
  readonly person: string
  readonly via: string
  /** For example `Component changed`. */
  readonly summary: string
  readonly subject: string
  readonly comment: string | null
  readonly changes: readonly Change[]
}

interface Change {
  readonly field: string
  readonly before: string
  readonly after: string
}

/** Page size of the API. */
const AT_ONCE = 50

export const ACTION_WORDS = { create: 'added', update: 'changed', destroy: 'removed', custom: '' } as const

/** Sentences for the comments that the API writes as codes. */
const COMMENTS: Readonly<Record<string, string>> = {
  export_milestone: 'The restricted part of a milestone was exported.',
  export_disposition_csv: 'The disposition of its comments was exported.',
  review_moved_out: 'A comment went to another rule.',
}

export function shapeEntries(rows: readonly AuditRow[]): readonly Entry[] {
  return rows.map(shapeEntry).reverse()
}

export function shapeEntry(row: AuditRow): Entry {
  return {
    id: row.id,
    time: row.created_at,
    person: row.name,
    via: row.via,
    summary: `${typeInWords(row.auditable_type)} ${ACTION_WORDS[row.action]}`.trim(),
    subject: row.audited_name,
    comment: row.comment === null ? null : (COMMENTS[row.comment] ?? row.comment),
    changes: row.audited_changes.flatMap(shapeChange),
  }
}

function shapeChange(change: object): readonly Change[] {
  if (!('field' in change) || typeof change.field !== 'string') return []
  const before = 'prev_value' in change ? change.prev_value : null
  const after = 'new_value' in change ? change.new_value : null
  return [{ field: nameOf(change.field), before: textOf(before), after: textOf(after) }]
}

const NO_VALUE = 'nothing'

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return NO_VALUE
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.length === 0 ? NO_VALUE : value.map(textOf).join(', ')
  if (typeof value !== 'object') return JSON.stringify(value)
  const parts = Object.entries(value).map(([name, part]) => `${nameOf(name)}: ${textOf(part)}`)
  return parts.join('\n')
}

/** The values before and after; an added value has only the second. */
export function changeInWords({ before, after }: Change): string {
  return before === NO_VALUE ? after : `${before} → ${after}`
}

/** Names of properties that are not fields of a rule. */
const FIELDS: Readonly<Record<string, string>> = {
  checks: 'Check',
  content: 'Text',
  allowed_ips: 'Only from',
  review_requestor_id: 'Review requested by',
}

/** Fields of nested records have the name of their list and a number. */
function nameOf(field: string): string {
  const name = field.replace(/_attributes(?:\.\d+)?/, '')
  return FIELDS[name] ?? nameOfField(name)
}

/** `ProjectAccessRequest` is `Project access request`; `STIG` stays. */
export function typeInWords(type: string): string {
  if (type === type.toUpperCase()) return type
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The entry to continue from; null on the last page. */
export function earlierThan(entries: readonly Pick<Entry, 'id'>[]): number | null {
  return entries.length < AT_ONCE ? null : (entries.at(-1)?.id ?? null)
}
