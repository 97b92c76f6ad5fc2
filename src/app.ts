import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import express, {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import helmet from 'helmet'
import type { DescribedRecord } from './contracts/described.ts'
import { RDF_TYPES } from './graph/syntax/forms.ts'
import { guidanceRoutes, pageNamed, type GuidanceService } from './guidance/index.ts'
import { problemOf, sendProblem } from './http/answer/problem.ts'
import { sendRepresentation, type Exchange } from './http/answer/representation.ts'
import { openApiDocument } from './http/openapi/document.ts'
import type { Json } from './http/openapi/json-schema.ts'
import { sendPacked, type KeptDocuments } from './http/openapi/kept.ts'
import { publishedRoutes } from './http/published-routes.ts'
import { tidyForwarded } from './http/server/forwarded.ts'
import { namesOneHost, withoutHost } from './http/server/host.ts'
import { inProcess } from './http/server/in-process.ts'
import { inTurn } from './http/server/in-turn.ts'
import { readOnly } from './http/server/read-only.ts'
import { Traffic, type RequestMeter } from './http/server/traffic.ts'
import { trailOf } from './http/server/trail.ts'
import { explainUnreadable } from './http/server/unreadable.ts'
import { MCP_PATH, type McpParts } from './mcp/parts.ts'
import {
  ontologyRoutes,
  peekOntology,
  datasetEndpoint,
  describeRecord,
  hasRecord,
  ontologyEndpoints,
  recordNamed,
  recordPaths,
  ReleaseFolder,
  RELEASE_FEED,
  reportEndpoints,
  type DatasetParts,
  type OntologyService,
} from './ontology/index.ts'
import { Refusal } from './platform/errors.ts'
import type { Log } from './platform/log.ts'
import type { Settings } from './platform/settings/settings.ts'
import { QUERY_TYPES, sparqlEndpoints, sparqlRoutes, type SparqlService } from './sparql/index.ts'
import { programVersions } from './versions.ts'
import { pageOfRecord } from './web/paths/record-page.ts'
import type { KnownRecords } from './web/server/application-routes.ts'
import { webPages, type WebPages } from './web/server/routes.ts'

/** Strict-Transport-Security is up to the proxy that ends TLS, because this service speaks plain HTTP. */
const HELMET = {
  strictTransportSecurity: false,
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null, styleSrc: ["'self'"] } },
} as const

/**
 * A request without a host is refused here, with a problem. Times are in milliseconds. A client that does not send the
 * head of its request is cut off within half a minute. An idle connection stays longer than balancers keep theirs, a
 * minute, so that none sends a request into one that closes.
 */
const SERVER = {
  requireHostHeader: false,
  headersTimeout: 20_000,
  connectionsCheckingInterval: 5000,
  keepAliveTimeout: 75_000,
} as const

interface AppParts {
  readonly ontology: OntologyService
  readonly guidance: GuidanceService
  readonly sparql: SparqlService
  readonly settings: Settings
  /** The result of {@link describeApp}. */
  readonly document: KeptDocuments
  readonly log: Log
  /** Measures requests; default: no measurement. */
  readonly meter?: RequestMeter | null
}

/** The OpenAPI document of all services. Others are answered while it is made. */
export async function describeApp(
  guidance: Pick<GuidanceService, 'cookie' | 'endpoints'>,
  { baseUrl }: Pick<Settings, 'baseUrl'>,
  version: string,
): Promise<Json> {
  const endpoints = [
    ...ontologyEndpoints.map((one) => ({ ...one, hasPage: hasPage(one) })),
    datasetEndpoint,
    ...reportEndpoints,
    ...sparqlEndpoints,
    ...guidance.endpoints,
  ]
  const head = { version, baseUrl, cookie: guidance.cookie }
  return openApiDocument(head, endpoints)
}

function hasPage({ path }: { readonly path: string }): boolean {
  return pageOfRecord(path.replace('/releases/{version}', '')) !== null
}

