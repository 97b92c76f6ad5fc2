import { SECTIONS } from '../../../tables/sections.ts'
import { FILTER } from '../catalogue/address.ts'
import { STATUSES, type SectionKey, type Status } from './words.ts'

export interface Pagination {
  readonly page: number
  readonly per_page: number
  readonly total: number
}

/** Filters of the list of comments. All but the page also apply to the export. */
export interface Filters {
  readonly status: Status | 'all'
  readonly section: SectionKey | 'general' | 'all'
  readonly q: string
  readonly resolved: 'all' | 'true' | 'false'
  readonly about: 'all' | 'rule' | 'component'
  /** Component of the project; 0 for all. */
  readonly component: number
  /** Rule of the component; 0 for all. */
  readonly rule: number
  readonly page: number
}

type Query = Readonly<Record<string, string | null | readonly (string | null)[] | undefined>>

/** Reads the filters from an address; invalid ones are ignored. */
export function filtersOf(query: Query): Filters {
  const text = (name: string): string => [query[name]].flat()[0] ?? ''
  const number = (name: string): number => {
    const value = Number(text(name))
    return Number.isSafeInteger(value) && value > 0 ? value : 0
  }
  const status = text('status')
  return {
    status: status === 'all' ? 'all' : (STATUSES.find((name) => name === status) ?? 'pending'),
    section: oneOf(SECTION_NAMES, text('section')),
    q: text(FILTER),
    resolved: oneOf(['true', 'false'] as const, text('resolved')),
    about: oneOf(['rule', 'component'] as const, text('about')),
    component: number('of'),
    rule: number('on'),
    page: Math.max(1, number('page')),
  }
}

const SECTION_NAMES = [...SECTIONS.map(({ key }) => key), 'general' as const]

function oneOf<T extends string>(values: readonly T[], value: string): T | 'all' {
  return values.find((choice) => choice === value) ?? 'all'
}

/** The filters as query parameters of the API. */
interface CommentParameters {
  readonly triage_status: Status | 'all'
  readonly section?: SectionKey | 'general'
  readonly q?: string
  readonly resolved?: 'true' | 'false'
}

export function commentParameters({ status, section, q, resolved }: Filters): CommentParameters {
  return {
    triage_status: status,
    ...(section !== 'all' && { section }),
    ...(q.trim() !== '' && { q: q.trim() }),
    ...(resolved !== 'all' && { resolved }),
  }
}

export interface Scope {
  readonly kind: 'component' | 'project'
  readonly id: number
}

/** Path of the disposition of exactly these comments. */
export function exportPath({ kind, id }: Scope, filters: Filters): string {
  const { about, component, rule } = filters
  const query = new URLSearchParams({
    ...commentParameters(filters),
    ...(kind === 'component' && about !== 'all' && { commentable_type: about }),
    ...(kind === 'project' && component > 0 && { component_ids: String(component) }),
    ...(kind === 'component' && rule > 0 && { rule_id: String(rule) }),
  })
  return `/${kind}s/${id}/export/disposition_csv?${query.toString()}`
}

/** The number of pages, at least one. */
export function pageCount({ total, per_page }: Pick<Pagination, 'total' | 'per_page'>): number {
  return Math.max(1, Math.ceil(total / per_page))
}
