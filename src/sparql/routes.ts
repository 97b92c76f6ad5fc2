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

/** Many engines have theirs at the second, and clients that send a query by POST do not follow a redirect. */
const PATHS = ['/sparql', '/sparql/']
const METHODS = 'GET, HEAD, POST, OPTIONS'
/** A client that has not sent its query in this time is cut off, and so is one that has not read the answer. */
const SENDING_MS = 20_000
const READING_MS = 60_000
const DAY_SECONDS = '86400'
/**
 * Pages of any origin may send any header. Clients that also ask protected engines send Authorization; nothing reads it
 * here, so the answer is that for everybody. Cookies are not allowed, because the allowed origin is `*`.
 */
const OPEN_HEADERS = '*, Authorization'

/** The SPARQL 1.1 Protocol. Answers are whole when the first byte goes out, and say how long they are. */
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
  const gone = new AbortController()
  response.once('close', () => {
    // An answered one needs no signal: making its error would take longer than some answers.
    if (!response.writableFinished) gone.abort()
  })
  const asker = { network: networkOf(request.ip ?? ''), signal: gone.signal }
  const { answer: found, sent } = await service.answer(parsed, request.get('Accept'), asker)
  try {
    await sendWhole(response, found, readingMs)
  } finally {
    sent()
  }
}

/** Resolves when the client has read all of it, or is gone; a slow one is cut off. */
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
  // Few ask for it, and it loads a store.
  const { describeService } = await import('./description.ts')
  const body = new TextEncoder().encode(describeService(service.endpoint, graphs, engine))
  await sendWhole(response, { mediaType, body }, READING_MS)
}
