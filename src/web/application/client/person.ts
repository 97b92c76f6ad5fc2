import { queryOptions, useQuery } from '@tanstack/vue-query'
import { computed, type ComputedRef } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from './api.ts'
import { fetchAnswer } from './fetch-answer.ts'
import { askAsOwner } from './owner/owner.ts'
import { queryClient } from './query-client.ts'
import { seemsSignedIn } from './signed-in.ts'

export type Person = components['schemas']['GetCurrentUserAnswer']

/** Who is signed in. Once that is known, it is the same person until somebody signs in or out here. */
export const personQuery = queryOptions({
  queryKey: ['person'],
  queryFn: ({ signal }) =>
    answerOf(
      api.GET('/api/auth/me', {
        signal,
        fetch: (request) => fetchAnswer(request, { ask: askAsOwner }),
      }),
    ),
})

/** Asks anew, which also makes the session last longer. */
export async function askWho(): Promise<void> {
  await queryClient.query({ ...personQuery, staleTime: 0, retry: false })
}

/**
 * Who is signed in, for what is on every page. Nobody is asked about while nobody seems to be; after the end of
 * their session, it is still whose page this is.
 */
export function usePerson(): {
  readonly person: ComputedRef<Person | null>
  readonly isSignedIn: ComputedRef<boolean>
} {
  const { data } = useQuery({ ...personQuery, enabled: seemsSignedIn })
  const person = computed(() => data.value ?? null)
  return { person, isSignedIn: computed(() => seemsSignedIn.value) }
}
