import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, toValue, type MaybeRefOrGetter } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../../client/api.ts'

export type Changes = components['schemas']['CompareReleasesAnswer']

/** Loads the changes between two releases, which are final. Nothing is loaded without two releases. */
export function useChanges(
  pair: MaybeRefOrGetter<{ readonly from: string; readonly to: string } | null>,
): UseQueryReturnType<Changes, Error> {
  return useQuery({
    queryKey: computed(() => ['changes', toValue(pair)]),
    queryFn: ({ signal }) => {
      const path = toValue(pair) ?? { from: '', to: '' }
      return answerOf(api.GET('/api/releases/{from}/changes/{to}.json', { params: { path }, signal }))
    },
    enabled: computed(() => toValue(pair) !== null),
    staleTime: Infinity,
  })
}
