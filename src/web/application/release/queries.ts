import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type ComputedRef } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'
import { useComponent } from '../client/authoring.ts'
import { usePerson } from '../client/person.ts'
import { hasRole, reasonAgainst } from './rights.ts'

export type Readiness = components['schemas']['GetComponentReadinessAnswer']

/** Loads the obstacles to the release of a component, for its members. */
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

interface OwnRights {
  readonly isMember: ComputedRef<boolean>
  /** Why the component cannot be changed; null if it can, and while that is not known. */
  readonly reason: ComputedRef<string | null>
}

/** The rights of the signed-in person to the texts of a component. */
export function useOwnRights(component: () => string): OwnRights {
  const { person } = usePerson()
  const { data } = useComponent(component)
  return {
    isMember: computed(() => data.value !== undefined && hasRole(data.value, 'viewer')),
    reason: computed(() => {
      const isSiteAdmin = person.value?.admin === true
      return data.value === undefined ? null : reasonAgainst(data.value, { least: 'author', isSiteAdmin })
    }),
  }
}
