import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../../platform/log.ts'
import { patternMatcher } from './path-patterns.ts'
import { trailOf, type Trail } from './trail.ts'

/** Counts and times requests. */
export interface RequestMeter {
  /** An answer from memory, which is over at once. */
  fromMemory(status: number): void
  over(request: MeasuredRequest): void
}

export interface MeasuredRequest {
  readonly method: string
  /** The pattern of the path; null where nothing is. */
  readonly route: string | null
  readonly status: number
  /** Until the last byte was given to the connection. */
  readonly ms: number
}

interface TrafficOptions {
  readonly log: Log
  /** Null: nobody measures. */
  readonly meter: RequestMeter | null
  /** `requests`: all but what the ontology answers from its memory. */
  readonly accessLog: 'all' | 'requests' | 'off'
  /** Patterns of the paths that are not Express's, with `{name}` for a parameter. */
  readonly paths: readonly string[]
}

/** Answers a request at once, if it can; false if not. */
type AnswerFromMemory = (request: IncomingMessage, response: ServerResponse) => boolean

interface FollowedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly meter: RequestMeter | null
}

interface StartedRequest {
  readonly trail: Trail
  readonly socket: Socket
  /** Bytes that the connection had sent for earlier requests. */
  readonly bytesBefore: number
}

/** From here on the time of a request counts. */
function begin(request: IncomingMessage): StartedRequest {
  const { socket } = request
  return { trail: trailOf(request), socket, bytesBefore: socket.bytesWritten }
}

/** Writes the access log, and has requests measured. */
export class Traffic {
  readonly #options: TrafficOptions
  readonly #routeOf: (path: string) => string | null

  constructor(options: TrafficOptions) {
    this.#options = options
    this.#routeOf = patternMatcher(options.paths)
  }

  /**
   * Tries what answers from memory, which is most of the traffic, and follows what it does not answer. False: the
   * answer is still to be made.
   */
  answers(request: IncomingMessage, response: ServerResponse, fromMemory: AnswerFromMemory): boolean {
    const { accessLog, meter } = this.#options
    const begun = accessLog === 'all' ? begin(request) : null
    if (fromMemory(request, response)) {
      meter?.fromMemory(response.statusCode)
      if (begun !== null) this.#follow({ request, response, meter: null }, begun)
      return true
    }
    if (accessLog !== 'off' || meter !== null) this.#follow({ request, response, meter }, begun ?? begin(request))
    return false
  }

  /** Has the meter and the log told of a request when it is over. */
  #follow({ request, response, meter }: FollowedRequest, { trail, socket, bytesBefore }: StartedRequest): void {
    const { log, accessLog } = this.#options
    response.once('close', () => {
      const measured = this.#measured(request, response)
      meter?.over(measured)
      if (accessLog === 'off') return
      const { id: request_id, caller } = trail
      const bytes = socket.bytesWritten - bytesBefore
      const cut = response.writableFinished ? {} : { cut: true }
      log.info({ request_id, ...measured, bytes, caller, ...cut }, 'Answered')
    })
  }

  #measured(request: IncomingMessage, response: ServerResponse): MeasuredRequest {
    const { method = 'GET', url = '/' } = request
    const route = expressRoute(request) ?? this.#routeOf(pathOf(url))
    const ms = Math.round((performance.now() - trailOf(request).startedAt) * 10) / 10
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
