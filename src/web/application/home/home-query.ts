import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'

export type Home = components['schemas']['GetHomeAnswer']

/** Loads the open tasks of the signed-in person, at each visit or when they are older than `staleTime`. */
export function useHome(staleTime = 0): UseQueryReturnType<Home, Error> {
  return useQuery({
    queryKey: ['home'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/home', { signal })),
    staleTime,
  })
}
