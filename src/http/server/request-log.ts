import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../../platform/log.ts'
import { patternMatcher } from './path-patterns.ts'
import { contextOf, type RequestContext } from './request-context.ts'

/** Counts and times requests. */
export interface RequestMeter {
  /** Counts an answer from memory, which takes no time. */
  fromMemory(status: number): void
  over(request: MeasuredRequest): void
}

export interface MeasuredRequest {
  readonly method: string
  /** The pattern of the path; null for unknown paths. */
  readonly route: string | null
  readonly status: number
  /** Milliseconds until the last byte was passed to the connection. */
  readonly ms: number
}

interface TrafficOptions {
  readonly log: Log
  /** Null if requests are not measured. */
  readonly meter: RequestMeter | null
  /** `requests`: all except those that the ontology answers from memory. */
  readonly accessLog: 'all' | 'requests' | 'off'
  /** Patterns of the paths that are not Express's, with `{name}` for a parameter. */
  readonly paths: readonly string[]
}

/** Answers a request from memory if possible; returns whether it has. */
type AnswerFromMemory = (request: IncomingMessage, response: ServerResponse) => boolean

interface FollowedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly meter: RequestMeter | null
}

interface StartedRequest {
  readonly trail: RequestContext
  readonly socket: Socket
  /** Bytes that the connection had sent for earlier requests. */
  readonly bytesBefore: number
}

/** Starts to measure a request. */
function startRequest(request: IncomingMessage): StartedRequest {
  const { socket } = request
  return { trail: contextOf(request), socket, bytesBefore: socket.bytesWritten }
}

/** Writes the access log, and measures requests. */
export class RequestLog {
  readonly #options: TrafficOptions
  readonly #routeOf: (path: string) => string | null

  constructor(options: TrafficOptions) {
    this.#options = options
    this.#routeOf = patternMatcher(options.paths)
  }

  /**
   * Tries to answer from memory, as for most requests, and measures the others. Returns false if the request still needs
   * an answer.
   */
  answers(request: IncomingMessage, response: ServerResponse, fromMemory: AnswerFromMemory): boolean {
    const { accessLog, meter } = this.#options
    const begun = accessLog === 'all' ? startRequest(request) : null
    if (fromMemory(request, response)) {
      meter?.fromMemory(response.statusCode)
      if (begun !== null) this.#follow({ request, response, meter: null }, begun)
      return true
    }
    if (accessLog !== 'off' || meter !== null)
      this.#follow({ request, response, meter }, begun ?? startRequest(request))
    return false
  }

  /** Reports a request to the meter and the log at its end. */
  #follow({ request, response, meter }: FollowedRequest, { trail, socket, bytesBefore }: StartedRequest): void {
    const { log, accessLog } = this.#options
    response.once('close', () => {
      const measured = this.#measured(request, response)
      meter?.over(measured)
      if (accessLog === 'off') return
      const { id: request_id, caller } = trail
      const bytes = socket.bytesWritten - bytesBefore
      const cutMark = response.writableFinished ? {} : { cut: true }
      log.info({ request_id, ...measured, bytes, caller, ...cutMark }, 'Answered')
    })
  }

  #measured(request: IncomingMessage, response: ServerResponse): MeasuredRequest {
    const { method = 'GET', url = '/' } = request
    const route = expressRoute(request) ?? this.#routeOf(pathOf(url))
    const ms = Math.round((performance.now() - contextOf(request).startedAt) * 10) / 10
    return { method, route, status: response.statusCode, ms }
  }
}

function pathOf(url: string): string {
  const end = url.search(/[?#]/)
  return end === -1 ? url : url.slice(0, end)
}

/** The pattern by which Express found its handler, as we write patterns. */
function expressRoute(request: IncomingMessage): string | null {
  const route: unknown = 'route' in request ? request.route : null
  if (typeof route !== 'object' || route === null || !('path' in route)) return null
  return typeof route.path === 'string' ? route.path.replaceAll(/:(\w+)/g, '{$1}') : null
}
