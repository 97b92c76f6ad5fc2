import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../../platform/log.ts'
import { trailOf, type Trail } from './trail.ts'

/** A request that is over. */
export interface Ended {
  readonly method: string
  /** The pattern of its path, or `other`. */
  readonly route: string
  readonly status: number
  readonly seconds: number
}

/** What wants to know of each request that is over. */
export type Meter = (ended: Ended) => void

/** `requests`: all but what the ontology answers from its memory, which is only counted. */
export type AccessLog = 'all' | 'requests' | 'off'

/** Answers a request at once, if it can; false if not. */
export type FromMemory = (request: IncomingMessage, response: ServerResponse) => boolean

interface TrafficOptions {
  readonly log: Log
  readonly accessLog: AccessLog
  /** Null: nobody counts. */
  readonly meter: Meter | null
  /** Patterns of the paths that are not Express's, with `{name}` for a parameter. */
  readonly paths: readonly string[]
}

const OTHER = 'other'

/** Writes the access log, and tells the meter. */
export class Traffic {
  readonly #options: TrafficOptions
  readonly #routeOf: (path: string) => string | null
  readonly #isFollowing: boolean
  readonly #hotRoutes = new Map<string, string>()

  constructor(options: TrafficOptions) {
    this.#options = options
    this.#routeOf = matcher(options.paths)
    this.#isFollowing = options.accessLog !== 'off' || options.meter !== null
  }

  /**
   * Tries what answers from memory, which is most of the traffic and is counted only, and follows what it does not
   * answer. False: the answer is still to be made.
   */
  answers(request: IncomingMessage, response: ServerResponse, fromMemory: FromMemory): boolean {
    const { meter, accessLog } = this.#options
    if (accessLog === 'all') {
      this.#follow(request, response)
      return fromMemory(request, response)
    }
    const startedAt = meter === null ? 0 : performance.now()
    if (fromMemory(request, response)) {
      if (meter !== null) this.#hot(request, response.statusCode, startedAt)
      return true
    }
    if (this.#isFollowing) this.#follow(request, response)
    return false
  }

  /** Notes what becomes of a request whose answer is about to be made. */
  #follow(request: IncomingMessage, response: ServerResponse): void {
    const trail = trailOf(request)
    const { socket } = request
    const before = socket.bytesWritten
    response.once('close', () => {
      this.#end({ request, response, trail, bytes: socket.bytesWritten - before })
    })
  }

  #hot({ method = 'GET', url = '/' }: IncomingMessage, status: number, startedAt: number): void {
    let route = this.#hotRoutes.get(url)
    if (route === undefined) {
      route = this.#routeOf(pathOf(url)) ?? OTHER
      // URLs in memory are bounded; so is what is known of them.
      if (this.#hotRoutes.size >= MAX_HOT_URLS) this.#hotRoutes.clear()
      this.#hotRoutes.set(url, route)
    }
    this.#options.meter?.({ method, route, status, seconds: secondsSince(startedAt) })
  }

  #end({ request, response, trail, bytes }: Exchange): void {
    const { log, accessLog, meter } = this.#options
    const method = request.method ?? 'GET'
    const { statusCode: status } = response
    const route = trail.route ?? expressRoute(request) ?? this.#routeOf(pathOf(request.url ?? '/'))
    const seconds = secondsSince(trail.startedAt)
    meter?.({ method, route: route ?? OTHER, status, seconds })
    if (accessLog === 'off') return
    const ms = Math.round(seconds * 10_000) / 10
    const { id: request_id, caller } = trail
    const isCut = !response.writableFinished
    log.info(
      { request_id, method, route, status, ms, bytes, caller, ...(isCut && { cut: true }) },
      'Answered',
    )
  }
}

const MAX_HOT_URLS = 10_000

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly trail: Trail
  readonly bytes: number
}

function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000
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
