import { onTestFinished } from 'vitest'
import { storeBenchmark } from '../../../../src/guidance/catalogue/benchmarks/writer.ts'
import { OntologyLinks } from '../../../../src/guidance/catalogue/linked-data/countermeasures/ontology-links.ts'
import { linkedDataEndpoints } from '../../../../src/guidance/catalogue/linked-data/endpoints.ts'
import { CatalogueGraph } from '../../../../src/guidance/catalogue/linked-data/graph/catalogue-graph.ts'
import { catalogueSource } from '../../../../src/guidance/catalogue/linked-data/graph/catalogue-source.ts'
import { packBenchmark } from '../../../../src/guidance/catalogue/uploads/packed.ts'
import type { Benchmark, Rule } from '../../../../src/guidance/catalogue/xccdf/benchmark.ts'
import type { Database } from '../../../../src/guidance/database/database.ts'
import { NO_SESSION } from '../../../../src/guidance/identity/sessions/http-session.ts'
import { SYSTEM, type Caller } from '../../../../src/http/caller.ts'
import type { RawRequest } from '../../../../src/http/request.ts'
import { createLog } from '../../../../src/platform/log.ts'
import { freshDatabase } from '../../../support/fresh-database.ts'
import { BASE, ruleOf, SampleOntology } from './sample.ts'

export const SOMEBODY: Caller = {
  id: 1,
  name: 'Somebody',
  email: 'somebody@example.org',
  admin: false,
  provider: null,
  via: { kind: 'session', id: 1 },
}

/** The first and the last of them reach techniques. */
export const RULES = [
  ruleOf('SV-2_rule', ['CCI-000015', 'CCI-000044'], { version: 'T-2', severity: 'high' }),
  ruleOf('SV-1_rule', ['CCI-000366'], { version: 'T-1' }),
  ruleOf('SV-3_rule', ['CCI-000044'], { version: 'T-3', title: 'Say "no"\n' }),
]

interface RequestParts {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly accept?: string
  readonly caller?: Caller | null
}

/** The endpoints on a database of their own, without HTTP. */
export interface Under {
  readonly database: Database
  readonly ontology: SampleOntology
  /** Stores a benchmark; its number. */
  readonly store: (benchmark: Benchmark) => Promise<number>
  /** Runs an operation and returns its answer; `headers` receives the headers that it sets. */
  readonly ask: (operation: string, request?: RequestParts) => Promise<unknown>
  readonly headers: Map<string, string>
}

/** Closed at the end of the test. */
export async function under(): Promise<Under> {
  const database = await (await freshDatabase()).open()
  const ontology = new SampleOntology()
  const log = createLog('silent')
  const graph = new CatalogueGraph({ source: catalogueSource(database), ontology, baseUrl: BASE, log })
  onTestFinished(() => graph.close())
  const endpoints = linkedDataEndpoints({ graph, links: new OntologyLinks({ ontology, log }), database })
  const headers = new Map<string, string>()
  return {
    database,
    ontology,
    headers,
    store: (benchmark) => store(database, benchmark),
    ask: (operation, request = {}) => {
      const endpoint = endpoints.find((candidate) => candidate.operation === operation)
      if (endpoint === undefined) throw new Error(`There is no operation ${operation}`)
      return endpoint.run(requestOf(request, headers))
    },
  }
}

async function store(database: Database, benchmark: Benchmark): Promise<number> {
  const rules = (from: number, to: number): Promise<readonly Rule[]> => Promise.resolve(benchmark.rules.slice(from, to))
  const incoming = { ...(await packBenchmark({ benchmark, warnings: [] }, [])), rules }
  const { id } = await database.transact((writer) => storeBenchmark(writer, incoming, { replace: true, actor: SYSTEM }))
  return id
}

function requestOf(
  { params = {}, query = {}, accept, caller = null }: RequestParts,
  headers: Map<string, string>,
): RawRequest {
  return {
    caller,
    params,
    query,
    body: undefined,
    session: NO_SESSION,
    address: '',
    header: (name) => (name === 'Accept' ? accept : undefined),
    setHeader: (name, value) => headers.set(name, value),
    setStatus: () => undefined,
    isForm: false,
    receive: () => Promise.reject(new Error('There is no file')),
    forgive: () => Promise.resolve(),
  }
}
