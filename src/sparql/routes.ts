import { once } from 'node:events'
import express, { Router, type Request, type RequestHandler, type Response } from 'express'
import { sendRepresentation } from '../http/answer/representation.ts'
import { refuseBody } from '../http/input.ts'
import { runHandler } from '../http/routes.ts'
import { networkOf } from '../http/server/limit.ts'
import { answersMethod } from '../http/server/methods.ts'
import { contentType, formatFor } from './formats.ts'
import { readRequest, type ProtocolRequest } from './request.ts'
import type { SparqlService } from './service.ts'

/** Many engines have their endpoint at the second path, and clients do not follow a redirect of a POST. */
const PATHS = ['/sparql', '/sparql/']
const METHODS = 'GET, HEAD, POST, OPTIONS'
/** Connections are closed if a client does not send its query or does not read the answer in this time. */
const SENDING_MS = 20_000
const READING_MS = 60_000
const DAY_SECONDS = '86400'
/**
 * Pages of any origin may send any header. Clients that also query protected engines send Authorization, which is ignored
 * here. Cookies are not allowed, because the allowed origin is `*`.
 */
const OPEN_HEADERS = '*, Authorization'

/** The SPARQL 1.1 Protocol. Answers are complete before the first byte is sent, so that they have a length. */
export function sparqlRoutes(service: SparqlService, readingMs = READING_MS): Router {
  const router = Router({ caseSensitive: true, strict: true })
  if (service.settings.threads === 0) return router
  const { queryBytes } = service.settings
  const readBody = express.raw({ limit: queryBytes, type: () => true })
  const body = async (request: Request, response: Response): Promise<Uint8Array> => {
    const stalled = setTimeout(() => request.destroy(), SENDING_MS).unref()
    try {
      await runHandler(readBody, request, response)
    } catch (error) {
      throw refuseBody(error, `${queryBytes / 1024} KiB`)
    } finally {
      clearTimeout(stalled)
    }
    const sent: unknown = request.body
    return sent instanceof Uint8Array ? sent : new Uint8Array()
  }
  const handle: RequestHandler = async (request, response) => {
    const network = networkOf(request.ip ?? '')
    const leave = service.enter(network)
    try {
      const received = request.method === 'POST' ? await body(request, response) : new Uint8Array()
      const parsed = readRequest({ ...partsOf(request), body: received })
      if (parsed.query === null) await sendDescription(service, request, response)
      else await answer(service, { ...parsed, query: parsed.query }, { request, response, readingMs })
    } finally {
      leave()
    }
  }
  router.all(PATHS, openToAll)
  for (const path of PATHS) {
    router.route(path).get(handle).post(handle).all(answerOthers)
  }
  return router
}

function partsOf(request: Request): Omit<Parameters<typeof readRequest>[0], 'body'> {
  const [, search = ''] = /\?(.*)$/s.exec(request.originalUrl) ?? []
  return { method: request.method, search, header: (name) => request.get(name) }
}

const openToAll: RequestHandler = (_request, response, next) => {
  response.set('Access-Control-Allow-Origin', '*')
  response.set('Access-Control-Expose-Headers', 'Retry-After')
  response.set('Vary', 'Accept')
  next()
}

const answerOthers: RequestHandler = (request, response) => {
  if (request.method === 'OPTIONS') response.set('Access-Control-Max-Age', DAY_SECONDS)
  const refusal = `${request.method} is not allowed at /sparql; ${METHODS} are.`
  answersMethod(request, response, { allow: METHODS, isOpen: true, openHeaders: OPEN_HEADERS, refusal })
}

interface Exchange {
  readonly request: Request
  readonly response: Response
  readonly readingMs: number
}

async function answer(
  service: SparqlService,
  parsed: ProtocolRequest & { readonly query: string },
  { request, response, readingMs }: Exchange,
): Promise<void> {
  const disconnected = new AbortController()
  response.once('close', () => {
    // An answered request needs no signal: creating its error would take longer than some answers.
    if (!response.writableFinished) disconnected.abort()
  })
  const client = { network: networkOf(request.ip ?? ''), signal: disconnected.signal }
  const { answer: sparqlAnswer, sent } = await service.answer(parsed, request.get('Accept'), client)
  try {
    await sendWhole(response, sparqlAnswer, readingMs)
  } finally {
    sent()
  }
}

/** Resolves when the client has read the whole answer or has disconnected; closes the connection of a slow client. */
async function sendWhole(
  response: Response,
  { mediaType, body }: { readonly mediaType: string; readonly body: Uint8Array },
  readingMs: number,
): Promise<void> {
  if (response.destroyed) return
  const closed = once(response, 'close')
  const stuck = setTimeout(() => response.destroy(), readingMs)
  await sendRepresentation(
    { request: response.req, response },
    {
      etag: null,
      content: ['Content-Type', contentType(mediaType)],
      validators: ['Cache-Control', 'no-cache'],
      length: body.length,
      isRanged: false,
      read: () => body,
    },
  )
  await closed
  clearTimeout(stuck)
}

async function sendDescription(service: SparqlService, request: Request, response: Response): Promise<void> {
  const { mediaType, engine } = formatFor('DESCRIBE', request.get('Accept'))
  const graphs = await service.graphs()
  // Loaded on demand, because it needs a store and is rarely requested.
  const { describeService } = await import('./description.ts')
  const body = new TextEncoder().encode(describeService(service.endpoint, graphs, engine))
  await sendWhole(response, { mediaType, body }, READING_MS)
}
