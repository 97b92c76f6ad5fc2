import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import express, {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import helmet from 'helmet'
import { guidanceRoutes, type GuidanceService } from './guidance/index.ts'
import { problemOf, sendProblem } from './http/answer/problem.ts'
import { sendRepresentation, type Exchange } from './http/answer/representation.ts'
import { sendPacked, type DocumentCache } from './http/openapi/document-cache.ts'
import { openApiDocument } from './http/openapi/document.ts'
import type { Json } from './http/openapi/json-schema.ts'
import { publishedRoutes } from './http/published-routes.ts'
import { answerInOrder } from './http/server/answer-in-order.ts'
import { tidyForwarded } from './http/server/forwarded.ts'
import { hasOneHost, withoutHost } from './http/server/host.ts'
import { inProcess } from './http/server/in-process.ts'
import { readOnly } from './http/server/read-only.ts'
import { contextOf } from './http/server/request-context.ts'
import { RequestLog, type RequestMeter } from './http/server/request-log.ts'
import { explainUnreadable } from './http/server/unreadable.ts'
import { MCP_PATH, type McpParts } from './mcp/parts.ts'
import {
  ontologyRoutes,
  peekOntology,
  datasetEndpoint,
  ontologyEndpoints,
  findRecordPaths,
  ReleaseFolder,
  reportEndpoints,
  type DatasetParts,
  type OntologyService,
} from './ontology/index.ts'
import { pageRecords } from './page-records.ts'
import { Refusal } from './platform/errors.ts'
import type { Log } from './platform/log.ts'
import type { Settings } from './platform/settings/settings.ts'
import { QUERY_TYPES, sparqlEndpoints, sparqlRoutes, type SparqlService } from './sparql/index.ts'
import { programVersions } from './versions.ts'
import { pageOfRecord } from './web/paths/record-page.ts'
import { webPages, type WebPages } from './web/server/routes.ts'

/** Strict-Transport-Security is up to the proxy that ends TLS, because this service speaks plain HTTP. */
const HELMET_OPTIONS = {
  strictTransportSecurity: false,
  contentSecurityPolicy: { directives: { upgradeInsecureRequests: null, styleSrc: ["'self'"] } },
} as const

/**
 * Times are in milliseconds. The service itself refuses requests without a host, with a problem. Clients that do not send
 * the head of their request are disconnected within half a minute. Idle connections stay open longer than load balancers
 * keep theirs (a minute), so that no balancer sends a request to a connection that closes.
 */
const SERVER_OPTIONS = {
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
  readonly document: DocumentCache
  readonly log: Log
  /** Measures requests; default: no measurement. */
  readonly meter?: RequestMeter | null
}

/** The OpenAPI document of all services. Other requests are answered while it is made. */
export async function describeApp(
  guidance: Pick<GuidanceService, 'cookie' | 'endpoints'>,
  { baseUrl }: Pick<Settings, 'baseUrl'>,
  version: string,
): Promise<Json> {
  const endpoints = [
    ...ontologyEndpoints.map((endpoint) => ({ ...endpoint, hasPage: hasPage(endpoint) })),
    datasetEndpoint,
    ...reportEndpoints,
    ...sparqlEndpoints,
    ...guidance.endpoints,
  ]
  return openApiDocument({ version, baseUrl, cookie: guidance.cookie }, endpoints)
}

function hasPage({ path }: { readonly path: string }): boolean {
  return pageOfRecord(path.replace('/releases/{version}', '')) !== null
}

/** A server that does not listen yet. */
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
  app.use(helmet(HELMET_OPTIONS))
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
    records: () => findRecordPaths(ontology),
    ask,
    log,
    ...pageRecords(ontology, guidance),
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
  const server = createAppServer(app, parts)
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

/** Few installations get requests at `/mcp`, so its library is loaded with the first one. */
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

/** Answers from memory if possible, otherwise with Express. */
function createAppServer(app: Express, parts: AppParts): Server {
  const traffic = createRequestLog(parts)
  const handle = answerInOrder((request, response) => {
    request.url = withoutHost(request.url ?? '/')
    if (!hasOneHost(request)) refuseHost(request, response)
    else if (!traffic.answers(request, response, () => answersFromMemory(parts, { request, response })))
      app(request, response)
  })
  // A server may ignore expectations other than `100-continue` (RFC 9110 §10.1.1).
  return createServer(SERVER_OPTIONS, handle).on('checkExpectation', handle)
}

function answersFromMemory({ ontology, log }: AppParts, exchange: Exchange): boolean {
  const representation = peekOntology(ontology, exchange.request)
  if (representation === null) return false
  sendRepresentation(exchange, representation).catch((error: unknown) => {
    log.error({ err: error, request_id: contextOf(exchange.request).id }, 'An answer broke off')
    exchange.response.destroy()
  })
  return true
}

function createRequestLog({ settings: { accessLog }, log, meter = null }: AppParts): RequestLog {
  return new RequestLog({ log, accessLog, paths: ontologyEndpoints.map(({ path }) => path), meter })
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
  // Express recognises error handlers by their four parameters.
  return (error: unknown, request, response: Response, _next) => {
    // The log leaves out the query, which may contain the secret of a link.
    const { method, path } = request
    const { id } = contextOf(request)
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
