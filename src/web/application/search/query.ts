import { keepPreviousData, useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type ComputedRef } from 'vue'
import { useRoute, type LocationQuery, type LocationQueryRaw } from 'vue-router'
import type { components } from '#api-types'
import {
  FACETS,
  hasText,
  readSearchRequest,
  searchParameters,
  type Facet,
  type SearchRequest,
} from '../../paths/search.ts'
import { cataloguePath } from '../catalogue/record-path.ts'
import { rulePath } from '../catalogue/release-paths.ts'
import { answerOf, api } from '../client/api.ts'

export type SearchAnswer = components['schemas']['SearchUnifiedAnswer']
export type SearchResult = SearchAnswer['results'][number]

/** The address of the same query with a value of a facet selected or deselected. */
export function toggleFacet(query: LocationQuery, facet: Facet, value: string): LocationQueryRaw {
  const before = readSearchRequest(query).chosen[facet]
  const after = before.includes(value) ? before.filter((other) => other !== value) : [...before, value]
  return { ...query, [facet]: after.length === 0 ? undefined : after, page: undefined }
}

/** The address of the same query without filters. */
export function withoutFilters(query: LocationQuery): LocationQueryRaw {
  const withoutFacets = Object.fromEntries(FACETS.map((facet) => [facet, undefined]))
  return { ...query, ...withoutFacets, page: undefined }
}

type LinkedResult = Pick<SearchResult, 'kind' | 'id' | 'path' | 'identifiers' | 'benchmark'>

/** The path of a result; rules and requirements are shown within their benchmark. */
export function pathOfResult({ kind, id, path, identifiers: [ruleId], benchmark }: LinkedResult): string | null {
  const version = benchmark?.version ?? null
  if (benchmark === null || version === null || ruleId === undefined) return cataloguePath({ kind, id }) ?? path
  return rulePath({ benchmarkId: benchmark.benchmark_id, version }, ruleId)
}

/** The path of a rule with the same text; the answer only has the number of its benchmark. */
export function pathOfFolded({
  path,
  id,
}: Pick<SearchResult['folded']['records'][number], 'path' | 'id'>): string | null {
  return path === null || id === null ? path : `${path}?rule=${encodeURIComponent(id)}`
}

export function useSearchRequest(): ComputedRef<SearchRequest> {
  const route = useRoute()
  return computed(() => readSearchRequest(route.query))
}

export function useSearch(request: ComputedRef<SearchRequest>): UseQueryReturnType<SearchAnswer, Error> {
  return useQuery({
    queryKey: computed(() => ['search', request.value]),
    queryFn: ({ signal }) => {
      const query = searchParameters(request.value)
      return answerOf(api.GET('/api/search/unified', { params: { query }, signal }))
    },
    enabled: computed(() => hasText(request.value)),
    // The results stay until the next ones arrive, so that nothing moves when filters change.
    placeholderData: keepPreviousData,
  })
}
