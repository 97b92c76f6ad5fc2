/** A worked example: a question in words, and its query. */
export interface Example {
  readonly title: string
  readonly query: string
}

/** The data of this instance that the examples are adapted to. */
export interface InstanceData {
  /** The address of the service, without a final slash. */
  readonly base: string
  /** IRIs of graphs that can be queried. */
  readonly graphs: readonly string[]
}

/** The address that the examples are written for. */
const WRITTEN_FOR = 'http://localhost:3000'
const BENCHMARK = /<([^<>\s]+\/benchmarks\/([^/<>\s]+)\/[^/<>\s]+)>/g

/** Reads a `.rq` file: its summary is the question. */
export function readExample(file: string): Example {
  const [, title = '', query = ''] = /^#\+ summary: (.*)\n([\s\S]*)$/.exec(file) ?? []
  return { title, query: query.trim() }
}

/**
 * The examples for this service, with its address and its benchmarks. If a benchmark is missing, another version or
 * another benchmark is used; without one, the example is left out.
 */
export function adaptExamples(examples: readonly Example[], { base, graphs }: InstanceData): readonly Example[] {
  return examples.flatMap(({ title, query }) => {
    const adapted = query.replaceAll(WRITTEN_FOR, base)
    const iris = Array.from(adapted.matchAll(BENCHMARK), ([, iri = '']) => iri)
    const chosenGraphs = chooseBenchmarks(iris, graphs)
    if (chosenGraphs === null) return []
    return [{ title, query: adapted.replaceAll(BENCHMARK, (_whole, iri: string) => `<${chosenGraphs.get(iri)}>`) }]
  })
}

/** Chooses a stored graph for each benchmark that an example names; null if there are too few. */
function chooseBenchmarks(iris: readonly string[], graphs: readonly string[]): ReadonlyMap<string, string> | null {
  const present = graphs.filter((iri) => iri.includes('/benchmarks/'))
  const chosen = new Map<string, string>()
  for (const iri of iris) {
    const unused = present.filter((candidate) => ![...chosen.values()].includes(candidate))
    const graph = chosen.get(iri) ?? nearest(iri, unused)
    if (graph === undefined) return null
    chosen.set(iri, graph)
  }
  return chosen
}

/** The graph itself, the last version of its benchmark, or another STIG. */
function nearest(iri: string, graphs: readonly string[]): string | undefined {
  const product = iri.slice(0, iri.lastIndexOf('/') + 1)
  return (
    graphs.find((graph) => graph === iri) ??
    graphs.findLast((graph) => graph.startsWith(product)) ??
    graphs.findLast((graph) => graph.includes('STIG/'))
  )
}
