export const SEARCH_PATHS = {
  search: '/search',
} as const

export const FACETS = ['kind', 'severity', 'benchmark', 'tactic', 'domain'] as const
export type Facet = (typeof FACETS)[number]

/** The search in the address: text, chosen values of each facet, and the page, from 1. */
export interface SearchRequest {
  readonly text: string
  readonly chosen: Readonly<Record<Facet, readonly string[]>>
  readonly page: number
  readonly isFolded: boolean
}

/** The query of an address: one value, several, or null for a parameter without a value. */
export type AddressQuery = Readonly<Record<string, unknown>>

export function readSearchRequest(query: AddressQuery): SearchRequest {
  const list = (name: Facet): readonly string[] => valuesOf(query, name).filter((value) => value !== '')
  const [page = ''] = valuesOf(query, 'page')
  const [fold = ''] = valuesOf(query, 'fold')
  return {
    text: valuesOf(query, 'q')[0] ?? '',
    chosen: {
      kind: list('kind'),
      severity: list('severity'),
      benchmark: list('benchmark'),
      tactic: list('tactic'),
      domain: list('domain'),
    },
    page: Number.isInteger(Number(page)) && Number(page) > 0 ? Number(page) : 1,
    isFolded: fold !== 'false',
  }
}

function valuesOf(query: AddressQuery, name: string): readonly string[] {
  return [query[name]].flat().filter((value) => typeof value === 'string')
}

/** The parameters of the API's search, in the order in which they are sent. */
interface SearchParameters extends Readonly<Record<Facet, string>> {
  readonly q: string
  readonly page: number
  readonly fold: 'true' | 'false'
}

export function searchParameters({ text, chosen, page, isFolded }: SearchRequest): SearchParameters {
  return {
    q: text,
    page,
    fold: isFolded ? 'true' : 'false',
    kind: chosen.kind.join(','),
    severity: chosen.severity.join(','),
    benchmark: chosen.benchmark.join(','),
    tactic: chosen.tactic.join(','),
    domain: chosen.domain.join(','),
  }
}

export function hasText({ text }: SearchRequest): boolean {
  return text.trim() !== ''
}
