import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import express, { Router, type Request, type RequestHandler, type Response } from 'express'
import session from 'express-session'
import {
  DOCUMENT,
  EVENTS,
  REDIRECTION,
  type Document,
  type Events,
  type Heartbeat,
  type ServerEvent,
} from '../../http/answers.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { checkShape, refuseBody } from '../../http/input.ts'
import { encodeJson } from '../../http/json.ts'
import type { RawRequest } from '../../http/request.ts'
import type { Session } from '../../http/session.ts'
import { receiveUpload } from '../../http/upload.ts'
import { append } from '../../platform/append.ts'
import { hasCode, messageOf, Refusal } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { isUnreachable } from '../database/faults.ts'
import { httpSession, NO_SESSION } from '../identity/sessions/http-session.ts'
import { SessionStore } from '../identity/sessions/store.ts'
import { isTokenHeader } from '../identity/tokens/authenticate.ts'
import { networkOf } from '../parts/limits.ts'
import { authenticate } from './authenticate.ts'
import type { GuidanceService } from './service.ts'

const BODY_LIMIT = '1mb'

/** The list of endpoints over Express. */
export function guidanceRoutes(service: GuidanceService): Router {
  const router = Router({ caseSensitive: true })
  const sessions = sessionMiddleware(service)
  for (const [path, endpoints] of byPath(service.endpoints)) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'))
    for (const endpoint of endpoints) {
      const handler = answer(service, endpoint, sessions)
      for (const method of endpoint.methods) route[method](handler)
    }
    route.all(refuseMethod(endpoints))
  }
  return router
}

/** Paths without a parameter come first, so that `/users/edit` is not the user named `edit`. */
function byPath(endpoints: readonly Endpoint[]): readonly [string, readonly Endpoint[]][] {
  const paths = new Map<string, Endpoint[]>()
  for (const endpoint of endpoints) append(paths, endpoint.path, endpoint)
  return [...paths].sort(([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')))
}

function sessionMiddleware(service: GuidanceService): RequestHandler {
  const { database, settings, keys, secure } = service
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const
  return session({
    name: service.cookie,
    secret: keys.cookie,
    // Whether the cookie may be sent is decided when somebody signs in, with a reason.
    proxy: true,
    resave: false,
    saveUninitialized: false,
    cookie,
    store: new SessionStore({ database, cookie, ...settings.session }),
  })
}

function answer(
  service: GuidanceService,
  endpoint: Endpoint,
  sessions: RequestHandler,
): RequestHandler {
  const readBody = express.json({ limit: BODY_LIMIT, strict: false })
  return async (request, response) => {
    try {
      const network = networkOf(request.ip ?? '')
      const attempts = `${endpoint.operation} ${network}`
      if (endpoint.limited === true)
        await service.limits.logins.count(attempts, tooMany(service, endpoint, request))
      const countFile = async (kind: Endpoint['limited']): Promise<void> => {
        if (endpoint.limited === kind && isForm(request))
          await service.limits.uploads.count(network)
      }
      await countFile('uploads')
      const httpSession = isByToken(service, endpoint, request)
        ? NO_SESSION
        : await openSession(service, sessions, { request, response })
      const caller = await authenticate(service, endpoint, {
        method: request.method,
        header: (name) => request.get(name),
        address: request.ip ?? '',
        session: httpSession,
      })
      if (caller?.admin !== true) await countFile('imports')
      if (takesJson(endpoint, request)) await readJson(readBody, request, response)
      const forgive = (): Promise<void> => service.limits.logins.forgive(attempts)
      const query = readQuery(request.query, endpoint.lists)
      const raw = { ...rawRequest(service, request, response), query }
      const value = await endpoint.run({ ...raw, caller, session: httpSession, forgive })
      await send(response, { ...endpoint, log: service.log }, value)
    } catch (error) {
      throw isUnreachable(error)
        ? new Refusal('database_unavailable', 'The database does not answer. Try again.')
        : service.storage.note(error)
    }
  }
}

/** Logs the first of many requests only: they would fill the disk. */
function tooMany({ log }: GuidanceService, { operation }: Endpoint, { ip }: Request): () => void {
  return () => {
    log.warn({ operation, address: ip }, 'Too many attempts from one address')
  }
}

function takesJson({ input, upload }: Endpoint, request: Request): boolean {
  if (!('body' in input.shape) || upload === true) return false
  return upload !== 'optional' || !isForm(request)
}

function isForm(request: Request): boolean {
  return typeof request.is('multipart/form-data') === 'string'
}

/** What of a request does not depend on who sends it. */
function rawRequest(
  { uploads }: GuidanceService,
  request: Request,
  response: Response,
): Omit<RawRequest, 'caller' | 'session' | 'forgive' | 'query'> {
  return {
    params: request.params,
    body: request.body,
    address: request.ip ?? '',
    header: (name) => request.get(name),
    setHeader: (name, text) => response.setHeader(name, text),
    setStatus: (status) => response.status(status),
    isForm: isForm(request),
    receive: () => receiveUpload({ headers: request.headers, body: request }, uploads),
  }
}

/** Where nobody needs to be known, a token is not looked at: signing in works with one, too. */
function isByToken({ settings }: GuidanceService, { access }: Endpoint, request: Request): boolean {
  if (access.authentication === 'none' || !settings.tokensEnabled) return false
  return isTokenHeader(request.get('Authorization'))
}

async function openSession(
  { keys, secure }: GuidanceService,
  sessions: RequestHandler,
  { request, response }: { readonly request: Request; readonly response: Response },
): Promise<Session> {
  await through(sessions, request, response)
  return httpSession(request, { csrfKey: keys.csrf, secure })
}

/** Reads the body as JSON. A body of another kind is refused rather than overlooked. */
async function readJson(
  readBody: RequestHandler,
  request: Request,
  response: Response,
): Promise<void> {
  const isEmpty = request.get('Content-Length') === '0'
  if (request.is('application/json') === false && !isEmpty)
    throw new Refusal('unsupported_media_type', 'Send the body as application/json.')
  try {
    await through(readBody, request, response)
  } catch (error) {
    throw refuseBody(error, BODY_LIMIT)
  }
  checkShape(request.body)
}

function through(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void handler(request, response, (error?: unknown) => {
      if (error === undefined) resolve()
      else reject(error instanceof Error ? error : new Error(messageOf(error)))
    })
  })
}

/** Of a parameter that is given several times, the last one; of a list, all. */
function readQuery(
  query: Request['query'],
  lists: readonly string[] = [],
): Readonly<Record<string, unknown>> {
  const one = (name: string, values: readonly unknown[]): unknown =>
    lists.includes(name) ? values.join(',') : values.at(-1)
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      Array.isArray(value) ? one(name, value) : value,
    ]),
  )
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Answers are for one caller: no cache may keep them. */
async function send(
  response: Response,
  { answer, log }: Pick<Endpoint, 'answer'> & { readonly log: Log },
  value: unknown,
): Promise<void> {
  response.setHeader('Cache-Control', 'no-store')
  if (answer === REDIRECTION) {
    response.status(303).location(REDIRECTION.parse(value).location).end()
  } else if (answer === DOCUMENT) {
    await sendDocument(response, DOCUMENT.parse(value), log)
  } else if (answer === EVENTS) {
    await sendEvents(response, EVENTS.parse(value))
  } else {
    const document = { mediaType: JSON_TYPE, fileName: null, body: encodeJson(value) }
    await sendDocument(response, document, log)
  }
}

