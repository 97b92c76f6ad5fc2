import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { alternatesLink, RDF_TYPES, rdfFormOf, type RdfForm } from '../graph/syntax/forms.ts'
import {
  acceptedCoding,
  acceptedForm,
  acceptedMediaType,
  requireAccepted,
  type Coding,
} from '../http/answer/negotiation.ts'
import {
  packedRepresentation,
  packingFor,
  requireCoding,
  type PackedContent,
  type Representation,
} from '../http/answer/representation.ts'
import { answerPublished, OPEN_TO_ALL, type PublishedAnswer } from '../http/published-routes.ts'
import { patternMatcher } from '../http/server/path-patterns.ts'
import { Refusal } from '../platform/errors.ts'
import { getOrMake } from '../platform/get-or-make.ts'
import { decodePath } from './decode-path.ts'
import { NEGOTIATED_PATHS, isFilePath, pinnedFile, requireFile } from './endpoints/files.ts'
import { ALIASES, JSON_PATHS, tableType } from './endpoints/list.ts'
import { isOntologyPath, isRecordPath } from './render/resolve.ts'
import { CURRENT, IMMUTABLE_HEADER, VARY } from './response-headers.ts'
import type { ServedRelease } from './served-release.ts'
import type { OntologyService } from './service.ts'

const CSV_TYPE = 'text/csv'
const JSON_TYPE = 'application/json'
const RECORD_TYPES: readonly string[] = [JSON_TYPE, ...RDF_TYPES]
const VARY_FORM = ['Vary', 'Accept-Encoding, Accept']
const CORS_HEADERS = OPEN_TO_ALL.flat()
/** RFC 7234, §5.5.1. */
const STALE_WARNING = '110 - "The SPARQL engine does not answer; this is a cached answer"'

/** Cached for each answer, because most requests are for cached answers. */
const representations = {
  br: new WeakMap<PackedContent, Representation>(),
  gzip: new WeakMap<PackedContent, Representation>(),
  identity: new WeakMap<PackedContent, Representation>(),
}

interface OntologyRoutesParts {
  readonly service: OntologyService
  /** The path of the page for the record at an encoded path; null if there is none. */
  readonly pageOf: (path: string) => string | null
  /** Paths of other services, with `{name}` for a parameter: some are below paths of the ontology. */
  readonly otherPaths: readonly string[]
}

interface RequestedPath {
  /** Null is the active release. */
  readonly version: string | null
  /** Decoded, below the release. */
  readonly path: string
  /** As it was sent. */
  readonly encoded: string
}

/** Answers every path of a release; leaves other paths to the next handler. */
export function ontologyRoutes(parts: OntologyRoutesParts): RequestHandler {
  const otherPathOf = patternMatcher(parts.otherPaths.filter(isOntologyPath))
  return async (request, response, next) => {
    const target = parseTarget(request.url)
    if (!isOntologyPath(target.path) || otherPathOf(target.encoded) !== null) {
      next()
      return
    }
    if (parts.service.engine === 'away') response.setHeader('Warning', STALE_WARNING)
    await answerPublished({ request, response }, () => represent(parts, target, request.headers))
  }
}

/**
 * Looks up the answer of a GET in the cache, by its raw URL before anything is parsed; null if it is not there.
 */
export function peekOntology(service: OntologyService, request: IncomingMessage): Representation | null {
  const { url: path = '/', headers } = request
  const release = service.engine === 'away' ? null : service.current
  if (release === null || !isJsonRead(request)) return null
  const coding = acceptedCoding(headers['accept-encoding'])
  const answer = coding === null ? undefined : release.peek(path, packingFor(coding))
  if (coding === null || answer === undefined) return null
  return cachedRepresentation(answer, coding, () => headersOf(path, release))
}

