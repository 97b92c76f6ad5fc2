import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed } from 'vue'
import { answerOf, api } from '../../client/api.ts'
import { usePickedRelease } from '../../client/release.ts'
import type { JsonLd } from '../json-ld.ts'
import { countPairs } from './columns.ts'

/** Loads all attacks with their definitions. */
export function useAttacks(): UseQueryReturnType<JsonLd, Error> {
  const release = usePickedRelease()
  return useQuery({
    queryKey: computed(() => ['attacks', release.value.version]),
    queryFn: ({ signal }): Promise<JsonLd> =>
      answerOf(api.GET('/api/offensive-technique/all.json', { baseUrl: release.value.baseUrl, signal })),
  })
}

interface PairCounts {
  /** Attacks that each technique counters, by its name. */
  readonly ofTechniques: ReadonlyMap<string, number>
  /** Techniques that counter each attack, by its name. */
  readonly ofAttacks: ReadonlyMap<string, number>
}

/** Loads how many attacks each technique counters, and the other way round. */
export function usePairCounts(): UseQueryReturnType<PairCounts, Error> {
  const release = usePickedRelease()
  return useQuery({
    queryKey: computed(() => ['pair-counts', release.value.version]),
    queryFn: async ({ signal }): Promise<PairCounts> => {
      const path = '/api/ontology/mappings/technique-to-attack.json'
      const { results } = await answerOf(api.GET(path, { baseUrl: release.value.baseUrl, signal }))
      return {
        ofTechniques: countPairs(results.bindings, 'def_tech', 'off_tech'),
        ofAttacks: countPairs(results.bindings, 'off_tech', 'def_tech'),
      }
    },
  })
}
