import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { toValue, type MaybeRefOrGetter } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../../client/api.ts'
import { problemOf } from '../../client/problem.ts'

export type Token = components['schemas']['ListTokensAnswer']['personal_access_tokens'][number]

/** The personal access tokens of the person or of an account; null if tokens are switched off. */
export function useTokens(
  account?: number,
  enabled: MaybeRefOrGetter<boolean> = true,
): UseQueryReturnType<readonly Token[] | null, Error> {
  return useQuery({
    queryKey: account === undefined ? ['tokens'] : ['tokens', account],
    queryFn: async ({ signal }) => {
      try {
        const params = { query: account === undefined ? {} : { user_id: account } }
        return (await answerOf(api.GET('/personal_access_tokens', { params, signal }))).personal_access_tokens
      } catch (error) {
        if (problemOf(error).status === 404) return null
        throw error
      }
    },
    enabled: () => toValue(enabled),
  })
}