/** A server that is built but does not listen. */
export interface App {
  readonly server: Server
  /** Makes `/readyz` fail, so that a balancer sends no more requests here. */
  drain(): void
  close(): Promise<void>
}

/**
 * Mounts the services on one Express application.
 */
export function createApp(parts: AppParts): App {
  const { ontology, guidance, sparql, settings, document, log } = parts
  let draining = false
  const app = createExpress(settings)
  // Answers of a release have the headers of its static copies, and no others.
  const otherPaths = guidance.endpoints.map(({ path }) => path)
  app.use(ontologyRoutes({ service: ontology, pageOf: pageOfRecord, otherPaths }))
  app.use(publishedRoutes(reportEndpoints, ontology))
  app.use(publishedRoutes([datasetEndpoint], datasetsOf(ontology, settings)))
  app.use(helmet(HELMET))
  app.use((request, _response, next) => {
    tidyForwarded(request)
    next()
  })
  serveHealth(app, parts, () => draining)
  serveDocument(app, document)
  const ask = inProcess((request, response) => {
    if (!answersFromMemory(parts, { request, response })) app(request, response)
  })
  const pages = webPages({
    banner: settings.guidance.banner,
    baseUrl: settings.baseUrl,
    securityContact: settings.securityContact,
    records: () => recordPaths(ontology),
    ask,
    log,
    ...knownRecords(ontology, guidance),
    queryTypes: settings.sparql.threads > 0 ? QUERY_TYPES : null,
  })
  app.use(pages.routes)
  if (settings.mcp) app.use(mcpOnDemand({ ask, baseUrl: settings.baseUrl, log }))
  app.use(sparqlRoutes(sparql))
  app.use(guidanceRoutes(guidance))
  app.use(pages.missing)
  app.use((request) => {
    throw new Refusal('route_not_found', `${request.path} does not exist. See /api/docs for all paths.`)
  })
  app.use(errorHandler(log, pages))
  const server = serverOf(app, parts)
  explainUnreadable(server, log)
  return {
    server,
    drain: () => {
      draining = true
      guidance.drain()
    },
    close: () => pages.close(),
  }
}

/** Few installations are asked at `/mcp`, so its library is loaded with the first request. */
function mcpOnDemand(parts: Omit<McpParts, 'version'>): RequestHandler {
  let routes: Promise<Router> | null = null
  return async (request, response, next) => {
    if (request.path !== MCP_PATH) {
      next()
      return
    }
    const { version } = programVersions()
    routes ??= import('./mcp/routes.ts').then(({ mcpRoutes }) => mcpRoutes({ ...parts, version }))
    const router = await routes
    router(request, response, next)
  }
}

/** The facts about both services that pages need. */
function knownRecords(ontology: OntologyService, guidance: GuidanceService): Omit<KnownRecords, 'queryTypes'> {
  return {
    hasRecord: (path, version) =>
      path.startsWith('/api/') ? hasRecord(ontology, path, version) : guidance.hasRecord(path),
    describeRecord: (path, version) =>
      path.startsWith('/api/') ? describePage(ontology, path, version) : guidance.describeRecord(path),
    feeds: { ontology: RELEASE_FEED, catalogue: guidance.feed },
    pageOf: (path) => guidance.pageOf(path),
    pageNamed: async (name, version) => {
      const page = pageNamed(name)
      const record = page === null ? await recordNamed(ontology, name, version) : null
      return record === null ? page : pageOfRecord(record)
    },
    resourceTypes: ['application/json', ...RDF_TYPES],
    apiPaths: guidance.endpoints.map(({ path }) => path),
  }
}

/** The record of the ontology that a page shows, at the address of the page. A release other than the active one is in it. */
async function describePage(
  ontology: OntologyService,
  path: string,
  version: string | null,
): Promise<DescribedRecord | null> {
  const record = await describeRecord(ontology, path, version)
  const page = record === null ? null : pageOfRecord(record.path)
  if (record === null || page === null) return null
  const isOther = version !== null && version !== ontology.current?.manifest.version
  return { ...record, path: isOther ? `${page}?release=${encodeURIComponent(version)}` : page }
}

