import express, { Router, type Request, type RequestHandler, type Response } from 'express'
import { append } from '../platform/append.ts'
import { messageOf, Refusal } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { send } from './answer/send.ts'
import type { Caller } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import { checkShape, refuseBody, requireUtf8 } from './input.ts'
import type { RawRequest } from './request.ts'
import { networkOf, type Limit } from './server/limit.ts'
import { answersMethod } from './server/methods.ts'
import { contextOf } from './server/request-context.ts'
import type { Session } from './session.ts'
import { receiveUpload, type UploadFolder } from './upload.ts'

const BODY_LIMIT = '1mb'

/** The endpoints of a service, and what is needed to answer them. */
export interface Frame {
  readonly endpoints: readonly Endpoint[]
  readonly uploads: UploadFolder
  /** Limits of sign-in attempts and of uploads, by network. */
  readonly limits: { readonly logins: Limit; readonly uploads: Limit }
  readonly log: Log
  /** The session of a request; an empty one for a request with a token. */
  openSession(exchange: Exchange, endpoint: Endpoint): Promise<Session>
  /** The caller; null if the endpoint needs none. Refuses callers who may not use it. */
  authenticate(endpoint: Endpoint, arriving: RequestHead): Promise<Caller | null>
  /** Turns a thrown error into the one to answer with. */
  explain(error: unknown): unknown
}

export interface Exchange {
  readonly request: Request
  readonly response: Response
}

/** The part of a request that is known before its body is read. */
export interface RequestHead extends Pick<RawRequest, 'session' | 'address' | 'header'> {
  readonly method: string
}

/** Routes of Express for endpoints. */
export function endpointRoutes(frame: Frame): Router {
  const router = Router({ caseSensitive: true })
  for (const [path, endpoints] of byPath(frame.endpoints)) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'))
    if (isOpen(endpoints)) route.all(openToAll)
    for (const endpoint of endpoints) {
      const handler = answer(frame, endpoint)
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

function answer(frame: Frame, endpoint: Endpoint): RequestHandler {
  const readBody = express.json({ limit: BODY_LIMIT, strict: false, verify: requireUtf8 })
  return async (request, response) => {
    try {
      const network = networkOf(request.ip ?? '')
      const attempts = `${endpoint.operation} ${network}`
      if (endpoint.limited === true) await frame.limits.logins.count(attempts, tooMany(frame, endpoint, request))
      const countFile = async (kind: Endpoint['limited']): Promise<void> => {
        if (endpoint.limited === kind && isForm(request)) await frame.limits.uploads.count(network)
      }
      await countFile('uploads')
      const session = await frame.openSession({ request, response }, endpoint)
      const caller = await frame.authenticate(endpoint, {
        method: request.method,
        header: (name) => request.get(name),
        address: request.ip ?? '',
        session,
      })
      contextOf(request).caller = caller?.id ?? null
      if (caller?.admin !== true) await countFile('imports')
      if (takesJson(endpoint, request)) await readJson(readBody, request, response)
      const forgive = (): Promise<void> => frame.limits.logins.forgive(attempts)
      const query = readQuery(request.query, endpoint.lists)
      const raw = { ...rawRequest(frame, request, response), query }
      const value = await endpoint.run({ ...raw, caller, session, forgive })
      await send(response, endpoint, value)
    } catch (error) {
      throw frame.explain(error)
    }
  }
}

/** Logs only the first of many refused requests, because all of them would fill the disk. */
function tooMany({ log }: Frame, { operation }: Endpoint, request: Request): () => void {
  return () => {
    const facts = { request_id: contextOf(request).id, operation, address: request.ip }
    log.warn(facts, 'Too many attempts from one address')
  }
}

function takesJson({ input, upload }: Endpoint, request: Request): boolean {
  if (!('body' in input.shape) || upload === true) return false
  return upload !== 'optional' || !isForm(request)
}

function isForm(request: Request): boolean {
  return typeof request.is('multipart/form-data') === 'string'
}

/** The parts of a request that do not depend on its caller. */
function rawRequest(
  { uploads }: Frame,
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
    receive: (maxBytes = uploads.maxBytes) =>
      receiveUpload({ headers: request.headers, body: request }, { folder: uploads.folder, maxBytes }),
  }
}

/** Reads the body as JSON. A body of another kind is refused, not ignored. */
async function readJson(readBody: RequestHandler, request: Request, response: Response): Promise<void> {
  const isEmpty = request.get('Content-Length') === '0'
  if (request.is('application/json') === false && !isEmpty)
    throw new Refusal('unsupported_media_type', 'Send the body as application/json.')
  try {
    await runHandler(readBody, request, response)
  } catch (error) {
    throw refuseBody(error, BODY_LIMIT)
  }
  checkShape(request.body)
}

/** Runs a handler of Express as a promise. */
export function runHandler(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    void handler(request, response, (error?: unknown) => {
      if (error === undefined) resolve()
      else reject(error instanceof Error ? error : new Error(messageOf(error)))
    })
  })
}

/** The last value of a repeated parameter; all values of a list. */
function readQuery(query: Request['query'], lists: readonly string[] = []): Readonly<Record<string, unknown>> {
  const encodeOne = (name: string, values: readonly unknown[]): unknown =>
    lists.includes(name) ? values.join(',') : values.at(-1)
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? encodeOne(name, value) : value]),
  )
}

function isOpen(endpoints: readonly Endpoint[]): boolean {
  return endpoints.some(({ open }) => open === true)
}

const openToAll: RequestHandler = (_request, response, next) => {
  response.set('Access-Control-Allow-Origin', '*')
  next()
}

function refuseMethod(endpoints: readonly Endpoint[]): RequestHandler {
  const methods = endpoints.flatMap((endpoint) => endpoint.methods).map((name) => name.toUpperCase())
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  const isOpenToAll = isOpen(endpoints)
  return (request, response) => {
    const refusal = `${request.method} is not allowed at ${request.path}; ${allow} are.`
    answersMethod(request, response, { allow, isOpen: isOpenToAll, refusal })
  }
}
