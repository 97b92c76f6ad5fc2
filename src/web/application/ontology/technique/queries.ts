import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import { answerOf, api } from '../../client/api.ts'
import { usePickedRelease } from '../../client/release.ts'
import { shapeTechnique, type Technique } from './technique.ts'
import type { components } from '#api-types'

export function useTechnique(technique: Ref<string>): UseQueryReturnType<Technique, Error> {
  const release = usePickedRelease()
  return useQuery({
    queryKey: computed(() => ['technique', release.value.version, technique.value]),
    queryFn: async ({ signal }) => {
      const params = { path: { technique: technique.value } }
      const { baseUrl } = release.value
      const asked = api.GET('/api/technique/{technique}.json', { params, baseUrl, signal })
      return shapeTechnique(technique.value, await answerOf(asked))
    },
  })
}

type Guidance = components['schemas']['GetTechniqueGuidanceAnswer']

/** Rules of published guidance that bear on it: those of the release that is active. */
export function useTechniqueGuidance(
  technique: Ref<string>,
  page: Ref<number>,
): UseQueryReturnType<Guidance, Error> {
  return useQuery({
    queryKey: computed(() => ['technique-guidance', technique.value, page.value]),
    queryFn: ({ signal }) => {
      const params = {
        path: { technique: technique.value },
        query: { page: page.value, per_page: RULES_PER_PAGE },
      }
      return answerOf(api.GET('/api/technique/{technique}/guidance.json', { params, signal }))
    },
  })
}

export const RULES_PER_PAGE = 50
