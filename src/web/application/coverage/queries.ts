import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type ComputedRef } from 'vue'
import { useRoute } from 'vue-router'
import { coverageParameters, hasSources, type SourceKind } from '../../paths/coverage.ts'
import { answerOf, api } from '../client/api.ts'
import { usePerson } from '../client/person.ts'
import { shortTitle } from '../parts/words/document-title.ts'
import { authoredChoices, type Choice } from './authored.ts'
import type { CoverageReport } from './report.ts'

export function useCoverage(): {
  readonly parameters: ComputedRef<Readonly<Record<string, string>>>
  readonly query: UseQueryReturnType<CoverageReport, Error>
} {
  const route = useRoute()
  const parameters = computed(() => coverageParameters(route.query))
  const query = useQuery({
    queryKey: computed(() => ['coverage', parameters.value]),
    queryFn: ({ signal }) => answerOf(api.GET('/api/coverage.json', { params: { query: parameters.value }, signal })),
    enabled: computed(() => hasSources(parameters.value)),
  })
  return { parameters, query }
}

/** Signed-in people get every release, others the newest of each product. */
export function useBenchmarks(): UseQueryReturnType<readonly Choice[], Error> {
  const { isSignedIn } = usePerson()
  return useQuery({
    queryKey: computed(() => ['coverage-benchmarks', isSignedIn.value]),
    queryFn: async ({ signal }) => {
      const lists = isSignedIn.value ? listAll(signal) : listNewest(signal)
      const [stigs, srgs] = await Promise.all(lists)
      return [...stigs.map((stig) => benchmark('stig', stig)), ...srgs.map((srg) => benchmark('srg', srg))].toSorted(
        (a, b) => a.title.localeCompare(b.title, 'en', { numeric: true }),
      )
    },
  })
}

interface BenchmarkSummary {
  readonly id: number
  readonly title: string
  readonly version: string
}

type BenchmarkLists = readonly [Promise<readonly BenchmarkSummary[]>, Promise<readonly BenchmarkSummary[]>]

function listAll(signal: AbortSignal): BenchmarkLists {
  return [answerOf(api.GET('/stigs', { signal })), answerOf(api.GET('/srgs', { signal }))]
}

function listNewest(signal: AbortSignal): BenchmarkLists {
  return [
    answerOf(api.GET('/api/stigs/latest', { signal })).then(({ rows }) => rows),
    answerOf(api.GET('/api/srgs/latest', { signal })).then(({ rows }) => rows),
  ]
}

function benchmark(kind: SourceKind, { id, title, version }: BenchmarkSummary): Choice {
  return { kind, id: String(id), title: `${shortTitle(title)} ${version}` }
}

/** Projects and components that the person may read; empty without a sign-in. */
export function useAuthored(): UseQueryReturnType<readonly Choice[], Error> {
  const { person, isSignedIn } = usePerson()
  return useQuery({
    queryKey: computed(() => ['coverage-authored', person.value?.id]),
    queryFn: async ({ signal }) => {
      const params = { query: { readable: 'true' } } as const
      const [cards, readable] = await Promise.all([
        answerOf(api.GET('/projects', { signal })),
        answerOf(api.GET('/components', { params, signal })),
      ])
      const ownCards = cards.filter((card) => card.is_member || person.value?.admin === true)
      return authoredChoices(ownCards, readable)
    },
    enabled: computed(() => isSignedIn.value && person.value !== null),
  })
}
