import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** Facts about a request that it does not carry itself. */
export interface Trail {
  /** The id of this request for the caller, the log and problems (`request_id`). */
  readonly id: string
  /** In milliseconds of `performance.now`. */
  readonly startedAt: number
  /** The id of the person who asks. */
  caller: number | null
}

const WELL_FORMED = /^[\w.:~-]{8,128}$/
/** W3C Trace Context §3.2: version, trace id, parent id, flags. */
const TRACEPARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

const trails = new WeakMap<IncomingMessage, Trail>()

/** The trail of a request, which begins when it is first asked for. */
export function trailOf(request: IncomingMessage): Trail {
  const known = trails.get(request)
  if (known !== undefined) return known
  const id = idOf(request)
  const trail = { id, startedAt: performance.now(), caller: null }
  trails.set(request, trail)
  return trail
}

/** `X-Request-Id` or the trace id of `traceparent` where they are well-formed; a new one otherwise. */
function idOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id']
  if (typeof given === 'string' && WELL_FORMED.test(given)) return given
  const { traceparent } = headers
  const trace = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined
  return trace ?? randomUUID()
}