function isJsonRead({ method, url = '/', headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && !hasForms(url) && acceptsJson(headers.accept)
}

function cachedRepresentation(
  answer: PackedContent,
  coding: Coding,
  headersOfPath: () => readonly string[],
): Representation {
  return getOrMake(representations[coding], answer, () =>
    packedRepresentation(answer, { coding, headers: [...CURRENT, ...headersOfPath(), ...CORS_HEADERS] }),
  )
}

/** Whether the Accept header may choose between several forms at a path. */
function hasForms(path: string): boolean {
  return JSON_PATHS.has(path) || isFilePath(path) || tableType(path) !== null
}

async function represent(
  { service, pageOf }: OntologyRoutesParts,
  target: RequestedPath,
  { accept, 'accept-encoding': acceptEncoding }: IncomingHttpHeaders,
): Promise<PublishedAnswer> {
  const { version, path } = target
  const coding = requireCoding(acceptEncoding)
  // An unknown release has no files to suggest.
  if (version !== null) await service.manifest(version)
  const page = acceptsOnlyHtml(target, accept) ? pageOf(target.encoded) : null
  if (page !== null) {
    return { location: version === null ? page : `${page}?release=${encodeURIComponent(version)}`, headers: VARY_FORM }
  }
  const requested = requireForm(target, accept)
  const release = await service.release(version)
  const answer = await release.answer(requested.path, packingFor(coding), requested.form)
  const headers = [...(version === null ? CURRENT : IMMUTABLE_HEADER), ...headersOf(path, release)]
  return packedRepresentation(answer, { coding, headers, form: requested.form, isRanged: isFilePath(path) })
}

/** Headers that depend on the path and the release alone. */
function headersOf(path: string, { links }: Pick<ServedRelease, 'links'>): readonly string[] {
  if (isRecordPath(path)) return [...VARY_FORM, 'Link', [alternatesLink(), ...links].join(', ')]
  const vary = JSON_PATHS.has(path) || NEGOTIATED_PATHS.has(path) ? VARY_FORM : VARY
  return isFilePath(path) ? [...vary, 'Link', links.join(', ')] : vary
}

interface RequestedForm {
  readonly path: string
  /** Null is the form that the path itself names. */
  readonly form: RdfForm | null
}

function requireForm(target: RequestedPath, accept: string | undefined): RequestedForm {
  const { path } = target
  // JSON is the first of equally preferred types.
  if (isRecordPath(path)) return { path, form: requireAccepted(accept, RECORD_TYPES, rdfFormOf) }
  return { path: aliasOf(documentPath(target, accept)), form: null }
}

/** Browsers accept everything, so they get the JSON that the path promises. */
function acceptsOnlyHtml({ path }: RequestedPath, accept: string | undefined): boolean {
  if (!isRecordPath(path) || acceptedMediaType(accept, RECORD_TYPES) !== undefined) return false
  return acceptedMediaType(accept, ['text/html']) !== undefined
}

/** The path of the form that the caller prefers; if equal, that of the extension. */
function documentPath(target: RequestedPath, accept: string | undefined): string {
  const { path } = target
  if (isFilePath(path)) return requireFile(target, accept)
  const json = JSON_PATHS.get(path)
  const offered = json === undefined ? [tableType(path) ?? JSON_TYPE] : [CSV_TYPE, JSON_TYPE]
  const form = acceptedForm(accept, offered)
  if (form === null) {
    throw new Refusal('not_acceptable', `Available: ${offered.join(' and ')}. Accept does not allow it.`)
  }
  if (form === JSON_TYPE && json !== undefined) return json
  return path
}

function aliasOf(path: string): string {
  return ALIASES.get(path) ?? path
}

/** Limit of the cached headers. Every request needs this, and clients send few different ones. */
const MAX_KNOWN_HEADERS = 500
const acceptsJsonByHeader = new Map<string, boolean>()

/** Whether the header prefers JSON to all RDF types. */
function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*') return true
  const cached = acceptsJsonByHeader.get(accept)
  if (cached !== undefined) return cached
  const takes = acceptedMediaType(accept, RECORD_TYPES) === JSON_TYPE
  if (acceptsJsonByHeader.size < MAX_KNOWN_HEADERS) acceptsJsonByHeader.set(accept, takes)
  return takes
}

/** Splits off the query and the release, and decodes the rest. Refuses what cannot be decoded. */
function parseTarget(url: string): RequestedPath {
  const raw = url.replace(/[?#].*$/s, '')
  const pinned = /^\/releases\/([^/]+)(\/api\/.*)$/s.exec(raw)
  const [version = null, below = raw] = pinned?.slice(1) ?? pinnedFile(raw) ?? []
  return {
    version: version === null ? null : decodePath(version),
    path: decodePath(below),
    encoded: below,
  }
}
