import { queryClient } from '../../client/query-client.ts'

/** Lists that provide the number of a record, by the beginning of the paths that need one. */
const LISTS: readonly (readonly [RegExp, string])[] = [
  [/^\/(?:api\/(?:catalogue\/)?)?stigs\/\{id\}/, '/api/catalogue/stigs.json'],
  [/^\/(?:api\/(?:catalogue\/)?)?srgs\/\{id\}/, '/api/catalogue/srgs.json'],
]

interface ReleaseList {
  readonly releases: readonly { readonly id: number; readonly benchmark_id: string; readonly version: string }[]
}

/** The values that this instance has for parameters of a path whose description has no example. */
export async function samplesOf(path: string): Promise<Readonly<Record<string, string>>> {
  const list = LISTS.find(([pattern]) => pattern.test(path))?.[1]
  const isBenchmark = path.startsWith('/benchmarks/{') || path.startsWith('/api/catalogue/benchmarks/{')
  const first = await fetchFirstRelease(list ?? (isBenchmark ? '/api/catalogue/stigs.json' : null))
  if (first === null) return SAMPLES
  const { id, benchmark_id, version } = first
  return { ...SAMPLES, id: String(id), benchmark_id, benchmark: benchmark_id, version }
}

const SAMPLES: Readonly<Record<string, string>> = { cci: 'CCI-000366', control: 'AC-2' }

async function fetchFirstRelease(list: string | null): Promise<ReleaseList['releases'][number] | null> {
  if (list === null) return null
  const answer: unknown = await queryClient.query({
    queryKey: ['api-samples', list],
    queryFn: async ({ signal }): Promise<unknown> => (await fetch(list, { signal })).json(),
    staleTime: Infinity,
    retry: false,
  })
  return isList(answer) ? (answer.releases[0] ?? null) : null
}

function isList(answer: unknown): answer is ReleaseList {
  return typeof answer === 'object' && answer !== null && 'releases' in answer && Array.isArray(answer.releases)
}
