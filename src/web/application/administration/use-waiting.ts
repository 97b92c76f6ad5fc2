import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { toValue, type MaybeRefOrGetter } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'

type Navigation = components['schemas']['GetNavigationAnswer']

/** Requests for access and locked accounts that wait for a decision of the person. */
export function useWaiting(enabled: MaybeRefOrGetter<boolean> = true): UseQueryReturnType<Navigation, Error> {
  return useQuery({
    queryKey: ['navigation'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/navigation', { signal })),
    enabled: () => toValue(enabled),
  })
}
