import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import type { components } from '#api-types'
import { answerOf, api } from '../../client/api.ts'

type Listed = components['schemas']['ListSecondFactorsAnswer']

export type Factor = Listed['second_factors'][number]

/** The second factors of the own account. */
export function useFactors(): UseQueryReturnType<Listed, Error> {
  return useQuery({
    queryKey: ['second-factors'],
    queryFn: ({ signal }) => answerOf(api.GET('/users/second_factors', { signal })),
  })
}
