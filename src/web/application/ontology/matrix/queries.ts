import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed } from 'vue'
import { answerOf, api } from '../../client/api.ts'
import { usePerson } from '../../client/person.ts'
import { usePickedRelease } from '../../client/release.ts'
import { site } from '../../client/site.ts'
import type { JsonLd } from '../json-ld.ts'
import { shapeAttackTactics, type AttackTactic } from './attack-tactics.ts'
import { groupPairs, type Pairs } from './columns.ts'

/** The names of all attacks, with their tactics: without more, so that the answer is small. */
function attackNamesQuery() {
  const release = usePickedRelease()
  return {
    queryKey: computed(() => ['attack-tactics', release.value.version]),
    queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<JsonLd> =>
      answerOf(api.GET('/api/offensive-technique/tactics.json', { baseUrl: release.value.baseUrl, signal })),
  }
}

export function useAttackNames(): UseQueryReturnType<JsonLd, Error> {
  return useQuery(attackNamesQuery())
}

/** Loads the attacks of each tactic. */
export function useAttackTactics(): UseQueryReturnType<readonly AttackTactic[], Error> {
  return useQuery({ ...attackNamesQuery(), select: shapeAttackTactics })
}

/** Loads all attacks with their definitions. */
export function useAttacks(): UseQueryReturnType<JsonLd, Error> {
  const release = usePickedRelease()
  return useQuery({
    queryKey: computed(() => ['attacks', release.value.version]),
    queryFn: ({ signal }): Promise<JsonLd> =>
      answerOf(api.GET('/api/offensive-technique/all.json', { baseUrl: release.value.baseUrl, signal })),
  })
}

interface CounteredAttacks {
  /** Attacks that each technique counters. */
  readonly ofTechniques: Pairs
  /** Techniques that counter each attack. */
  readonly ofAttacks: Pairs
}

/** Loads how many rules of the newest releases are linked to each technique. */
export function useRuleCounts(): UseQueryReturnType<ReadonlyMap<string, number>, Error> {
  const release = usePickedRelease()
  const { isSignedIn } = usePerson()
  return useQuery({
    queryKey: computed(() => ['technique-rule-counts', release.value.version, isSignedIn.value]),
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
      const params = { query: release.value.query }
      const { techniques } = await answerOf(api.GET('/api/techniques/rule-counts.json', { params, signal }))
      return new Map(techniques.map(({ id, rule_count: count }) => [id, count]))
    },
    enabled: !site.isCopy,
  })
}

/** Loads which attacks each technique counters, and the other way round. */
export function useCounteredAttacks(): UseQueryReturnType<CounteredAttacks, Error> {
  const release = usePickedRelease()
  return useQuery({
    queryKey: computed(() => ['countered-attacks', release.value.version]),
    queryFn: async ({ signal }): Promise<CounteredAttacks> => {
      const path = '/api/ontology/mappings/technique-to-attack.json'
      const { results } = await answerOf(api.GET(path, { baseUrl: release.value.baseUrl, signal }))
      return {
        ofTechniques: groupPairs(results.bindings, 'def_tech', 'off_tech'),
        ofAttacks: groupPairs(results.bindings, 'off_tech', 'def_tech'),
      }
    },
  })
}
