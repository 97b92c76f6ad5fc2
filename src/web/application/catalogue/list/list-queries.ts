import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import { answerOf, api } from '../../client/api.ts'
import { usePerson } from '../../client/person.ts'
import { shapeNewest, shapeOlder, type ListedRelease } from './guidance.ts'

/** Loads the newest release of each product, and on request the older ones afterwards. */
export function useGuidanceList(
  isEveryRelease: Readonly<Ref<boolean>>,
): UseQueryReturnType<readonly ListedRelease[], Error> {
  const { isSignedIn } = usePerson()
  return useQuery({
    // A catalogue that is not public only answers after a sign-in.
    queryKey: computed(() => ['catalogue', 'all', isEveryRelease.value, isSignedIn.value]),
    queryFn: async ({ signal }): Promise<readonly ListedRelease[]> => {
      const { benchmarks } = await answerOf(api.GET('/api/catalogue/benchmarks.json', { signal }))
      const newest = benchmarks.map(shapeNewest)
      if (!isEveryRelease.value) return newest
      const [stigs, srgs] = await Promise.all([
        answerOf(api.GET('/api/catalogue/stigs.json', { signal })),
        answerOf(api.GET('/api/catalogue/srgs.json', { signal })),
      ])
      return [...newest, ...shapeOlder([...stigs.releases, ...srgs.releases], newest)]
    },
  })
}
