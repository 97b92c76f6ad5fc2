import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'

export type Readiness = components['schemas']['GetComponentReadinessAnswer']

/** Loads what a component lacks for its release; for its members. */
export function useReadiness(component: () => string, isEnabled: () => boolean): UseQueryReturnType<Readiness, Error> {
  return useQuery({
    queryKey: computed(() => ['component', Number(component()), 'readiness']),
    queryFn: ({ signal }) => {
      const params = { path: { id: Number(component()) } }
      return answerOf(api.GET('/api/components/{id}/readiness.json', { params, signal }))
    },
    enabled: computed(isEnabled),
    // After returning from a rule, the list should show that it is done.
    staleTime: 0,
  })
}
