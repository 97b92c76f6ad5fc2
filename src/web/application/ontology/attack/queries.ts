import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import type { components } from '#api-types'
import { orAbsent, type ListItemOrProblem } from '../../catalogue/reference/queries.ts'
import { answerOf, api } from '../../client/api.ts'
import { usePerson } from '../../client/person.ts'

type AttackAnswer = components['schemas']['GetAttackItemAnswer']
export type AttackTechnique = Extract<AttackAnswer, { type: 'technique' }>
export type AttackGuidance = components['schemas']['GetAttackGuidanceAnswer']

/** Loads a technique of ATT&CK; null where no version of ATT&CK is loaded. */
export function useAttackTechnique(id: Readonly<Ref<string>>): UseQueryReturnType<AttackTechnique | null, Error> {
  const { isSignedIn } = usePerson()
  return useQuery({
    queryKey: computed(() => ['attack-technique', id.value, isSignedIn.value]),
    queryFn: async ({ signal }) => {
      const { sources } = await answerOf(api.GET('/api/catalogue/reference-data.json', { signal }))
      if (!sources.some(({ kind }) => kind === 'attack')) return null
      const params = { path: { id: id.value } }
      return requireTechnique(await answerOf(api.GET('/api/catalogue/attack/{id}.json', { params, signal })))
    },
  })
}

/** An id of a technique leads to nothing else. */
function requireTechnique(answer: AttackAnswer): AttackTechnique {
  if (answer.type !== 'technique') throw new Error(`${answer.id} is no technique`)
  return answer
}

/** Loads the rules that apply to an attack, with the techniques that lead to them. */
export function useAttackGuidance(
  id: Readonly<Ref<string>>,
): UseQueryReturnType<ListItemOrProblem<AttackGuidance>, Error> {
  const { isSignedIn } = usePerson()
  return useQuery({
    queryKey: computed(() => ['attack-guidance', id.value, isSignedIn.value]),
    queryFn: ({ signal }) => {
      const params = { path: { id: id.value } }
      return orAbsent(answerOf(api.GET('/api/catalogue/attack/{id}/guidance.json', { params, signal })))
    },
  })
}
