import { keepPreviousData, useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type ComputedRef } from 'vue'
import { useRoute, type LocationQuery, type LocationQueryRaw } from 'vue-router'
import { answerOf, api } from '../client/api.ts'
import type { components } from '#api-types'

export type SearchAnswer = components['schemas']['SearchUnifiedAnswer']
export type SearchResult = SearchAnswer['results'][number]

export const FACETS = ['kind', 'severity', 'benchmark', 'tactic'] as const
export type Facet = (typeof FACETS)[number]

/** What the address asks: words, chosen values of each facet, and the page from 1. */
export interface Asked {
  readonly text: string
  readonly chosen: Readonly<Record<Facet, readonly string[]>>
  readonly page: number
  readonly isFolded: boolean
}

export function readAsked(query: LocationQuery): Asked {
  const list = (name: Facet): readonly string[] =>
    [query[name] ?? []]
      .flat()
      .filter((value) => value !== null && value !== '')
      .map(String)
  const page = Number(query.page)
  return {
    text: [query.q].flat()[0] ?? '',
    chosen: {
      kind: list('kind'),
      severity: list('severity'),
      benchmark: list('benchmark'),
      tactic: list('tactic'),
    },
    page: Number.isInteger(page) && page > 0 ? page : 1,
    isFolded: query.fold !== 'false',
  }
}

/** The address of the same question with a value of a facet chosen, or no longer. */
export function toggled(query: LocationQuery, facet: Facet, value: string): LocationQueryRaw {
  const before = readAsked(query).chosen[facet]
  const after = before.includes(value) ? before.filter((one) => one !== value) : [...before, value]
  return { ...query, [facet]: after.length === 0 ? undefined : after, page: undefined }
}

export function useAsked(): ComputedRef<Asked> {
  const route = useRoute()
  return computed(() => readAsked(route.query))
}

export function useSearch(asked: ComputedRef<Asked>): UseQueryReturnType<SearchAnswer, Error> {
  return useQuery({
    queryKey: computed(() => ['search', asked.value]),
    queryFn: ({ signal }) => {
      const { text, chosen, page, isFolded } = asked.value
      const lists = Object.fromEntries(FACETS.map((name) => [name, chosen[name].join(',')]))
      const query = { q: text, page, fold: isFolded ? 'true' : 'false', ...lists } as const
      return answerOf(api.GET('/api/search/unified', { params: { query }, signal }))
    },
    enabled: computed(() => asked.value.text.trim() !== ''),
    // Results stay while others are on their way, so that a choice of filters moves nothing.
    placeholderData: keepPreviousData,
  })
}
