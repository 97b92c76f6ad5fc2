import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { answerOf, api } from '../../client/api.ts'
import { problemOf } from '../../client/problem.ts'
import type { components } from '#api-types'

export type Token = components['schemas']['ListTokensAnswer']['personal_access_tokens'][number]

/** The personal access tokens; null where they are switched off. */
export function useTokens(): UseQueryReturnType<readonly Token[] | null, Error> {
  return useQuery({
    queryKey: ['tokens'],
    queryFn: async ({ signal }) => {
      try {
        return (await answerOf(api.GET('/personal_access_tokens', { signal })))
          .personal_access_tokens
      } catch (error) {
        if (problemOf(error).status === 404) return null
        throw error
      }
    },
  })
}
