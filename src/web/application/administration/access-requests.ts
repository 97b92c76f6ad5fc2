import { useQuery } from '@tanstack/vue-query'
import { toValue, type MaybeRefOrGetter } from 'vue'
import { answerOf, api } from '../client/api.ts'

/** What waits for somebody with rights: requests for access, and locked accounts. */
export function useWaiting(enabled: MaybeRefOrGetter<boolean> = true) {
  return useQuery({
    queryKey: ['navigation'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/navigation', { signal })),
    enabled: () => toValue(enabled),
  })
}
