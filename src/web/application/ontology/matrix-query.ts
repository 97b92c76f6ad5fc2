import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'
import { usePickedRelease } from '../client/release.ts'

type Matrix = readonly components['schemas']['DAOMatrix'][]

/** Tactics with the trees of their techniques. */
export function useMatrix(): UseQueryReturnType<Matrix, Error> {
  const release = usePickedRelease()
  return useQuery({
    queryKey: computed(() => ['matrix', release.value.version]),
    queryFn: async ({ signal }): Promise<Matrix> =>
      answerOf(api.GET('/api/matrix.json', { baseUrl: release.value.baseUrl, signal })),
  })
}
