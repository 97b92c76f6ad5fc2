import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'

export type Home = components['schemas']['GetHomeAnswer']

/** What waits for whoever is signed in; asked again whenever somebody looks. */
export function useHome(): UseQueryReturnType<Home, Error> {
  return useQuery({
    queryKey: ['home'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/home', { signal })),
    staleTime: 0,
  })
}
