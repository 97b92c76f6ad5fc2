import { useQueries } from '@tanstack/vue-query'
import { computed, type ComputedRef, type Ref } from 'vue'
import type { RuleDetail } from '../benchmark.ts'
import { changesQuery, useProduct } from '../release-queries.ts'
import { historyOf, type HistoryRelease, type HistoryStep } from './history.ts'

/** Number of releases before and after the shown one. */
const MAX_RELEASES = 8

/** Loads the changes of a rule in each stored release; null until they are known. */
export function useHistory(detail: Readonly<Ref<RuleDetail>>): {
  readonly steps: ComputedRef<readonly HistoryStep[] | null>
  readonly error: ComputedRef<Error | null>
  readonly isCut: ComputedRef<boolean>
} {
  const product = useProduct(computed(() => detail.value.release.benchmark_id))
  /** Oldest first, each with its index. */
  const allReleases = computed((): readonly HistoryRelease[] =>
    (product.data.value?.releases ?? []).toReversed().map(({ benchmark_id: benchmarkId, version }, id) => {
      return { id, benchmarkId, version }
    }),
  )
  const current = computed(() => allReleases.value.find(({ version }) => version === detail.value.release.version))
  const releases = computed(() => {
    const index = current.value?.id ?? 0
    return allReleases.value.slice(Math.max(0, index - MAX_RELEASES), index + MAX_RELEASES + 1)
  })
  const pairs = computed(() =>
    releases.value.slice(1).map((to, index) => ({ to, from: releases.value[index]?.version ?? to.version })),
  )
  const queries = useQueries({
    queries: computed(() => pairs.value.map(({ to, from }) => changesQuery(to, from))),
  })
  const error = computed(
    () => product.error.value ?? queries.value.find((query) => query.error !== null)?.error ?? null,
  )
  const steps = computed((): readonly HistoryStep[] | null => {
    const answers = queries.value.flatMap(({ data }) => (data === undefined ? [] : [data]))
    if (current.value === undefined || answers.length < pairs.value.length) return null
    const comparisons = new Map(
      pairs.value.flatMap(({ to }, index) => {
        const answer = answers[index]
        return answer === undefined ? [] : [[to.id, answer] as const]
      }),
    )
    const request = { ruleId: detail.value.rule.rule_id, release: current.value }
    return historyOf({ ...request, releases: releases.value, comparisons })
  })
  return { steps, error, isCut: computed(() => releases.value.length < allReleases.value.length) }
}
