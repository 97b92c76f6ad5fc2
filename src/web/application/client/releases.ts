import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type ComputedRef } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from './api.ts'
import { usePickedRelease } from './release.ts'
import { site } from './site.ts'

interface Releases {
  /** Newest first; empty until they are loaded. */
  readonly releases: ComputedRef<readonly components['schemas']['ListReleasesAnswer']['releases'][number][]>
  readonly active: ComputedRef<string | null>
  /** The shown release. */
  readonly shown: ComputedRef<string | null>
  /** The release before the shown one. */
  readonly before: ComputedRef<string | null>
}

/** As the service lists them. */
export function useReleaseList(): UseQueryReturnType<components['schemas']['ListReleasesAnswer'], Error> {
  return useQuery({
    queryKey: ['releases'],
    enabled: site.hasReleases,
    queryFn: ({ signal }) => answerOf(api.GET('/api/releases.json', { signal })),
  })
}

/** All releases; loaded once. */
export function useReleases(): Releases {
  const picked = usePickedRelease()
  const { data } = useReleaseList()
  const releases = computed(() => data.value?.releases ?? [])
  const active = computed(() => data.value?.active ?? null)
  const shown = computed(() => picked.value.version ?? active.value)
  const before = computed(() => {
    const index = releases.value.findIndex(({ version }) => version === shown.value)
    return index < 0 ? null : (releases.value[index + 1]?.version ?? null)
  })
  return { releases, active, shown, before }
}
