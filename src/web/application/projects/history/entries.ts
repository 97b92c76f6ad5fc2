/** What is read of an entry of the audit trail, by the names that the API has. */
interface AuditRow {
  readonly id: number
  readonly action: 'create' | 'update' | 'destroy' | 'custom'
  readonly auditable_type: string
  readonly audited_name: string
  readonly name: string
  readonly via: string
  readonly comment: string | null
  readonly created_at: string
  readonly audited_changes: readonly object[]
}

/** Something that somebody did. */
export interface Entry {
  readonly id: number
  readonly time: string
  readonly person: string
  readonly via: string
  /** As `Component changed`. */
  readonly what: string
  readonly subject: string
  readonly comment: string | null
  readonly changes: readonly Change[]
}

interface Change {
  readonly field: string
  readonly before: string
  readonly after: string
}

/** The API gives so many at once. */
const AT_ONCE = 50

const DONE = { create: 'added', update: 'changed', destroy: 'removed', custom: '' } as const

export function shapeEntries(rows: readonly AuditRow[]): readonly Entry[] {
  return rows.map(shapeEntry).reverse()
}

function shapeEntry(row: AuditRow): Entry {
  return {
    ...{ id: row.id, time: row.created_at, person: row.name, via: row.via },
    what: `${inWords(row.auditable_type)} ${DONE[row.action]}`.trim(),
    ...{ subject: row.audited_name, comment: row.comment },
    changes: row.audited_changes.flatMap(shapeChange),
  }
}

function shapeChange(change: object): readonly Change[] {
  if (!('field' in change) || typeof change.field !== 'string') return []
  const before = 'prev_value' in change ? change.prev_value : null
  const after = 'new_value' in change ? change.new_value : null
  return [
    { field: change.field.replaceAll('_', ' '), before: textOf(before), after: textOf(after) },
  ]
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** `ProjectAccessRequest` is `Project access request`. */
function inWords(type: string): string {
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The entry before which the next ones are; null if there can be none. */
export function earlierThan(entries: readonly Pick<Entry, 'id'>[]): number | null {
  return entries.length < AT_ONCE ? null : (entries.at(-1)?.id ?? null)
}
