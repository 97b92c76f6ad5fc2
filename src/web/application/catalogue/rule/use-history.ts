import { useQueries } from '@tanstack/vue-query'
import { computed, type ComputedRef } from 'vue'
import type { Benchmark, Rule } from '../benchmark.ts'
import { differenceQuery, useCatalogue } from '../queries.ts'
import { historyOf, type HistoryRelease, type HistoryStep } from './history.ts'

/** Releases on either side of the one that is looked at. */
const MOST = 8

interface Comparisons {
  /** Stored releases of the product around the current one, oldest first. */
  readonly releases: ComputedRef<readonly HistoryRelease[]>
  /** Whether there are more than those. */
  readonly isCut: ComputedRef<boolean>
}

function useReleases({ kind, id }: Benchmark): Comparisons {
  const catalogue = useCatalogue(kind)
  const all = computed(() => {
    const listed = catalogue.data.value ?? []
    const newest = listed.find((one) => one.id === id)?.newest
    return listed.filter((one) => one.newest === newest)
  })
  const releases = computed(() => {
    const at = all.value.findIndex((one) => one.id === id)
    return all.value.slice(Math.max(0, at - MOST), at + MOST + 1)
  })
  return { releases, isCut: computed(() => releases.value.length < all.value.length) }
}

/** Loads the changes of a rule in each stored release; null until they are known. */
export function useHistory(
  benchmark: Benchmark,
  rule: Rule,
): {
  readonly steps: ComputedRef<readonly HistoryStep[] | null>
  readonly error: ComputedRef<Error | null>
  readonly isCut: ComputedRef<boolean>
} {
  const { releases, isCut } = useReleases(benchmark)
  const pairs = computed(() =>
    releases.value.slice(1).map((release, at) => ({
      to: release.id,
      from: releases.value[at]?.id ?? release.id,
    })),
  )
  const found = useQueries({
    queries: computed(() => pairs.value.map((pair) => differenceQuery(benchmark.kind, pair))),
  })
  const error = computed(() => found.value.find((one) => one.error !== null)?.error ?? null)
  const steps = computed((): readonly HistoryStep[] | null => {
    const answers = found.value.flatMap(({ data }) => (data === undefined ? [] : [data]))
    if (releases.value.length === 0 || answers.length < pairs.value.length) return null
    const comparisons = new Map(answers.map((answer) => [answer.to.id, answer]))
    const { id, version } = benchmark
    const asked = { ruleId: rule.rule_id, release: { id, version } }
    return historyOf({ ...asked, releases: releases.value, comparisons })
  })
  return { steps, error, isCut }
}
