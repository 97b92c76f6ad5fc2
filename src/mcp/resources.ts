import { ProtocolError, ProtocolErrorCode, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server'
import type { ApiRequest, AskApi } from './ask.ts'

interface Resource {
  readonly name: string
  readonly uri: string
  readonly title: string
  readonly description: string
  /** The variables are decoded. */
  readonly request: (variables: Readonly<Record<string, string>>) => ApiRequest
}

const RESOURCES: readonly Resource[] = [
  {
    name: 'benchmarks',
    uri: 'parapet://benchmarks',
    title: 'Benchmarks',
    description: 'The newest releases of all SRGs and STIGs',
    request: () => ({ path: '/api/catalogue/benchmarks.json' }),
  },
  {
    name: 'releases',
    uri: 'parapet://releases',
    title: 'Releases of the ontology',
    description: 'All stored releases with their digests; which one is active',
    request: () => ({ path: '/api/releases.json' }),
  },
  {
    name: 'record',
    uri: 'parapet://records/{id}',
    title: 'Record',
    description: 'The whole record of a technique, artifact, attack, weakness, CCI or control, by its identifier',
    request: ({ id = '' }) => ({ path: '/api/batch', query: { ids: id, view: 'whole' } }),
  },
  {
    name: 'benchmark',
    uri: 'parapet://benchmarks/{benchmark}/{version}',
    title: 'Release of a benchmark',
    description: 'Its head and files, such as parapet://benchmarks/RHEL_9_STIG/V2R7',
    request: ({ benchmark, version }) => ({ path: `${benchmarkPath(benchmark, version)}.json` }),
  },
  {
    name: 'rule',
    uri: 'parapet://benchmarks/{benchmark}/{version}/rules/{rule}',
    title: 'Rule of a benchmark',
    description: 'The exact text of a rule',
    request: ({ benchmark, version, rule = '' }) => ({
      path: `${benchmarkPath(benchmark, version)}/rules/${encodeURIComponent(rule)}.json`,
    }),
  },
]

function benchmarkPath(benchmark = '', version = ''): string {
  return `/api/catalogue/benchmarks/${encodeURIComponent(benchmark)}/${encodeURIComponent(version)}`
}

/** Adds records, benchmarks and rules as resources, with the complete answers of the API. */
export function addResources(server: McpServer, ask: AskApi): void {
  for (const { name, uri, title, description, request } of RESOURCES) {
    const head = { title, description, mimeType: 'application/json' }
    const readAddress = async (address: URL, variables: Readonly<Record<string, string | string[]>> = {}) => {
      const decoded: Record<string, string> = {}
      for (const [key, value] of Object.entries(variables)) decoded[key] = decodeURIComponent(String(value))
      return readResource(ask, address, request(decoded))
    }
    if (uri.includes('{'))
      server.registerResource(name, new ResourceTemplate(uri, { list: undefined }), head, readAddress)
    else server.registerResource(name, uri, head, (address) => readAddress(address))
  }
}

async function readResource(ask: AskApi, { href }: URL, request: ApiRequest) {
  const { status, address, value } = await ask(request)
  if (status >= 400) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${href}: ${detailOf(value)}`)
  return { contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify(value), _meta: { address } }] }
}

function detailOf(problem: unknown): string {
  const isProblem = typeof problem === 'object' && problem !== null && 'detail' in problem
  return isProblem ? String(problem.detail) : 'There is no such resource.'
}
