import { createApp, describeApp, type App } from './app.ts'
import { beforeUpgrade } from './commands/backups/before-upgrade.ts'
import { coverageIn } from './coverage/coverage.ts'
import { coverageEndpoints } from './coverage/endpoints.ts'
import { listEndpoint } from './coverage/own-list/endpoint.ts'
import { openGuidance, type GuidanceService, type GuidanceSources, type PartOptions } from './guidance/index.ts'
import type { Endpoint } from './http/endpoint.ts'
import { createDocumentCache, type DocumentCache } from './http/openapi/document-cache.ts'
import type { RequestMeter } from './http/server/request-log.ts'
import { describeOntology, ontologyFigures, ontologyGraphs, type OntologyService } from './ontology/index.ts'
import type { Figure } from './platform/figures.ts'
import type { Log } from './platform/log.ts'
import type { ProcessPosition } from './platform/processes/process-position.ts'
import { readSecrets, type Settings } from './platform/settings/settings.ts'
import { threadFigures } from './platform/threads/thread-figures.ts'
import type { Membership } from './processes/member.ts'
import { schedulesOf } from './schedules.ts'
import { searchEndpoints } from './search/endpoints/unified-endpoint.ts'
import { relatedIn } from './search/related/related.ts'
import { createSearch } from './search/search.ts'
import { SparqlService } from './sparql/service.ts'
import type { ProgramVersions } from './versions.ts'

export interface ServeOptions {
  readonly settings: Settings
  readonly log: Log
  /** Whether an empty database may be created if one has been lost. */
  readonly isNew: boolean
  /** Null: this process is the only one. */
  readonly membership: Membership | null
}

/** Resources that must be closed before the process may end. */
export interface Closeable {
  close(): Promise<void>
}

interface Opening {
  readonly serving: ServeOptions
  readonly versions: ProgramVersions
  readonly place: ProcessPosition
  readonly ontology: OntologyService
  /** Settles when the release of the ontology is open, or cannot be opened. */
  readonly opening: Promise<void>
  /** Receives everything that is opened, in the order in which it has to be closed. */
  readonly open: Closeable[]
}

/** Everything that answers requests. */
interface Services {
  readonly app: App
  readonly guidance: GuidanceService
  readonly sparql: SparqlService
  /** The OpenAPI document; by default as JSON. */
  readonly document: DocumentCache
}

/** Opens the services other than the ontology, and the app of all services, which does not listen yet. */
export async function openServices(opening: Opening): Promise<Services> {
  const { serving, versions, place: position, ontology, open } = opening
  const { settings, log, membership } = serving
  if (membership === null) open.unshift(...schedulesOf(settings, log))
  const described = describeOntology(ontology)
  const guidance = await openGuidance({
    ...guidanceOptions(serving, versions),
    position,
    ontology: { ...described, related: relatedIn(described) },
    search: (sources) => createSearch({ ...sources, ontology: described }),
    endpoints: endpointsFor(described),
    opened: opening.opening,
  })
  open.push(guidance)
  await membership?.opened()
  const document = createDocumentCache(() => describeApp(guidance, settings, versions.version))
  const sparql = openSparql(ontology, guidance, serving)
  open.unshift(sparql)
  const figures = [...ontologyFigures(ontology), ...guidance.figures, ...threadFigures]
  const meter = await openMeter(figures, serving, open)
  const app = createApp({ ontology, guidance, sparql, settings, document, log, meter })
  open.unshift(app)
  return { app, guidance, sparql, document }
}

/** The endpoints of the search and the coverage; null: there is no ontology. */
export function endpointsFor(
  ontology: ReturnType<typeof describeOntology> | null,
): (sources: GuidanceSources) => readonly Endpoint[] {
  const coverage = ontology === null ? null : coverageIn(ontology, ontology.stored)
  return ({ search, benchmarks, findSources, findCitingSources }) => [
    ...searchEndpoints({ search, benchmarks }),
    ...coverageEndpoints({ coverage, findSources }),
    listEndpoint({ coverage, findSources, findCitingSources }),
  ]
}

/** Provides the metrics if the settings have an address for them, and loads their library only then; otherwise null. */
async function openMeter(
  figures: readonly Figure[],
  { settings: { metrics: address }, log, membership }: ServeOptions,
  open: Closeable[],
): Promise<RequestMeter | null> {
  if (address === null) return null
  if (membership !== null) {
    const { MemberMetrics } = await import('./metrics/member-metrics.ts')
    const { requests, read } = new MemberMetrics(figures, log)
    membership.setMetricsSource(read)
    return requests
  }
  const { Metrics } = await import('./metrics/metrics.ts')
  const metrics = new Metrics(figures, { ...address, log })
  await metrics.listen()
  open.push(metrics)
  return metrics.requests
}

/** SPARQL queries can read the public graphs of both services. */
function openSparql(
  ontology: OntologyService,
  { publicGraphs }: GuidanceService,
  { settings, log }: ServeOptions,
): SparqlService {
  const sources = [ontologyGraphs(ontology, settings), publicGraphs]
  return new SparqlService({ ...settings, settings: settings.sparql, sources, log })
}

function guidanceOptions({ settings, log, isNew, membership }: ServeOptions, versions: ProgramVersions): PartOptions {
  const { dataDir, baseUrl, guidance } = settings
  const counters = membership === null ? {} : { counters: membership.counters }
  const common = { dataDir, baseUrl, log, isNew, mayWait: true }
  const secrets = readSecrets()
  const backup = { beforeUpgrade: beforeUpgrade({ settings, secrets, log }) }
  return { ...versions, ...common, ...counters, ...backup, settings: guidance, secrets }
}