async function sendDocument(
  response: Response,
  { mediaType, fileName, body, open }: Document,
  log: Log,
): Promise<void> {
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  // What fails before the first piece is a refusal or a fault like any other.
  const pieces = isWhole ? null : await begin(body)
  if (fileName !== null) response.attachment(fileName)
  if (open === true) response.setHeader('Access-Control-Allow-Origin', '*')
  response.setHeader('Content-Type', mediaType)
  if (isWhole) sendText(response, mediaType, body)
  else if (pieces !== null) await sendPieces(response, pieces, log)
}

/** The same pieces, of which the first one is there. */
async function begin<T>(pieces: AsyncIterable<T>): Promise<AsyncGenerator<T, void>> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    try {
      if (first.done !== true) yield first.value
      yield* { [Symbol.asyncIterator]: () => iterator }
    } finally {
      await iterator.return?.()
    }
  })()
}

/** What fails after the first piece can no longer be told: the answer ends without its end. */
async function sendPieces(
  response: Response,
  pieces: AsyncGenerator<string | Uint8Array, void>,
  log: Log,
): Promise<void> {
  // To a HEAD, nobody would see more.
  if (response.req.method === 'HEAD') {
    await pieces.next()
    await pieces.return()
  }
  try {
    await pipeline(pieces, response)
  } catch (error) {
    // Whoever asked has gone away.
    if (hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) return
    log.error({ err: error }, 'A document broke off')
  }
}

function sendText(response: Response, mediaType: string, body: string | Uint8Array): void {
  response.setHeader('Content-Type', mediaType)
  // With its length known, the answer leaves in one piece.
  response.setHeader('Content-Length', Buffer.byteLength(body))
  response.end(body)
}

/** Until there is nothing more to tell or nobody listens any more. */
async function sendEvents(response: Response, { events, cancel, page }: Events): Promise<void> {
  if (events === undefined) {
    sendText(response, JSON_TYPE, JSON.stringify(page))
    return
  }
  response.once('close', cancel ?? (() => undefined))
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8')
  // Proxies that gather answers would keep the news back.
  response.setHeader('X-Accel-Buffering', 'no')
  response.flushHeaders()
  if (response.closed || response.req.method === 'HEAD') cancel?.()
  for await (const told of events) {
    if (response.destroyed) break
    if (!response.write(encodeEvent(told))) await drained(response)
  }
  response.end()
}

function encodeEvent(told: ServerEvent | Heartbeat): string {
  if ('heartbeat' in told) return `: still here\nid: ${told.heartbeat}\n\n`
  const { event, data, id } = told
  const numbered = id === undefined ? '' : `id: ${id}\n`
  return `${numbered}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Nobody who reads takes longer for what is on the way. */
const STUCK_MS = 60_000

/** Whoever reads slowly is waited for for a while, whoever is gone is not. */
async function drained(response: Response): Promise<void> {
  const waiting = new AbortController()
  const { signal } = waiting
  const stuck = sleep(STUCK_MS, null, { signal, ref: false }).then(() => response.destroy())
  const over = ['drain', 'close'].map((name) => once(response, name, { signal }))
  await Promise.race([...over, stuck])
  waiting.abort()
}

function refuseMethod(endpoints: readonly Endpoint[]): RequestHandler {
  const methods = endpoints
    .flatMap((endpoint) => endpoint.methods)
    .map((name) => name.toUpperCase())
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  return (request, response) => {
    response.set('Allow', allow)
    if (request.method === 'OPTIONS') {
      response.status(204).end()
      return
    }
    const detail = `${request.method} is not allowed at ${request.path}; ${allow} are.`
    throw new Refusal('method_not_allowed', detail)
  }
}
