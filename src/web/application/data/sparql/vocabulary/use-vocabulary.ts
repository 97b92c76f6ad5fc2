import { useQuery, type UseQueryReturnType } from '@tanstack/vue-query'
import { computed, ref, type ComputedRef, type Ref } from 'vue'
import { fetchAnswer } from '../../../client/fetch-answer.ts'
import type { ExpandedNode } from '../../../ontology/subject/subject.ts'
import { D3F, PREFIXES } from '../../../parts/words/iris.ts'
import { askSparql } from '../ask.ts'
import type { Vocabulary } from '../editor/completion.ts'
import classesQuery from './classes.rq?raw'
import { shapeDescription, type QueryGraph, type ServiceDescription } from './graphs.ts'
import termsQuery from './terms.rq?raw'

const JSON_LD = 'application/ld+json'

function isDescription(described: unknown): described is { readonly '@graph': readonly ExpandedNode[] } {
  return typeof described === 'object' && described !== null && '@graph' in described
}

/** The service description with the graphs that can be queried. */
export function useDescription(): UseQueryReturnType<ServiceDescription, Error> {
  return useQuery({
    queryKey: ['sparql-description'],
    queryFn: async ({ signal }) => {
      const answer = await fetchAnswer(new Request('/sparql', { headers: { Accept: JSON_LD }, signal }))
      const described: unknown = await answer.json()
      return shapeDescription(isDescription(described) ? described['@graph'] : [])
    },
  })
}

interface Vocabularies {
  readonly vocabulary: ComputedRef<Vocabulary>
  /** Loads the names that the graphs use, which are only needed for writing queries. */
  readonly load: () => void
}

/** The names for completion: prefixes and graphs immediately, terms after `load`. */
export function useVocabulary(description: Ref<ServiceDescription | undefined>): Vocabularies {
  const isWanted = ref(false)
  const graphs = computed(() => description.value?.graphs ?? [])
  const terms = useQuery({
    queryKey: computed(() => ['sparql-terms', graphs.value.map(({ iri }) => iri)]),
    queryFn: ({ signal }) => askTerms(graphs.value, signal),
    enabled: computed(() => isWanted.value && description.value !== undefined),
    staleTime: Infinity,
  })
  const vocabulary = computed(() => ({
    prefixes: prefixesOf(description.value?.base ?? location.origin),
    terms: terms.data.value ?? [],
    graphs: graphs.value,
  }))
  const load = (): void => {
    isWanted.value = true
  }
  return { vocabulary, load }
}

function prefixesOf(base: string): ReadonlyMap<string, string> {
  const knownPrefixes = PREFIXES.map(([prefix, iri]) => [prefix.slice(0, -1), iri] as const)
  return new Map([...knownPrefixes, ['guidance', `${base}/ns/guidance#`]])
}

/** The terms of the default graph, and of one benchmark: all benchmarks use the same. */
async function askTerms(graphs: readonly QueryGraph[], signal: AbortSignal): Promise<readonly string[]> {
  const guidance = [/\/benchmarks\//, /\/graphs\/controls$/].flatMap(
    (pattern) => graphs.find(({ iri }) => pattern.test(iri))?.iri ?? [],
  )
  const parameters = guidance.map((iri) => ['default-graph-uri', iri] as const)
  const requests = [
    column({ query: termsQuery }, signal),
    column({ query: classesQuery }, signal).then((names) => names.map((name) => D3F + name)),
    ...(guidance.length > 0 ? [column({ query: termsQuery, parameters }, signal)] : []),
  ]
  return [...new Set((await Promise.all(requests)).flat())].toSorted()
}

/** The values of a query for one column. */
async function column(question: Parameters<typeof askSparql>[0], signal: AbortSignal): Promise<readonly string[]> {
  const text = await (await askSparql(question, 'text/csv', signal)).text()
  return text.trimEnd().split(/\r?\n/).slice(1)
}
