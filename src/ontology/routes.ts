import type { IncomingMessage, ServerResponse } from 'node:http'
import { alternatesLink, RDF_TYPES, rdfFormOf, type RdfForm } from '../graph/syntax/forms.ts'
import { acceptedCoding, acceptedForm, acceptedMediaType, requireAccepted, type Coding } from '../http/negotiation.ts'
import { trailOf } from '../http/server/trail.ts'
import { messageOf, Refusal } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { decodePath } from './decode-path.ts'
import { isChosen, isFilePath, pinnedFile, requireFile } from './endpoints/files.ts'
import { ALIASES, JSON_PATHS, tableType } from './endpoints/list.ts'
import { isOntologyPath, isRecordPath } from './render/resolve.ts'
import { answerReport, parseReport } from './reports/routes.ts'
import { CURRENT, PINNED, VARY } from './response-headers.ts'
import {
  answersReadOnly,
  packingFor,
  representationOf,
  requireCoding,
  send,
  sendElsewhere,
  sendProblem,
  type Exchange,
  type Representation,
} from './send.ts'
import type { Answer, ServedRelease } from './served-release.ts'
import type { OntologyService } from './service.ts'

const CSV_TYPE = 'text/csv'
const JSON_TYPE = 'application/json'
const RECORD_TYPES: readonly string[] = [JSON_TYPE, ...RDF_TYPES]
const VARY_FORM = ['Vary', 'Accept-Encoding, Accept']
/** RFC 7234, §5.5.1. */
const STALE = '110 - "The SPARQL engine is away; this was read before"'

/** Made once per answer: most requests are for cached answers. */
const representations = {
  br: new WeakMap<Answer, Representation>(),
  gzip: new WeakMap<Answer, Representation>(),
  identity: new WeakMap<Answer, Representation>(),
}

/** Each answers a request if it is the ontology's; false leaves it to others. */
export interface OntologyHandler {
  /** Answers from the cache; false if it does not have the answer. */
  readonly fromMemory: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Everything else. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean
}

interface OntologyHandlerParts {
  readonly service: OntologyService
  /** The path of the page that shows the record at an encoded path; null where there is none. */
  readonly pageOf: (path: string) => string | null
  readonly log: Log
}

interface RequestedPath {
  /** Null is the active release. */
  readonly version: string | null
  /** Decoded, below the release. */
  readonly path: string
  /** As it was sent. */
  readonly encoded: string
}

/**
 * The list of views over plain `node:http`. A GET that is in the cache is answered from its raw URL,
 * before anything is parsed; Express is never entered.
 */
export function createOntologyHandler(parts: OntologyHandlerParts): OntologyHandler {
  const { service, log } = parts
  return {
    fromMemory: (request, response) => {
      if (service.engine === 'away') response.setHeader('Warning', STALE)
      return answerFromCache(service, request, response)
    },
    answer: (request, response) => {
      let answering: Promise<void> | null
      try {
        answering = begin(parts, { request, response })
      } catch (error) {
        sendProblem(request, response, error)
        return true
      }
      answering?.catch((error: unknown) => {
        if (!(error instanceof Refusal)) {
          const facts = { request_id: trailOf(request).id, url: request.url }
          log.error({ ...facts, error: messageOf(error) }, 'An answer failed')
        }
        sendProblem(request, response, error)
      })
      return answering !== null
    },
  }
}

/** Null where the path is somebody else's. */
function begin(parts: OntologyHandlerParts, exchange: Exchange): Promise<void> | null {
  const url = exchange.request.url ?? '/'
  const report = parseReport(url)
  if (report !== null) return answerReport(parts.service, report, exchange)
  const target = parseTarget(url)
  return isOntologyPath(target.path) ? answer(parts, target, exchange) : null
}

function answerFromCache(service: OntologyService, request: IncomingMessage, response: ServerResponse): boolean {
  const { method, url = '', headers } = request
  if ((method !== 'GET' && method !== 'HEAD') || hasForms(url)) return false
  const coding = acceptedCoding(headers['accept-encoding'])
  if (coding === null || !takesJson(headers.accept)) return false
  const release = service.current
  const answer = release?.peek(url, packingFor(coding))
  if (release === null || answer === undefined) return false
  send(
    { request, response },
    answer,
    keptRepresentation(answer, coding, () => headersOf(url, release)),
  )
  return true
}

function keptRepresentation(answer: Answer, coding: Coding, headers: () => readonly string[]): Representation {
  const known = representations[coding].get(answer)
  if (known !== undefined) return known
  const made = representationOf(answer, coding, { more: [...CURRENT, ...headers()], form: null })
  representations[coding].set(answer, made)
  return made
}

/** Whether what is sent depends on more of the Accept header than what it refuses. */
function hasForms(path: string): boolean {
  return JSON_PATHS.has(path) || isFilePath(path) || tableType(path) !== null
}

async function answer(
  { service, pageOf }: OntologyHandlerParts,
  target: RequestedPath,
  { request, response }: Exchange,
): Promise<void> {
  const { version, path } = target
  const { headers } = request
  if (answersReadOnly({ request, response }, 'the ontology is')) return
  const coding = requireCoding(headers['accept-encoding'])
  // An unknown release has no files to suggest.
  if (version !== null) await service.manifest(version)
  const page = takesHtmlAlone(target, headers.accept) ? pageOf(target.encoded) : null
  if (page !== null) {
    const location = version === null ? page : `${page}?release=${encodeURIComponent(version)}`
    sendElsewhere(response, location, VARY_FORM)
    return
  }
  const requested = requireForm(target, headers.accept)
  const release = await service.release(version)
  const found = await release.answer(requested.path, packingFor(coding), requested.form)
  const more = [...(version === null ? CURRENT : PINNED), ...headersOf(path, release)]
  send(
    { request, response },
    found,
    representationOf(found, coding, { more, form: requested.form, isRanged: isFilePath(path) }),
  )
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
