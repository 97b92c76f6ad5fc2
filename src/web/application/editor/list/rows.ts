import { categoryOf } from '../../parts/words/severities.ts'
import { shortOf } from './statuses.ts'

/** The fields of a rule that the list shows. */
export interface Row {
  readonly id: number
  /** Its number within the component. */
  readonly rule_id: string
  readonly displayed_name: string
  readonly title: string
  /** The requirement that it answers. */
  readonly version: string | null
  readonly status: string
  readonly rule_severity: string
  readonly locked: boolean
  /** Whether it has a status justification. */
  readonly justified: boolean
  /** The sections that are locked by themselves. */
  readonly locked_fields: Readonly<Record<string, true>>
  readonly review_requestor_id: number | null
  readonly changes_requested: boolean
  /** Rules that satisfy it. */
  readonly satisfied_by?: readonly { readonly id: number }[] | undefined
  readonly comment_summary: { readonly open: number; readonly total: number }
  /** How much advice there is, by kind; undefined until that is known. */
  readonly advice?: Readonly<Record<string, number>> | undefined
}

/** By which the list is made shorter, as the address has it; empty: by nothing. */
export interface Filter {
  readonly q: string
  readonly status: string
  readonly severity: string
  readonly lock: string
  readonly review: string
  readonly comments: string
  /** Kind of suggestion, or `any`. */
  readonly advice: string
}

type RowTest = (row: Row) => boolean

interface Choice {
  /** As the address has it. */
  readonly key: string
  readonly label: string
  readonly test: RowTest
}

export const SEVERITIES: readonly Choice[] = ['high', 'medium', 'low'].map((severity) => ({
  key: severity,
  label: categoryOf(severity),
  test: ({ rule_severity }) => rule_severity === severity,
}))

export const LOCKS: readonly Choice[] = [
  { key: 'locked', label: 'Locked', test: ({ locked }) => locked },
  { key: 'open', label: 'Not locked', test: ({ locked }) => !locked },
  {
    key: 'sections',
    label: 'Locked in sections',
    test: ({ locked_fields: sections }) => Object.keys(sections).length > 0,
  },
]

export const REVIEWS: readonly Choice[] = [
  {
    key: 'requested',
    label: 'Under review',
    test: ({ review_requestor_id: requestor }) => requestor !== null,
  },
  {
    key: 'changes',
    label: 'Changes requested',
    test: ({ changes_requested: changes }) => changes,
  },
]

export const COMMENTS: readonly Choice[] = [
  { key: 'open', label: 'Open comments', test: ({ comment_summary: { open } }) => open > 0 },
  { key: 'any', label: 'Any comments', test: ({ comment_summary: { total } }) => total > 0 },
  { key: 'none', label: 'No comments', test: ({ comment_summary: { total } }) => total === 0 },
]

/** The rows that a filter lets through. */
export function filtered(
  rows: readonly Row[],
  filter: Filter,
  /** Rules in whose texts the service found the words. */
  found: ReadonlySet<number> = new Set(),
): readonly Row[] {
  const tests = testsOf(filter, found)
  return rows.filter((row) => tests.every((test) => test(row)))
}

function testsOf(filter: Filter, found: ReadonlySet<number>): readonly RowTest[] {
  const { q, status, severity, lock, review, comments, advice } = filter
  const words = q.toLowerCase().split(/\s+/)
  return [
    (row) => found.has(row.id) || words.every((word) => textOf(row).includes(word)),
    ...(status === '' ? [] : [(row: Row) => shortOf(row.status) === status]),
    ...chosen(SEVERITIES, severity),
    ...chosen(LOCKS, lock),
    ...chosen(REVIEWS, review),
    ...chosen(COMMENTS, comments),
    ...(advice === '' ? [] : [(row: Row) => hasAdvice(row, advice)]),
  ]
}

/** Every rule, until it is known. */
function hasAdvice({ advice }: Row, kind: string): boolean {
  if (advice === undefined) return true
  return kind === ANY_ADVICE ? Object.keys(advice).length > 0 : advice[kind] !== undefined
}

export const ANY_ADVICE = 'any'

function chosen(choices: readonly Choice[], key: string): readonly RowTest[] {
  return choices.filter((one) => one.key === key).map(({ test }) => test)
}

function textOf({ displayed_name, title, version }: Row): string {
  return `${displayed_name}\n${title}\n${version ?? ''}`.toLowerCase()
}

export const SORTS = [
  { key: '', label: 'By requirement' },
  { key: 'number', label: 'By number' },
  { key: 'title', label: 'By title' },
  { key: 'status', label: 'By status' },
  { key: 'severity', label: 'By severity' },
  { key: 'comments', label: 'By open comments' },
] as const

const RANKS: Readonly<Record<string, number>> = { high: 0, medium: 1, low: 2 }

const COMPARISONS: Readonly<Record<string, (one: Row, other: Row) => number>> = {
  number: (one, other) => one.rule_id.localeCompare(other.rule_id, 'en', { numeric: true }),
  title: (one, other) => one.title.localeCompare(other.title, 'en'),
  status: (one, other) => one.status.localeCompare(other.status, 'en'),
  severity: (one, other) => rankOf(one) - rankOf(other),
  comments: (one, other) => other.comment_summary.open - one.comment_summary.open,
}

function rankOf({ rule_severity }: Row): number {
  return RANKS[rule_severity] ?? 3
}

/** In an order of {@link SORTS}; as the service has them, by requirement, in any other. */
export function sorted(rows: readonly Row[], key: string): readonly Row[] {
  const compare = COMPARISONS[key]
  return compare === undefined ? rows : [...rows].sort(compare)
}

/** Puts satisfied rules after the first rule of the list that satisfies them. */
export function nested(rows: readonly Row[]): readonly Row[] {
  const ids = new Set(rows.map(({ id }) => id))
  const children = new Map<number, Row[]>()
  const roots: Row[] = []
  for (const row of rows) {
    const parent = row.satisfied_by?.find(({ id }) => ids.has(id))
    if (parent === undefined) roots.push(row)
    else children.set(parent.id, [...(children.get(parent.id) ?? []), row])
  }
  return roots.flatMap((row) => [row, ...(children.get(row.id) ?? [])])
}

/** The rule that an address means: by the number of its record, or by what it is called. */
export function rowNamed(rows: readonly Row[], name: string): Row | null {
  if (name === '') return null
  const called = rows.find(({ displayed_name }) => displayed_name === name)
  return called ?? rows.find(({ id, rule_id }) => rule_id === name || String(id) === name) ?? null
}
