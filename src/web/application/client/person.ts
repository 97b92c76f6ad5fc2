import { queryOptions, useQuery } from '@tanstack/vue-query'
import { computed, type ComputedRef } from 'vue'
import { answerOf, api } from './api.ts'
import { seemsSignedIn } from './signed-in.ts'
import type { components } from '#api-types'

export type Person = components['schemas']['GetCurrentUserAnswer']

let known: number | null = null

/** Who is signed in. */
export const personQuery = queryOptions({
  queryKey: ['person'],
  queryFn: async ({ signal }) => {
    const person = await answerOf(api.GET('/api/auth/me', { signal }))
    // Somebody else signed in in another window: what is shown here is not theirs.
    if (known !== null && known !== person.id) location.reload()
    known = person.id
    return person
  },
})

/** After a sign-in or a sign-out here. */
export function forgetPerson(): void {
  known = null
}

/** Who is signed in, for what is on every page. Nobody is asked about while nobody seems to be. */
export function usePerson(): {
  readonly person: ComputedRef<Person | null>
  readonly isSignedIn: ComputedRef<boolean>
} {
  const { data } = useQuery({ ...personQuery, enabled: seemsSignedIn })
  const person = computed(() => (seemsSignedIn.value ? (data.value ?? null) : null))
  return { person, isSignedIn: computed(() => seemsSignedIn.value) }
}
