import { categoryOf } from '../../parts/words/severities.ts'
import { shortStatus } from './statuses.ts'

/** The fields of a rule that the list shows. */
export interface Row {
  readonly id: number
  /** Its number within the component. */
  readonly rule_id: string
  readonly displayed_name: string
  readonly title: string
  /** Id of the SRG requirement. */
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
  /** Number of suggestions by kind; undefined until it is loaded. */
  readonly advice?: Readonly<Record<string, number>> | undefined
}

/** The filters of the list, as the address has them; empty for none. */
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
  /** Its value in the address. */
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

/** The rows that pass a filter. */
export function filterRows(
  rows: readonly Row[],
  filter: Filter,
  /** Rules in whose texts the service found the words. */
  textMatches: ReadonlySet<number> = new Set(),
): readonly Row[] {
  const tests = testsOf(filter, textMatches)
  return rows.filter((row) => tests.every((test) => test(row)))
}

function testsOf(filter: Filter, textMatches: ReadonlySet<number>): readonly RowTest[] {
  const { q, status, severity, lock, review, comments, advice } = filter
  const words = q.toLowerCase().split(/\s+/)
  return [
    (row) => textMatches.has(row.id) || words.every((word) => textOf(row).includes(word)),
    ...(status === '' ? [] : [(row: Row) => shortStatus(row.status) === status]),
    ...testsFor(SEVERITIES, severity),
    ...testsFor(LOCKS, lock),
    ...testsFor(REVIEWS, review),
    ...testsFor(COMMENTS, comments),
    ...(advice === '' ? [] : [(row: Row) => hasAdvice(row, advice)]),
  ]
}

/** Lets every rule pass until the suggestions are loaded. */
function hasAdvice({ advice }: Row, kind: string): boolean {
  if (advice === undefined) return true
  return kind === ANY_ADVICE ? Object.keys(advice).length > 0 : advice[kind] !== undefined
}

export const ANY_ADVICE = 'any'

function testsFor(choices: readonly Choice[], key: string): readonly RowTest[] {
  return choices.filter((choice) => choice.key === key).map(({ test }) => test)
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

const COMPARE_BY: Readonly<Record<string, (a: Row, b: Row) => number>> = {
  number: (a, b) => a.rule_id.localeCompare(b.rule_id, 'en', { numeric: true }),
  title: (a, b) => a.title.localeCompare(b.title, 'en'),
  status: (a, b) => a.status.localeCompare(b.status, 'en'),
  severity: (a, b) => rankOf(a) - rankOf(b),
  comments: (a, b) => b.comment_summary.open - a.comment_summary.open,
}

function rankOf({ rule_severity }: Row): number {
  return RANKS[rule_severity] ?? 3
}

/** Sorts by a key of {@link SORTS}; any other key keeps the order of the service, by requirement. */
export function sortRows(rows: readonly Row[], key: string): readonly Row[] {
  const compare = COMPARE_BY[key]
  return compare === undefined ? rows : [...rows].sort(compare)
}

/** Puts satisfied rules after the first rule of the list that satisfies them. */
export function nestSatisfied(rows: readonly Row[]): readonly Row[] {
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

/** Finds a rule by its displayed name, its number or its id. */
export function findRow(rows: readonly Row[], name: string): Row | null {
  if (name === '') return null
  const called = rows.find(({ displayed_name }) => displayed_name === name)
  return called ?? rows.find(({ id, rule_id }) => rule_id === name || String(id) === name) ?? null
}
