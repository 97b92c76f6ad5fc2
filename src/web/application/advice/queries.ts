import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'

export type ComponentAdvice = components['schemas']['GetComponentAdviceAnswer']
export type AdviceCounts = components['schemas']['GetComponentAdviceCountsAnswer']

/** The beginning of the keys of queries for the advice on a component. */
export function allAdviceKey(component: number): readonly unknown[] {
  return ['component', component, 'advice']
}

/** Loads the suggestions for all rules of a component; for its members. */
export function useComponentAdvice(
  component: () => number,
  isEnabled: () => boolean,
): UseQueryReturnType<ComponentAdvice, Error> {
  return useQuery({
    queryKey: computed(() => [...allAdviceKey(component()), 'all']),
    queryFn: ({ signal }) => {
      const params = { path: { id: component() } }
      return answerOf(api.GET('/api/components/{id}/advice.json', { params, signal }))
    },
    enabled: computed(isEnabled),
    // After returning from a rule, the list should show that it is done.
    staleTime: 0,
  })
}

/** The number of findings of each rule, by kind. */
export function useAdviceCounts(
  component: () => number,
  isEnabled: () => boolean,
): UseQueryReturnType<AdviceCounts, Error> {
  return useQuery({
    queryKey: computed(() => [...allAdviceKey(component()), 'counts']),
    queryFn: ({ signal }) => {
      const params = { path: { id: component() } }
      return answerOf(api.GET('/api/components/{id}/advice_counts.json', { params, signal }))
    },
    enabled: computed(isEnabled),
  })
}
