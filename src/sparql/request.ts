import { Refusal } from '../platform/errors.ts'
import type { RequestedGraphs } from './graphs/dataset.ts'

/** A query of the SPARQL 1.1 Protocol (§2.1). */
export interface ProtocolRequest {
  /** Null if there is no query: the answer is then the description of the service. */
  readonly query: string | null
  readonly graphs: RequestedGraphs
  /** Less than the limit of the service, if the client says so. */
  readonly timeoutMs: number | null
}

export interface ReceivedRequest {
  readonly method: string
  /** Without the question mark. */
  readonly search: string
  readonly header: (name: string) => string | undefined
  /** The body of a POST; otherwise empty. */
  readonly body: Uint8Array
}

const FORM_TYPE = 'application/x-www-form-urlencoded'
const QUERY_TYPE = 'application/sparql-query'
const UPDATE = 'application/sparql-update'
/** With a shorter time, most queries would be stopped, and their threads replaced. */
const LEAST_MS = 100
const MAX_GRAPHS = 500

/** Refuses what the protocol does not allow, and updates. */
export function readRequest(received: ReceivedRequest): ProtocolRequest {
  const parameters = new URLSearchParams(received.search)
  const body = received.method === 'POST' ? readBody(received, parameters) : null
  const queries = [...parameters.getAll('query'), ...(body === null ? [] : [body])]
  if (parameters.has('update') || parameters.has('using-graph-uri'))
    throw new Refusal('query_not_supported', 'Updates are not supported: this endpoint is read-only.')
  if (queries.length > 1) throw new Refusal('parameter_invalid', 'There is more than one query.')
  const [query = null] = queries
  if (query === null && received.method === 'POST')
    throw new Refusal('parameter_missing', 'The parameter "query" is missing.', {
      parameter: 'query',
    })
  return { query, graphs: readGraphs(parameters), timeoutMs: readTimeout(received, parameters) }
}

/** Returns the query of the body, if it has one. The values of a form are added to the parameters. */
function readBody({ header, body }: ReceivedRequest, parameters: URLSearchParams): string | null {
  const [type = ''] = (header('Content-Type') ?? '').split(';')
  const mediaType = type.trim().toLowerCase()
  if (mediaType === UPDATE)
    throw new Refusal('query_not_supported', 'Updates are not supported: this endpoint is read-only.')
  if (mediaType === QUERY_TYPE) return decode(body)
  if (mediaType !== FORM_TYPE) {
    const detail = `Send the query as ${QUERY_TYPE}, or as "query" of ${FORM_TYPE}.`
    throw new Refusal('unsupported_media_type', detail)
  }
  for (const [name, value] of new URLSearchParams(decode(body))) parameters.append(name, value)
  return null
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw new Refusal('query_malformed', 'The body is not UTF-8.')
  }
}

function readGraphs(parameters: URLSearchParams): RequestedGraphs {
  const defaults = parameters.getAll('default-graph-uri').filter((iri) => iri !== '')
  const namedGraphs = parameters.getAll('named-graph-uri').filter((iri) => iri !== '')
  if (defaults.length + namedGraphs.length > MAX_GRAPHS)
    throw new Refusal('parameter_invalid', `There are more than ${MAX_GRAPHS} graphs.`)
  return { defaults, named: namedGraphs }
}

/** Reads the time-out, which is in seconds; the header takes precedence over the parameter. */
function readTimeout({ header }: ReceivedRequest, parameters: URLSearchParams): number | null {
  const text = header('Query-Timeout') ?? parameters.get('timeout')
  if (text === null || text.trim() === '') return null
  if (/^\s*\d{1,9}(\.\d{1,9})?\s*$/.test(text)) return Math.max(LEAST_MS, Number(text) * 1000)
  const detail = 'The time-out is a number of seconds, such as 2 or 0.5.'
  throw new Refusal('parameter_invalid', detail, { parameter: 'timeout' })
}
