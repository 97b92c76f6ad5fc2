import { ACTION_WORDS, shapeEntry, typeInWords, type AuditRow } from './entries.ts'

/** A change in one of several components. */
interface ComponentRow extends AuditRow {
  readonly component_id: number
}

/** One change as a sentence: `You changed the check of`, the rule, and ` to …`. */
export interface RecentLine {
  readonly id: number
  readonly component: number
  readonly time: string
  readonly person: string
  /** `You` for the reader's own changes. */
  readonly who: string
  readonly did: string
  readonly subject: string
  /** Whether the subject is a rule that still exists. */
  readonly isRule: boolean
  readonly rest: string
  /** Whether it can be undone in the history of the rule. */
  readonly canUndo: boolean
}

/** Empty for actions that the entry of the rule describes. */
const REVIEWS = new Map<unknown, string>([
  ['comment', 'commented on'],
  ['request_review', 'requested a review of'],
  ['revoke_review_request', 'withdrew the request to review'],
  ['request_changes', 'asked for changes in'],
  ['approve', 'approved'],
  ['lock_control', ''],
  ['unlock_control', ''],
])
/** Fields that a review changes. */
const OF_REVIEWS: ReadonlySet<string> = new Set(['review_requestor_id', 'changes_requested', 'locked'])
/** Limit of the fields that are named; the others are counted. */
const MAX_NAMED_FIELDS = 2

/**
 * Sentences for the newest changes. A review and its rule each have an entry. The entry of the rule describes a lock,
 * as for locks without a review; the entry of the review describes everything else.
 */
export function recentLines(rows: readonly ComponentRow[], ownName: string): readonly RecentLine[] {
  return rows.map((row) => recentLine(row, ownName)).filter((line) => line !== null)
}

function recentLine(row: ComponentRow, ownName: string): RecentLine | null {
  const {
    id,
    component_id: component,
    created_at: time,
    name: person,
    audited_name: subject,
    action,
    auditable_type: type,
  } = row
  const isOwn = person === ownName
  const isRule = (type === 'Rule' || type === 'Review') && action !== 'destroy'
  const [did, rest] = sentenceOf(row)
  if (did === '') return null
  const canUndo = isOwn && type === 'Rule' && action === 'update'
  return { id, component, time, person, who: isOwn ? 'You' : person, did, subject, isRule, rest, canUndo }
}

/** The words before the subject, and those after it. */
function sentenceOf(row: AuditRow): readonly [string, string] {
  const { action, auditable_type: type } = row
  if (type === 'Review' && action === 'create') return [reviewOf(row), '']
  if (type === 'Rule' && action === 'update') return ruleChangeOf(row)
  return [`${ACTION_WORDS[action]} ${type === 'Rule' ? '' : typeInWords(type).toLowerCase()}`.trim(), '']
}

function ruleChangeOf(row: AuditRow): readonly [string, string] {
  const names = row.audited_changes.map((change) => ('field' in change ? String(change.field) : ''))
  const { changes } = shapeEntry(row)
  const [first] = changes
  if (first === undefined) return ['changed', '']
  if (names.join(' ') === 'locked') return [first.after === 'true' ? 'locked' : 'unlocked', '']
  if (names.every((name) => OF_REVIEWS.has(name))) return ['', '']
  if (names.join(' ') === 'status') return ['set', ` to ${first.after.replace('Applicable - ', '')}`]
  if (changes.length > MAX_NAMED_FIELDS) return [`changed ${changes.length} fields of`, '']
  return [`changed the ${changes.map(({ field }) => field.toLowerCase()).join(' and ')} of`, '']
}

function reviewOf({ audited_changes: changes }: AuditRow): string {
  const action = changes.find((change) => 'field' in change && change.field === 'action')
  return REVIEWS.get(action !== undefined && 'new_value' in action ? action.new_value : null) ?? 'commented on'
}
