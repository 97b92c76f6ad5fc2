import { useQuery } from '@tanstack/vue-query'
import { computed, type ComputedRef, type Ref } from 'vue'
import type { ReleaseName } from '../release-paths.ts'
import { changesQuery, useProduct } from '../release-queries.ts'

/** The change of a rule since the release before. */
export type RuleChange = 'changed' | 'added'

export interface ReleaseChanges {
  /** Version of the release before; null if none is stored. */
  readonly before: ComputedRef<string | null>
  /** The rules that are new or changed, by their ids; null until they are known. */
  readonly byRule: ComputedRef<ReadonlyMap<string, RuleChange> | null>
  readonly isLoading: Readonly<Ref<boolean>>
  readonly error: Readonly<Ref<Error | null>>
}

/** Compares a release with the one before it, when that is needed: the answer has the texts of all changes. */
export function useReleaseChanges(
  release: Readonly<Ref<ReleaseName>>,
  isNeeded: Readonly<Ref<boolean>>,
): ReleaseChanges {
  const product = useProduct(computed(() => release.value.benchmarkId))
  const before = computed(() => {
    const { releases = [] } = product.data.value ?? {}
    const index = releases.findIndex(({ version }) => version === release.value.version)
    return index === -1 ? null : (releases[index + 1]?.version ?? null)
  })
  const query = useQuery(
    computed(() => ({
      ...changesQuery(release.value, before.value ?? ''),
      enabled: isNeeded.value && before.value !== null,
    })),
  )
  const byRule = computed(() => {
    const { rules } = query.data.value ?? {}
    if (rules === undefined || before.value === null) return null
    const changes = rules.flatMap(({ status, after }) =>
      after !== null && (status === 'changed' || status === 'added') ? [[after.rule_id, status] as const] : [],
    )
    return new Map(changes)
  })
  return { before, byRule, isLoading: query.isLoading, error: query.error }
}
