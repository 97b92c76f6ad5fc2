import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../../platform/log.ts'
import { trailOf } from './trail.ts'

/** What measures requests. */
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
type FromMemory = (request: IncomingMessage, response: ServerResponse) => boolean

/** Writes the access log, and has requests measured. */
export class Traffic {
  readonly #options: TrafficOptions
  readonly #routeOf: (path: string) => string | null

  constructor(options: TrafficOptions) {
    this.#options = options
    this.#routeOf = matcher(options.paths)
  }

  /**
   * Tries what answers from memory, which is most of the traffic, and follows what it does not answer. False: the
   * answer is still to be made.
   */
  answers(request: IncomingMessage, response: ServerResponse, fromMemory: FromMemory): boolean {
    const { accessLog, meter } = this.#options
    if (accessLog === 'all') this.#log(request, response)
    if (fromMemory(request, response)) {
      meter?.fromMemory(response.statusCode)
      return true
    }
    if (accessLog === 'requests') this.#log(request, response)
    if (meter !== null) this.#measure(request, response, meter)
    return false
  }

  /** Has the log tell of a request when it is over. */
  #log(request: IncomingMessage, response: ServerResponse): void {
    const trail = trailOf(request)
    const { socket } = request
    const before = socket.bytesWritten
    response.once('close', () => {
      const { id: request_id, caller } = trail
      const { method, route, status, ms } = this.#measured(request, response)
      const bytes = socket.bytesWritten - before
      const line = { request_id, method, route, status, ms, bytes, caller }
      const cut = response.writableFinished ? {} : { cut: true }
      this.#options.log.info({ ...line, ...cut }, 'Answered')
    })
  }

  #measure(request: IncomingMessage, response: ServerResponse, meter: RequestMeter): void {
    // From here on its time counts.
    trailOf(request)
    response.once('close', () => {
      meter.over(this.#measured(request, response))
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

/** Finds the pattern of a path; null where none fits. */
function matcher(paths: readonly string[]): (path: string) => string | null {
  const exact = new Set(paths.filter((path) => !path.includes('{')))
  const patterns = paths
    .filter((path) => path.includes('{'))
    .map((path) => ({ path, form: new RegExp(`^${formOf(path)}$`) }))
  return (path) =>
    exact.has(path) ? path : (patterns.find(({ form }) => form.test(path))?.path ?? null)
}

/** A parameter is one segment or a part of one. */
function formOf(path: string): string {
  return path
    .split(/\{\w+\}/)
    .map((text) => text.replaceAll(/[.*+?^$()[\]\\|]/g, '\\$&'))
    .join('[^/]+')
}
