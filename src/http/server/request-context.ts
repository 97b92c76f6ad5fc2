import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { getOrMake } from '../../platform/get-or-make.ts'

/** Data about a request that node:http does not have. */
export interface RequestContext {
  /** The id of this request for the caller, the log and problems (`request_id`). */
  readonly id: string
  /** In milliseconds of `performance.now`. */
  readonly startedAt: number
  /** The id of the person who sends it. */
  caller: number | null
}

const WELL_FORMED = /^[\w.:~-]{8,128}$/
/** W3C Trace Context §3.2: version, trace id, parent id, flags. */
const TRACEPARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

const contexts = new WeakMap<IncomingMessage, RequestContext>()

/** The context of a request, created at the first call. */
export function contextOf(request: IncomingMessage): RequestContext {
  return getOrMake(contexts, request, () => ({ id: idOf(request), startedAt: performance.now(), caller: null }))
}

/** `X-Request-Id` or the trace id of `traceparent` if they are well-formed; otherwise a new id. */
function idOf({ headers }: IncomingMessage): string {
  const sentId = headers['x-request-id']
  if (typeof sentId === 'string' && WELL_FORMED.test(sentId)) return sentId
  const { traceparent } = headers
  const trace = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent)?.[1] : undefined
  return trace ?? randomUUID()
}
