import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, type Ref } from 'vue'
import type { components } from '#api-types'
import { answerOf, api } from '../client/api.ts'
import { usePerson } from '../client/person.ts'
import { addressOf } from '../client/site.ts'
import { shapeRuleList, type Benchmark, type RuleDetail } from './benchmark.ts'
import type { WholeRules } from './matching.ts'
import type { ReleaseName } from './release-paths.ts'

/** Loads a release with the names of its rules. */
export function useRuleList(release: Readonly<Ref<ReleaseName>>): UseQueryReturnType<Benchmark, Error> {
  const { isSignedIn } = usePerson()
  return useQuery({
    // A catalogue that is not public only answers after a sign-in.
    queryKey: computed(() => ['rules', release.value.benchmarkId, release.value.version, isSignedIn.value]),
    queryFn: async ({ signal }) => {
      const options = { params: { path: pathOf(release.value) }, signal }
      return shapeRuleList(
        await answerOf(api.GET('/api/catalogue/benchmarks/{benchmark_id}/{version}/rules.json', options)),
      )
    },
  })
}

/** The key and the function of a query. */
interface AnswerQuery<Answer> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (options: { readonly signal: AbortSignal }) => Promise<Answer>
}

export interface RuleRequest {
  readonly release: ReleaseName
  readonly rule: string
  /** The release of the ontology that the address names. */
  readonly query: { readonly release?: string }
  readonly isSignedIn: boolean
}

/** Query for a rule with its texts and links. */
export function ruleQuery({ release, rule, query, isSignedIn }: RuleRequest): AnswerQuery<RuleDetail> {
  return {
    queryKey: ['rule', release.benchmarkId, release.version, rule, query.release ?? null, isSignedIn],
    queryFn: ({ signal }): Promise<RuleDetail> => {
      const params = { path: { ...pathOf(release), rule }, query }
      return answerOf(
        api.GET('/api/catalogue/benchmarks/{benchmark_id}/{version}/rules/{rule}.json', { params, signal }),
      )
    },
  }
}

/** Loads all texts of a release by the ids of its rules, when they are needed for a filter or for printing. */
export function useWholeRules(
  release: Readonly<Ref<ReleaseName>>,
  isNeeded: Readonly<Ref<boolean>>,
): UseQueryReturnType<WholeRules, Error> {
  const { isSignedIn } = usePerson()
  return useQuery({
    queryKey: computed(() => ['whole', release.value.benchmarkId, release.value.version, isSignedIn.value]),
    queryFn: async ({ signal }): Promise<WholeRules> => {
      const params = { path: pathOf(release.value) }
      return byRuleId(
        await answerOf(api.GET('/api/catalogue/benchmarks/{benchmark_id}/{version}.json', { params, signal })),
      )
    },
    enabled: isNeeded,
  })
}

/**
 * Loads all texts of a release synchronously, because the browser does not wait when people print by its menu. Null if
 * they cannot be loaded.
 */
export function loadWholeRulesNow({ benchmarkId, version }: ReleaseName): WholeRules | null {
  const path = [benchmarkId, version].map(encodeURIComponent).join('/')
  const request = new XMLHttpRequest()
  request.open('GET', addressOf(`/api/catalogue/benchmarks/${path}.json`), false)
  try {
    request.send()
    const answer: unknown = JSON.parse(request.responseText)
    return isRelease(answer) ? byRuleId(answer) : null
  } catch {
    return null
  }
}

type Release = components['schemas']['GetCatalogueReleaseAnswer']

function isRelease(answer: unknown): answer is Release {
  return typeof answer === 'object' && answer !== null && 'rules' in answer && Array.isArray(answer.rules)
}

function byRuleId({ rules }: Release): WholeRules {
  return new Map(rules.map((rule) => [rule.rule_id, rule]))
}

export type Product = components['schemas']['GetCatalogueBenchmarkAnswer']

/** Loads all releases of a product, the newest first. */
export function useProduct(benchmarkId: Readonly<Ref<string>>): UseQueryReturnType<Product, Error> {
  const { isSignedIn } = usePerson()
  return useQuery({
    queryKey: computed(() => ['product', benchmarkId.value, isSignedIn.value]),
    queryFn: ({ signal }): Promise<Product> => {
      const params = { path: { benchmark_id: benchmarkId.value } }
      return answerOf(api.GET('/api/catalogue/benchmarks/{benchmark_id}.json', { params, signal }))
    },
  })
}

export type Requirement = components['schemas']['GetCatalogueRequirementAnswer']

/** Loads the rules of all products for a requirement. */
export function useRequirement(requirement: Readonly<Ref<string>>): UseQueryReturnType<Requirement, Error> {
  const { isSignedIn } = usePerson()
  return useQuery(computed(() => requirementQuery(requirement.value, isSignedIn.value)))
}

export function requirementQuery(requirement: string, isSignedIn: boolean): AnswerQuery<Requirement> {
  return {
    queryKey: ['requirement', requirement, isSignedIn],
    queryFn: ({ signal }) => {
      const params = { path: { requirement } }
      return answerOf(api.GET('/api/catalogue/requirements/{requirement}.json', { params, signal }))
    },
  }
}

type Changes = components['schemas']['GetCatalogueChangesAnswer']

/** The changes of a release since another one of the product. */
export function changesQuery({ benchmarkId, version }: ReleaseName, from: string): AnswerQuery<Changes> {
  return {
    queryKey: ['changes', benchmarkId, from, version],
    queryFn: ({ signal }) => {
      const params = { path: { benchmark_id: benchmarkId, from, to: version } }
      return answerOf(api.GET('/api/catalogue/benchmarks/{benchmark_id}/{from}/changes/{to}.json', { params, signal }))
    },
  }
}

function pathOf({ benchmarkId, version }: ReleaseName): { readonly benchmark_id: string; readonly version: string } {
  return { benchmark_id: benchmarkId, version }
}
