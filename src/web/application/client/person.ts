import { useQuery } from '@tanstack/vue-query'
import { computed, type ComputedRef } from 'vue'
import { answerOf, api } from './api.ts'
import { seemsSignedIn } from './signed-in.ts'

interface Person {
  readonly name: string
  readonly email: string
  readonly admin: boolean
}

/** Who is signed in. Nobody is asked about while nobody seems to be. */
export function usePerson(): {
  readonly person: ComputedRef<Person | null>
  readonly isSignedIn: ComputedRef<boolean>
} {
  const { data } = useQuery({
    queryKey: ['person'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/auth/me', { signal })),
    enabled: seemsSignedIn,
  })
  const person = computed(() => (seemsSignedIn.value ? (data.value ?? null) : null))
  return { person, isSignedIn: computed(() => seemsSignedIn.value) }
}
