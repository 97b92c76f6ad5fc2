import { createHash } from 'node:crypto'
import type { Request, RequestHandler, Response, Router } from 'express'
import { acceptedCoding } from '../../http/answer/negotiation.ts'
import {
  packedRepresentation,
  sendRepresentation,
  type PackedContent,
  type Representation,
} from '../../http/answer/representation.ts'
import { readOnly, refuseWrites } from '../../http/server/read-only.ts'
import { REFUSALS } from '../../platform/errors.ts'
import type { BannerSettings } from '../../platform/settings/guidance-settings.ts'
import { ACCOUNT_PATHS, PAGES_OF_DATA } from '../paths/account.ts'
import { CATALOGUE_IRIS, RESOURCE_PAGES } from '../paths/catalogue.ts'
import { firstAnswers } from '../paths/first-answers.ts'
import { PATHS, RECORDS, type PageName } from '../paths/paths.ts'
import { RENDERED_PAGES } from '../paths/rendered-pages.ts'
import { fromRoot, readBuiltPages, withBanner, withBeginning, withSearch } from './built-pages.ts'
import { addCards, readCards } from './cards.ts'
import { withFeeds, withRecord, type Feeds, type ShownRecord } from './page-head.ts'
import { acceptsPage, prefersHtml } from './prefers-html.ts'
import type { RenderingParts } from './rendering/page-renderer.ts'
import { RenderedDocuments } from './rendering/rendered-documents.ts'

/** Addresses of account pages may hold the secret of a link. */
const PRIVATE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
const YEAR = 365 * 86_400
const MISSING = REFUSALS.route_not_found.status

/** Looks up whether the API has the records that pages show. */
export interface KnownRecords {
  /** Whether the API has something at a path; of the ontology, in a release that is named or in the active one. */
  readonly hasRecord: (path: string, version: string | null) => Promise<boolean>
  /** Describes the record at a path of the API for the head of its page; null where there is none for everybody. */
  readonly describeRecord: (path: string, version: string | null) => Promise<ShownRecord | null>
  readonly feeds: Feeds
  /** The path of the page for what has its IRI at a path; null where there is none. */
  readonly pageOf: (path: string) => Promise<string | null>
  /** The path of the page for what has an identifier, in a release that is named or in the active one. */
  readonly pageNamed: (name: string, version: string | null) => Promise<string | null>
  /** The media types in which the API describes what has an IRI. */
  readonly resourceTypes: readonly string[]
  /** The media types of answers to SPARQL queries; null if there is no endpoint. */
  readonly queryTypes: readonly string[] | null
  /** Paths of the API, with `{name}` for a parameter. */
  readonly apiPaths: readonly string[]
}

/** A path with all its parameters called the same. */
function shapeOfPath(path: string): string {
  return path.replaceAll(/:\w+|\{\w+\}/g, '*')
}

function isLooking({ method }: Request): boolean {
  return ['GET', 'HEAD'].includes(method)
}

function wantsPage(request: Request): boolean {
  return prefersPage(request)
}

function prefersPage(request: Request, others?: readonly string[]): boolean {
  return isLooking(request) && prefersHtml(request.get('Accept'), others)
}

/** Sends browsers to a page; others go on to the API. */
function leadTo(page: string): RequestHandler {
  return (request, response, next) => {
    response.vary('Accept')
    if (wantsPage(request)) response.redirect(303, page)
    else next()
  }
}

interface PageExchange {
  readonly request: Request
  readonly response: Response
}

/** The application: one document at the paths of all pages, and its files. */
export class Application {
  readonly #document: string
  readonly #assets
  readonly #files
  readonly #known: KnownRecords
  readonly #baseUrl: string
  readonly #cards = readCards()
  readonly #rendered: RenderedDocuments
  /** Paths of pages at which the API answers as well. */
  readonly #shared: ReadonlySet<string>

  constructor(banner: BannerSettings, known: KnownRecords, rendering: RenderingParts) {
    const { document, assets, files } = readBuiltPages()
    this.#assets = assets
    this.#files = files
    this.#document = withBanner(withSearch(fromRoot(document)), banner)
    this.#known = known
    this.#baseUrl = rendering.baseUrl
    this.#rendered = new RenderedDocuments(rendering)
    this.#shared = new Set(known.apiPaths.map(shapeOfPath))
  }

