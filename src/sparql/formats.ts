import { acceptedMediaType } from '../http/answer/negotiation.ts'
import { Refusal } from '../platform/errors.ts'
import type { QueryForm } from './query/read-query.ts'

/** A format of answers: the media type for the client, and the one that the engine produces. */
export interface Format {
  readonly mediaType: string
  readonly engine: string
}

const RESULTS_JSON = 'application/sparql-results+json'
const RESULTS_XML = 'application/sparql-results+xml'

/** Formats of rows and booleans; the first is for clients that accept everything. */
const RESULTS: Readonly<Record<string, string>> = {
  [RESULTS_JSON]: RESULTS_JSON,
  [RESULTS_XML]: RESULTS_XML,
  'text/csv': 'text/csv',
  'text/tab-separated-values': 'text/tab-separated-values',
  'application/json': RESULTS_JSON,
  'application/xml': RESULTS_XML,
}

/** Formats of graphs. */
const GRAPHS: Readonly<Record<string, string>> = {
  'text/turtle': 'text/turtle',
  'application/n-triples': 'application/n-triples',
  'application/ld+json': 'application/ld+json',
  'application/rdf+xml': 'application/rdf+xml',
  'application/json': 'application/ld+json',
}

const RESULT_TYPES = Object.keys(RESULTS)
const GRAPH_TYPES = Object.keys(GRAPHS)
/** Media types of answers to queries of any form. */
export const QUERY_TYPES = [...new Set([...RESULT_TYPES, ...GRAPH_TYPES])]

/** The format that an Accept header prefers; refuses (`not_acceptable`) if it accepts none. */
export function formatFor(form: QueryForm | null, accept: string | undefined): Format {
  const isGraph = form === 'CONSTRUCT' || form === 'DESCRIBE'
  const formats = isGraph ? GRAPHS : RESULTS
  const offered = Object.keys(formats)
  const mediaType = acceptedMediaType(accept, offered)
  const engine = formats[mediaType ?? '']
  if (mediaType !== undefined && engine !== undefined) return { mediaType, engine }
  const kind = form ?? 'a query'
  throw new Refusal('not_acceptable', `Formats for ${kind}: ${offered.join(', ')}.`)
}

/** Adds parameters: CSV and TSV are text in UTF-8, and CSV declares its header row (RFC 4180). */
export function contentType(mediaType: string): string {
  if (mediaType === 'text/csv') return 'text/csv; charset=utf-8; header=present'
  return mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType
}
