export const COMMENTS = ['open', 'closed', 'adjudicating', 'finalized'] as const
type Comments = (typeof COMMENTS)[number]

export const COMMENTS_SAY: Readonly<Record<Comments, string>> = {
  open: 'Open: members can comment',
  closed: 'Closed: no new comments',
  adjudicating: 'Closed, being decided: no new comments, but replies',
  finalized: 'Final: nothing about comments changes any more',
}

/** The editable fields of a component, as typed. */
export interface RecordFields {
  name: string
  prefix: string
  title: string
  version: string
  release: string
  description: string
  admin_name: string
  admin_email: string
  advanced_fields: boolean
  /** Whether comments are open, or why they are closed. */
  comments: Comments
  comment_period_starts_at: string
  comment_period_ends_at: string
}

interface Phase {
  readonly comment_phase: 'open' | 'closed'
  readonly closed_reason: 'adjudicating' | 'finalized' | null
}

interface Values {
  readonly name: string
  readonly prefix: string
  readonly title: string
  readonly version: number | null
  readonly release: number | null
  readonly description: string | null
  readonly admin_name: string | null
  readonly admin_email: string | null
  readonly advanced_fields: boolean
  readonly comment_period_starts_at: string | null
  readonly comment_period_ends_at: string | null
}

export function fieldsOf(record: Values & Phase): RecordFields {
  return {
    name: record.name,
    prefix: record.prefix,
    title: record.title,
    version: String(record.version ?? ''),
    release: String(record.release ?? ''),
    description: record.description ?? '',
    admin_name: record.admin_name ?? '',
    admin_email: record.admin_email ?? '',
    advanced_fields: record.advanced_fields,
    comments: record.closed_reason ?? record.comment_phase,
    comment_period_starts_at: dayOf(record.comment_period_starts_at),
    comment_period_ends_at: dayOf(record.comment_period_ends_at),
  }
}

function dayOf(time: string | null): string {
  return time?.slice(0, 10) ?? ''
}

/** The changed fields for the API. Unchanged ones are not sent, so that changes by others are kept. */
export function changesOf(before: RecordFields, typed: RecordFields): Partial<Values & Phase> {
  const after = { ...valuesOf(typed), ...phaseOf(typed.comments) }
  const unchanged = { ...valuesOf(before), ...phaseOf(before.comments) }
  const names = new Set<string>(
    Object.entries(after)
      .filter(([name, value]) => !Object.entries(unchanged).some(isSame(name, value)))
      .map(([name]) => name),
  )
  return Object.fromEntries(Object.entries(after).filter(([name]) => names.has(name)))
}

function isSame(name: string, value: unknown): (entry: readonly [string, unknown]) => boolean {
  return ([other, before]) => other === name && before === value
}

function valuesOf(typed: RecordFields): Values {
  return {
    name: typed.name,
    prefix: typed.prefix,
    title: typed.title,
    version: numberOf(typed.version),
    release: numberOf(typed.release),
    description: textOrNull(typed.description),
    admin_name: textOrNull(typed.admin_name),
    admin_email: textOrNull(typed.admin_email),
    advanced_fields: typed.advanced_fields,
    comment_period_starts_at: textOrNull(typed.comment_period_starts_at),
    comment_period_ends_at: textOrNull(typed.comment_period_ends_at),
  }
}

function phaseOf(comments: Comments): Phase {
  if (comments === 'open' || comments === 'closed') return { comment_phase: comments, closed_reason: null }
  return { comment_phase: 'closed', closed_reason: comments }
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text
}

function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}