  /** Some of the paths are of the API as well: there, a client that does not prefer HTML gets its answer. */
  mount(router: Router): void {
    this.#mountAssets(router)
    addCards(router, this.#cards)
    const { start: _start, api: _api, ...others } = PATHS
    for (const name of ['start', 'api'] as const)
      readOnly(router, PATHS[name], (request, response) =>
        this.#sendContent(name, { request, response }, this.#begin(name, request)),
      )
    for (const name of Object.keys(others).filter(isPageName)) {
      const send = name in ACCOUNT_PATHS ? this.#privatePage(name) : this.#page(name)
      // The API may have other methods at the path; a handler for GET alone would also answer its OPTIONS.
      if (this.#isOfApi(name)) router.all(PATHS[name], send)
      else router.all(PATHS[name], refuseWrites, send)
    }
    for (const [path, page] of Object.entries(PAGES_OF_DATA)) router.all(path, leadTo(page))
    router.all([...CATALOGUE_IRIS], this.#leadOn())
  }

  async close(): Promise<void> {
    await this.#rendered.close()
  }

  missing(): RequestHandler {
    return async (request, response, next) => {
      response.vary('Accept')
      if (!wantsPage(request)) {
        next()
        return
      }
      const page = await this.#pageNamed(request)
      if (page === null) this.#send(response, MISSING, this.#document)
      else response.set('Cache-Control', 'no-cache').redirect(303, page)
    }
  }

  /** The page of an identifier that somebody has typed as the address: `/t1110`. */
  async #pageNamed(request: Request): Promise<string | null> {
    const [, segment = ''] = /^\/([^/]+)\/?$/.exec(request.path) ?? []
    const name = decode(segment)
    if (name === '') return null
    const version = versionOf(request)
    const page = await this.#known.pageNamed(name, version)
    if (page === null || version === null || page.includes('?')) return page
    return `${page}?release=${encodeURIComponent(version)}`
  }

  #mountAssets(router: Router): void {
    for (const { path, type, bodies } of this.#assets)
      readOnly(router, path, (request, response) => {
        const accepted = acceptedCoding(request.get('Accept-Encoding')) ?? 'identity'
        const coding = bodies[accepted] === undefined ? 'identity' : accepted
        if (coding !== 'identity') response.set('Content-Encoding', coding)
        response.vary('Accept-Encoding').set('Cache-Control', `public, max-age=${YEAR}, immutable`)
        response.set('Content-Type', type).end(bodies[coding])
      })
  }

  /** Sends the page with 404 if its record does not exist; the page itself suggests similar names. */
  #page(name: PageName): RequestHandler {
    const { [name]: listed = [] } = RECORDS
    const records = [listed].flat()
    const wants = this.#wants(name)
    return async (request, response, next) => {
      response.vary('Accept')
      if (!wants(request)) {
        next()
        return
      }
      const paths = records.map((record) => apiPath(record, request))
      const version = versionOf(request)
      const known = await Promise.all(paths.map((path) => this.#known.hasRecord(path, version)))
      const status = known.includes(false) ? MISSING : 200
      const empty = this.#begin(name, request)
      const [only = null] = status === 200 && paths.length === 1 ? paths : []
      const document = only === null ? empty : await this.#introduce(empty, only, version)
      if (status === 200) await this.#sendContent(name, { request, response }, document)
      else this.#send(response, status, document)
    }
  }

  /** Sends the document with the content of the page, if there is any without a browser. */
  async #sendContent(name: PageName, { request, response }: PageExchange, document: string): Promise<void> {
    if (!RENDERED_PAGES.has(name)) {
      this.#send(response, 200, document)
      return
    }
    response.vary('Accept-Encoding')
    const answers = firstAnswers(name, request)
    const content = await this.#rendered.documentOf({ path: request.originalUrl, document, answers })
    if (content === null) this.#send(response, 200, document)
    else await sendRepresentation({ request, response }, representationOf(content, request))
  }

  /** Requests that prefer RDF continue at the resource. */
  #leadOn(): RequestHandler {
    const { pageOf, resourceTypes } = this.#known
    return async (request, response, next) => {
      response.vary('Accept')
      const isBrowser = prefersPage(request, resourceTypes)
      const page = isBrowser ? await pageOf(request.path) : null
      if (page !== null) response.redirect(303, page)
      else if (isBrowser) this.#send(response, MISSING, this.#document)
      else next()
    }
  }

  #privatePage(name: PageName): RequestHandler {
    return (request, response, next) => {
      response.vary('Accept')
      if (wantsPage(request)) response.set(PRIVATE).type('html').send(this.#begin(name, request))
      else next()
    }
  }

  /** Whether a request at the path of a page is for the page. */
  #wants(name: PageName): (request: Request) => boolean {
    const { resourceTypes, queryTypes } = this.#known
    if (name === 'sparql') return (request) => queryTypes !== null && prefersPage(request, queryTypes)
    if (RESOURCE_PAGES.includes(name)) return (request) => prefersPage(request, resourceTypes)
    if (this.#isOfApi(name)) return wantsPage
    return (request) => isLooking(request) && acceptsPage(request.get('Accept'))
  }

  /** Whether the API answers at the path of a page as well. */
  #isOfApi(name: PageName): boolean {
    return name === 'sparql' || this.#shared.has(shapeOfPath(PATHS[name]))
  }

  async #introduce(document: string, path: string, version: string | null): Promise<string> {
    const record = await this.#known.describeRecord(path, version)
    return record === null ? document : withRecord(document, record, { baseUrl: this.#baseUrl, cards: this.#cards })
  }

  #begin(name: PageName, request: Request): string {
    const { [name]: files = [] } = this.#files
    const document = withFeeds(this.#document, name, this.#known.feeds)
    return withBeginning(document, { files, answers: firstAnswers(name, request) })
  }

  #send(response: Response, status: number, document: string): void {
    const etag = createHash('sha256').update(document).digest('hex').slice(0, 32)
    response.status(status).set({ ETag: `"${etag}"`, 'Cache-Control': 'no-cache' })
    response.type('html').send(document)
  }
}

/** Only gzip is kept; who accepts nothing gets it unpacked. */
function representationOf(content: PackedContent, request: Request): Representation {
  return packedRepresentation(content, {
    coding: request.acceptsEncodings('gzip', 'identity') === 'gzip' ? 'gzip' : 'identity',
    headers: ['Vary', 'Accept, Accept-Encoding', 'Cache-Control', 'no-cache'],
  })
}

/** The path of a record at the API, for the parameters of a page. */
function apiPath(record: string, { params }: Pick<Request, 'params'>): string {
  // Answers of the ontology are asked for by their names, other records by addresses.
  const segment = record.startsWith('/api/') ? String : (name: string) => encodeURIComponent(name)
  return record.replaceAll(/:(\w+)/g, (_whole, name: string) => segment(String(params[name])))
}

/** The release that an address names. */
function versionOf({ query: { release } }: Pick<Request, 'query'>): string | null {
  return typeof release === 'string' && release !== '' ? release : null
}

/** Empty for what cannot be decoded. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

function isPageName(name: string): name is PageName {
  return name in PATHS
}
