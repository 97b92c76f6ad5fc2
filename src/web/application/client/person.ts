import { queryOptions, useQuery } from '@tanstack/vue-query'
import { computed, type ComputedRef } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from './api.ts'
import { fetchAnswer } from './fetch-answer.ts'
import { askAsOwner } from './owner/owner.ts'
import { queryClient } from './query-client.ts'
import { seemsSignedIn } from './signed-in.ts'

export type Person = components['schemas']['GetCurrentUserAnswer']

/** The signed-in person; cached until a sign-in or sign-out in this window. */
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

/** Requests the person again, which also extends the session. */
export async function askWho(): Promise<void> {
  await queryClient.query({ ...personQuery, staleTime: 0, retry: false })
}

/**
 * The signed-in person, for the header of every page. Nothing is sent while nobody seems to be signed in. After the end
 * of the session, the person stays the owner of the page.
 */
export function usePerson(): {
  readonly person: ComputedRef<Person | null>
  readonly isSignedIn: ComputedRef<boolean>
} {
  const { data } = useQuery({ ...personQuery, enabled: seemsSignedIn })
  const person = computed(() => data.value ?? null)
  return { person, isSignedIn: computed(() => seemsSignedIn.value) }
}
