import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type MaybeRefOrGetter, type Ref, toValue } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'
import { usePerson } from '../client/person.ts'
import { usePickedRelease } from '../client/release.ts'
import type { Comparison } from '../parts/compare/changes.ts'
import type { Counts, Kind } from './benchmark.ts'

type Row = components['schemas']['ListCatalogueStigsAnswer']['releases'][number]

/** A release in a list. */
interface BenchmarkSummary {
  readonly id: number
  readonly benchmarkId: string
  readonly title: string
  readonly version: string
  readonly date: string | null
  readonly counts: Counts
  readonly isNewest: boolean
  /** The newest release of the same product. */
  readonly newest: number
}

/** Every release by product, oldest first; disabled until the kind is known. */
export function useCatalogue(
  kind: MaybeRefOrGetter<Kind | null>,
): UseQueryReturnType<readonly BenchmarkSummary[], Error> {
  const { isSignedIn } = usePerson()
  return useQuery({
    // A catalogue that is not public only answers after a sign-in.
    queryKey: computed(() => ['catalogue', toValue(kind), isSignedIn.value]),
    queryFn: async ({ signal }): Promise<readonly BenchmarkSummary[]> => {
      const request =
        toValue(kind) === 'stig'
          ? api.GET('/api/catalogue/stigs.json', { signal })
          : api.GET('/api/catalogue/srgs.json', { signal })
      return (await answerOf(request)).releases.map(shapeBenchmarkSummary)
    },
    enabled: computed(() => toValue(kind) !== null),
  })
}

type Countermeasures = components['schemas']['GetStigCountermeasuresAnswer']
export type Link = Countermeasures['rules'][number]['links'][number]

/** Loads the links of a benchmark's rules to the ontology, by rule id. */
export function useLinks(
  kind: Kind,
  id: Readonly<Ref<number>>,
): UseQueryReturnType<ReadonlyMap<string, readonly Link[]>, Error> {
  const release = usePickedRelease()
  return useQuery({
    queryKey: computed(() => ['countermeasures', release.value.version, kind, id.value]),
    queryFn: ({ signal }): Promise<Countermeasures> => {
      const params = { path: { id: id.value }, query: release.value.query }
      const options = { params, signal }
      return kind === 'stig'
        ? answerOf(api.GET('/api/stigs/{id}/countermeasures.json', options))
        : answerOf(api.GET('/api/srgs/{id}/countermeasures.json', options))
    },
    select: ({ rules }) => new Map(rules.map((rule) => [rule.rule_id, rule.links])),
  })
}

interface BenchmarkPair {
  readonly from: number
  readonly to: number
}

interface DifferenceQuery {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (options: { readonly signal: AbortSignal }) => Promise<Comparison>
}

/** Query for the comparison of two releases. */
export function differenceQuery(kind: Kind, { from, to }: BenchmarkPair): DifferenceQuery {
  return {
    queryKey: ['difference', kind, from, to],
    queryFn: ({ signal }) => {
      const options = { params: { path: { id: to }, query: { from } }, signal }
      return kind === 'stig'
        ? answerOf(api.GET('/api/stigs/{id}/diff', options))
        : answerOf(api.GET('/api/srgs/{id}/diff', options))
    },
  }
}

export function useDifference(kind: Kind, pair: Readonly<Ref<BenchmarkPair>>): UseQueryReturnType<Comparison, Error> {
  return useQuery(computed(() => differenceQuery(kind, pair.value)))
}

export interface Cci {
  readonly id: string
  readonly text: string
  readonly control: string | null
}

/** Loads the texts of CCIs and their controls; unknown CCIs have only their ids. */
export function useCcis(ids: Readonly<Ref<readonly string[]>>): UseQueryReturnType<Cci[], Error> {
  return useQuery({
    queryKey: computed(() => ['ccis', ids.value]),
    queryFn: async ({ signal }) => {
      const query = { ids: ids.value.join(','), view: 'summary' } as const
      const { items } = await answerOf(api.GET('/api/batch', { params: { query }, signal }))
      return items.map(({ asked, record }) => {
        return { id: asked, text: record?.text ?? '', control: record?.control ?? null }
      })
    },
    enabled: computed(() => ids.value.length > 0),
  })
}

function shapeBenchmarkSummary(row: Row): BenchmarkSummary {
  const { id, benchmark_id: benchmarkId, title, version, date, severity_counts: counts, newest } = row
  return { id, benchmarkId, title, version, date, counts, isNewest: newest.id === id, newest: newest.id }
}