/** Answers from memory at once, and by Express otherwise. */
function serverOf(app: Express, parts: AppParts): Server {
  const traffic = trafficOf(parts)
  const handle = inTurn((request, response) => {
    request.url = withoutHost(request.url ?? '/')
    if (!namesOneHost(request)) refuseHost(request, response)
    else if (!traffic.answers(request, response, () => answersFromMemory(parts, { request, response })))
      app(request, response)
  })
  // A server may ignore expectations other than `100-continue` (RFC 9110 §10.1.1).
  return createServer(SERVER, handle).on('checkExpectation', handle)
}

function answersFromMemory({ ontology, log }: AppParts, exchange: Exchange): boolean {
  const representation = peekOntology(ontology, exchange.request)
  if (representation === null) return false
  sendRepresentation(exchange, representation).catch((error: unknown) => {
    log.error({ err: error, request_id: trailOf(exchange.request).id }, 'An answer broke off')
    exchange.response.destroy()
  })
  return true
}

function trafficOf({ settings: { accessLog }, log, meter = null }: AppParts): Traffic {
  const paths = ontologyEndpoints.map(({ path }) => path)
  return new Traffic({ log, accessLog, paths, meter })
}

function datasetsOf(service: OntologyService, settings: Settings): DatasetParts {
  const { baseUrl, dataDir, sparql } = settings
  return { baseUrl, folder: new ReleaseFolder(dataDir), service, hasSparql: sparql.threads > 0 }
}

function createExpress(settings: Settings): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('query parser', 'simple')
  app.set('trust proxy', [...settings.guidance.trustedProxies])
  return app
}

function refuseHost(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close')
  sendProblem({ request, response }, new Refusal('bad_host', 'A request names its host once, as a name or an address.'))
}

function serveHealth(app: Express, { ontology, guidance, sparql }: AppParts, isDraining: () => boolean): void {
  readOnly(app, '/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })
  readOnly(app, '/readyz', async (_request, response) => {
    await guidance.checkReady()
    if (isDraining()) throw new Refusal('shutting_down', 'Send requests elsewhere.')
    const release = ontology.current
    if (release === null) throw new Refusal('no_release', 'No release is open yet.')
    sparql.checkReady()
    const { engine } = ontology
    const version = release.manifest.version
    response.json({ status: 'ready', release: version, ...(engine !== null && { engine }) })
  })
}

/** Programs look for the document at the root. */
const DOCUMENT_PATHS = [
  ['/api/openapi.json', 'json'],
  ['/openapi.json', 'json'],
  ['/openapi.yaml', 'yaml'],
] as const

function serveDocument(app: Express, document: AppParts['document']): void {
  for (const [path, syntax] of DOCUMENT_PATHS) {
    readOnly(app, path, async (request, response) => {
      response.set('Access-Control-Allow-Origin', '*')
      await sendPacked(await document(syntax), request, response)
    })
  }
}

function errorHandler(log: Log, pages: Pick<WebPages, 'failure' | 'signIn'>): ErrorRequestHandler {
  // Express knows a handler of errors by its four parameters.
  return (error: unknown, request, response: Response, _next) => {
    // Without its query, which may hold the secret of a link.
    const { method, path } = request
    const { id } = trailOf(request)
    if (!(error instanceof Refusal)) {
      const message = response.headersSent ? 'An answer broke off' : 'A request failed'
      log.error({ err: error, request_id: id, method, path }, message)
    }
    if (response.headersSent) {
      response.destroy()
      return
    }
    const problem = problemOf(error, id)
    const signIn = pages.signIn(request, problem)
    if (signIn !== null) {
      response.vary('Accept').set('Cache-Control', 'no-store').redirect(303, signIn)
      return
    }
    const page = pages.failure(request, problem)
    if (page === null) sendProblem({ request, response }, error)
    else
      response.status(problem.status).set('Cache-Control', 'no-store').set('X-Request-Id', id).type('html').send(page)
  }
}
