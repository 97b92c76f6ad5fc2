import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import { answerOf, api } from '../client/api.ts'
import { usePickedRelease } from '../client/release.ts'
import { labelOf, textOf } from './json-ld.ts'

interface TechniqueNames {
  /** Label of a technique; its name until the label is known. */
  readonly labelOf: (name: string) => string
  /** Its identifier, as `D3-AL`; empty until it is known, or if it has none. */
  readonly idOf: (name: string) => string
}

/** Loads the labels and identifiers of all techniques of the release, once. */
export function useTechniqueNames(): TechniqueNames {
  const release = usePickedRelease()
  const { data } = useQuery({
    queryKey: computed(() => ['techniques', release.value.version]),
    queryFn: ({ signal }) => answerOf(api.GET('/api/technique/all.json', { baseUrl: release.value.baseUrl, signal })),
  })
  const labels = computed(() => new Map((data.value?.['@graph'] ?? []).map((node) => [node['@id'], labelOf(node)])))
  const ids = computed(
    () => new Map((data.value?.['@graph'] ?? []).map((node) => [node['@id'], textOf(node, 'd3f:d3fend-id')])),
  )
  return {
    labelOf: (name) => labels.value.get(name) ?? name.replace('d3f:', ''),
    idOf: (name) => ids.value.get(name) ?? '',
  }
}
