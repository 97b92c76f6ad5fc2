import { keepPreviousData, useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../../client/api.ts'
import { usePickedRelease } from '../../client/release.ts'
import { cell, nameOf, type Row } from '../json-ld.ts'
import { useRecord } from '../record-query.ts'
import { shapeTechnique, type Technique } from './technique.ts'

export function useTechnique(technique: Ref<string>): UseQueryReturnType<Technique, Error> {
  return useRecord('technique', technique, async ({ name, baseUrl, signal }) => {
    const params = { path: { technique: name } }
    const request = api.GET('/api/technique/{technique}.json', { params, baseUrl, signal })
    return shapeTechnique(name, await answerOf(request))
  })
}

export interface LinkedWeakness {
  readonly id: string
  readonly label: string
  readonly artifacts: readonly string[]
}

export interface LinkedControl {
  readonly id: string
  readonly kind: string
  readonly label: string
  readonly relations: readonly string[]
}

export function useTechniqueWeaknesses(technique: Ref<string>): UseQueryReturnType<readonly LinkedWeakness[], Error> {
  return usePairs('weakness', technique, (row) => ({
    id: cell(row, 'weak_id'),
    label: cell(row, 'weak_label'),
    artifacts: cell(row, 'weak_artifacts').split(' '),
  }))
}

export function useTechniqueControls(technique: Ref<string>): UseQueryReturnType<readonly LinkedControl[], Error> {
  return usePairs('control', technique, (row) => ({
    id: cell(row, 'control_id'),
    kind: cell(row, 'control_kind'),
    label: cell(row, 'control_label'),
    relations: cell(row, 'control_rels').split(' '),
  }))
}

/** The pairs of a release come as one table, which is asked for once for all techniques. */
function usePairs<T>(
  kind: 'weakness' | 'control',
  technique: Ref<string>,
  shape: (row: Row) => T,
): UseQueryReturnType<readonly T[], Error> {
  const release = usePickedRelease()
  return useQuery({
    queryKey: computed(() => [`technique-to-${kind}`, release.value.version]),
    queryFn: ({ signal }) => {
      const { baseUrl } = release.value
      return answerOf(api.GET(`/api/ontology/mappings/technique-to-${kind}.json`, { baseUrl, signal }))
    },
    select: ({ results }) =>
      results.bindings.filter((row) => nameOf(cell(row, 'def_tech')) === technique.value).map(shape),
  })
}

type Guidance = components['schemas']['GetTechniqueGuidanceAnswer']
export type GuidingRule = Guidance['rules'][number]

interface GuidanceRequest {
  readonly technique: string
  readonly page: number
  /** Only links with this relation; empty for all. */
  readonly relation: string
}

/** Rules of published guidance that the picked release links to it. */
export function useTechniqueGuidance(request: Ref<GuidanceRequest>): UseQueryReturnType<Guidance, Error> {
  const release = usePickedRelease()
  return useQuery({
    queryKey: computed(() => ['technique-guidance', release.value.version, { ...request.value }]),
    queryFn: ({ signal }) => {
      const { technique, page, relation } = request.value
      const params = {
        path: { technique },
        query: { page, per_page: RULES_PER_PAGE, ...(relation !== '' && { relation }), ...release.value.query },
      }
      return answerOf(api.GET('/api/technique/{technique}/guidance.json', { params, signal }))
    },
    placeholderData: keepPreviousData,
  })
}

export const RULES_PER_PAGE = 50
