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
import { packedRepresentation, packingFor, requireCoding, type Representation } from '../http/answer/representation.ts'
import { answerPublished, OPEN_TO_ALL, type PublishedAnswer } from '../http/published-routes.ts'
import { patternMatcher } from '../http/server/path-patterns.ts'
import { Refusal } from '../platform/errors.ts'
import { decodePath } from './decode-path.ts'
import { isChosen, isFilePath, pinnedFile, requireFile } from './endpoints/files.ts'
import { ALIASES, JSON_PATHS, tableType } from './endpoints/list.ts'
import { isOntologyPath, isRecordPath } from './render/resolve.ts'
import { CURRENT, PINNED, VARY } from './response-headers.ts'
import type { Answer, ServedRelease } from './served-release.ts'
import type { OntologyService } from './service.ts'

const CSV_TYPE = 'text/csv'
const JSON_TYPE = 'application/json'
const RECORD_TYPES: readonly string[] = [JSON_TYPE, ...RDF_TYPES]
const VARY_FORM = ['Vary', 'Accept-Encoding, Accept']
const FOR_ALL = OPEN_TO_ALL.flat()
/** RFC 7234, §5.5.1. */
const STALE = '110 - "The SPARQL engine is away; this was read before"'

/** Made once per answer: most requests are for cached answers. */
const representations = {
  br: new WeakMap<Answer, Representation>(),
  gzip: new WeakMap<Answer, Representation>(),
  identity: new WeakMap<Answer, Representation>(),
}

interface OntologyRoutesParts {
  readonly service: OntologyService
  /** The path of the page that shows the record at an encoded path; null where there is none. */
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
    if (parts.service.engine === 'away') response.setHeader('Warning', STALE)
    await answerPublished({ request, response }, () => represent(parts, target, request.headers))
  }
}

/**
 * The representation that a GET gets without waiting, found by its raw URL before anything is parsed; null where it is
 * not in the cache.
 */
export function peekOntology(service: OntologyService, request: IncomingMessage): Representation | null {
  const { url: path = '/', headers } = request
  const release = service.engine === 'away' ? null : service.current
  if (release === null || !readsJson(request)) return null
  const coding = acceptedCoding(headers['accept-encoding'])
  const answer = coding === null ? undefined : release.peek(path, packingFor(coding))
  if (coding === null || answer === undefined) return null
  return keptRepresentation(answer, coding, () => headersOf(path, release))
}

function readsJson({ method, url = '/', headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && !hasForms(url) && takesJson(headers.accept)
}

function keptRepresentation(answer: Answer, coding: Coding, headersOfPath: () => readonly string[]): Representation {
  const known = representations[coding].get(answer)
  if (known !== undefined) return known
  const headers = [...CURRENT, ...headersOfPath(), ...FOR_ALL]
  const made = packedRepresentation(answer, { coding, headers })
  representations[coding].set(answer, made)
  return made
}

/** Whether what is sent depends on more of the Accept header than what it refuses. */
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
  const page = takesHtmlAlone(target, accept) ? pageOf(target.encoded) : null
  if (page !== null) {
    const location = version === null ? page : `${page}?release=${encodeURIComponent(version)}`
    return { location, headers: VARY_FORM }
  }
  const requested = requireForm(target, accept)
  const release = await service.release(version)
  const found = await release.answer(requested.path, packingFor(coding), requested.form)
  const headers = [...(version === null ? CURRENT : PINNED), ...headersOf(path, release)]
  return packedRepresentation(found, { coding, headers, form: requested.form, isRanged: isFilePath(path) })
}

/** Headers that depend on the path and the release alone. */
function headersOf(path: string, { links }: Pick<ServedRelease, 'links'>): readonly string[] {
  if (isRecordPath(path)) return [...VARY_FORM, 'Link', [alternatesLink(), ...links].join(', ')]
  const vary = JSON_PATHS.has(path) || isChosen(path) ? VARY_FORM : VARY
  return isFilePath(path) ? [...vary, 'Link', links.join(', ')] : vary
}

interface RequestedForm {
  readonly path: string
  /** Null is what the path itself says. */
  readonly form: RdfForm | null
}

function requireForm(target: RequestedPath, accept: string | undefined): RequestedForm {
  const { path } = target
  // JSON among equals.
  if (isRecordPath(path)) return { path, form: requireAccepted(accept, RECORD_TYPES, rdfFormOf) }
  return { path: aliasOf(documentPath(target, accept)), form: null }
}

/** Browsers take anything, and get the JSON that the path promises. */
function takesHtmlAlone({ path }: RequestedPath, accept: string | undefined): boolean {
  if (!isRecordPath(path) || acceptedMediaType(accept, RECORD_TYPES) !== undefined) return false
  return acceptedMediaType(accept, ['text/html']) !== undefined
}

/** The path of the form that the caller prefers; that of the extension where both are equal. */
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

/** Headers that are remembered: this is asked for each request, and clients send few different ones. */
const MAX_REMEMBERED = 500
const takesJsonBy = new Map<string, boolean>()

/** Whether JSON is what is sent for the header, whatever else there may be. */
function takesJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*') return true
  const known = takesJsonBy.get(accept)
  if (known !== undefined) return known
  const takes = acceptedMediaType(accept, RECORD_TYPES) === JSON_TYPE
  if (takesJsonBy.size < MAX_REMEMBERED) takesJsonBy.set(accept, takes)
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
