import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import type { components } from '#api-types'
import { answerOf, api } from '../../client/api.ts'

type SecondFactors = components['schemas']['ListSecondFactorsAnswer']

export type Factor = SecondFactors['second_factors'][number]

/** The second factors of the own account. */
export function useFactors(): UseQueryReturnType<SecondFactors, Error> {
  return useQuery({
    queryKey: ['second-factors'],
    queryFn: ({ signal }) => answerOf(api.GET('/users/second_factors', { signal })),
  })
}
