import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import type { ComputedRef } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../../client/api.ts'

type OwnAccount = components['schemas']['GetOwnAccountAnswer']

/** Loads the account of the signed-in person. */
export function useOwnAccount(isSignedIn: ComputedRef<boolean>): UseQueryReturnType<OwnAccount, Error> {
  return useQuery({
    queryKey: ['own-account'],
    queryFn: ({ signal }) => answerOf(api.GET('/users/edit', { signal })),
    enabled: isSignedIn,
    // Not cached, because it depends on actions of others in projects.
    staleTime: 0,
  })
}
