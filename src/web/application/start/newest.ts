import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'
import { usePerson } from '../client/person.ts'
import { problemOf } from '../client/problem.ts'
import { site } from '../client/site.ts'

type Benchmark = components['schemas']['ListCatalogueBenchmarksAnswer']['benchmarks'][number]

/** The newest release of each STIG and SRG, latest first; null if the person may not read the catalogue. */
export function useNewestReleases(): UseQueryReturnType<readonly Benchmark[] | null, Error> {
  const { isSignedIn } = usePerson()
  return useQuery({
    queryKey: computed(() => ['newest-releases', isSignedIn.value]),
    queryFn: async ({ signal }) => {
      const request = api.GET('/api/catalogue/benchmarks.json', { params: { query: { sort: 'date' } }, signal })
      try {
        return (await answerOf(request)).benchmarks
      } catch (error) {
        if ([401, 403].includes(problemOf(error).status)) return null
        throw error
      }
    },
    enabled: !site.isCopy,
  })
}
