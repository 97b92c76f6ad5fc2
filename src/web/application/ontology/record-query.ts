import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, toValue, type MaybeRefOrGetter } from 'vue'
import { usePickedRelease } from '../client/release.ts'

/** A record of the picked release; requested when there is another name or release. */
export function useRecord<T>(
  kind: string,
  name: MaybeRefOrGetter<string>,
  ask: (request: { readonly name: string; readonly baseUrl: string; readonly signal: AbortSignal }) => Promise<T>,
): UseQueryReturnType<T, Error> {
  const release = usePickedRelease()
  return useQuery({
    queryKey: computed(() => [kind, release.value.version, toValue(name)]),
    queryFn: ({ signal }): Promise<T> => ask({ name: toValue(name), baseUrl: release.value.baseUrl, signal }),
  })
}
