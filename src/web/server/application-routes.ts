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
import { ACCOUNT_PATHS, PAGES_OF_API_PATHS } from '../paths/account.ts'
import { CATALOGUE_IRIS, RESOURCE_PAGES } from '../paths/catalogue.ts'
import { firstAnswers, privateAnswers } from '../paths/first-answers.ts'
import { PATHS, RECORDS, type PageName } from '../paths/paths.ts'
import { RENDERED_PAGES } from '../paths/rendered-pages.ts'
import {
  withRootPaths,
  readBuiltPages,
  withBanner,
  withFontsLast,
  withPreloads,
  withScriptsLast,
  withSearchLink,
} from './built-pages.ts'
import { addCards, readCards } from './cards.ts'
import { headOfChanges, headOfComparison, headOfList } from './list-heads.ts'
import { withFeeds, withRecord, type RecordHead } from './page-head.ts'
import { acceptsPage, prefersHtml } from './prefers-html.ts'
import type { RecordLookup } from './record-lookup.ts'
import type { RenderingParts } from './rendering/page-renderer.ts'
import { RenderedDocuments } from './rendering/rendered-documents.ts'
import { SessionMark } from './session-mark.ts'

/** Addresses of account pages may hold the secret of a link. */
const PRIVATE_HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
const YEAR = 365 * 86_400
const MISSING_STATUS = REFUSALS.route_not_found.status

/** Paths that differ only in the names of their parameters have the same shape. */
function pathShape(path: string): string {
  return path.replaceAll(/:\w+|\{\w+\}/g, '*')
}

function isRead({ method }: Request): boolean {
  return ['GET', 'HEAD'].includes(method)
}

function prefersPage(request: Request, others?: readonly string[]): boolean {
  return isRead(request) && prefersHtml(request.get('Accept'), others)
}

/** Sends browsers to a page; others go on to the API. */
function redirectBrowsers(page: string): RequestHandler {
  return (request, response, next) => {
    response.vary('Accept')
    if (prefersPage(request)) response.redirect(303, page)
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
  readonly #records: RecordLookup
  readonly #baseUrl: string
  readonly #cards = readCards()
  readonly #rendered: RenderedDocuments
  readonly #session: SessionMark
  /** Shapes of the paths of the API. */
  readonly #shared: ReadonlySet<string>

  constructor(banner: BannerSettings, lookup: RecordLookup, rendering: RenderingParts) {
    const { document, assets, files } = readBuiltPages()
    this.#assets = assets
    this.#files = files
    this.#document = withBanner(withSearchLink(withRootPaths(document)), banner)
    this.#records = lookup
    this.#baseUrl = rendering.baseUrl
    this.#rendered = new RenderedDocuments(rendering)
    this.#session = new SessionMark(lookup.sessionCookie)
    this.#shared = new Set(lookup.apiPaths.map(pathShape))
  }

  /** At paths that the API has as well, a client that does not prefer HTML gets the answer of the API. */
  mount(router: Router): void {
    this.#mountAssets(router)
    addCards(router, this.#cards)
    const { start: _start, api: _api, ...otherPaths } = PATHS
    for (const name of ['start', 'api'] as const)
      readOnly(router, PATHS[name], (request, response) =>
        this.#sendContent(
          name,
          { request, response },
          this.#withHead(this.#emptyDocument(name, request), headOfList(name, request)),
        ),
      )
    for (const name of Object.keys(otherPaths).filter(isPageName)) {
      const send = name in ACCOUNT_PATHS ? this.#privatePage(name) : this.#page(name)
      // The API may have other methods at the path; a handler for GET alone would also answer its OPTIONS.
      if (this.#isOfApi(name)) router.all(PATHS[name], send)
      else router.all(PATHS[name], refuseWrites, send)
    }
    for (const [path, page] of Object.entries(PAGES_OF_API_PATHS)) router.all(path, redirectBrowsers(page))
    router.all([...CATALOGUE_IRIS], this.#redirectToPage())
  }

  async close(): Promise<void> {
    await this.#rendered.close()
  }

  missing(): RequestHandler {
    return async (request, response, next) => {
      response.vary('Accept')
      if (!prefersPage(request)) {
        next()
        return
      }
      const page = await this.#pageNamed(request)
      if (page === null) this.#send(response, MISSING_STATUS, this.#document)
      else response.set('Cache-Control', 'no-cache').redirect(303, page)
    }
  }

  /** The page for an identifier as an address: `/t1110`. */
  async #pageNamed(request: Request): Promise<string | null> {
    const [, segment = ''] = /^\/([^/]+)\/?$/.exec(request.path) ?? []
    const name = decode(segment)
    if (name === '') return null
    const version = versionOf(request)
    const page = await this.#records.pageNamed(name, version)
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
    const wants = this.#isForPage(name)
    return async (request, response, next) => {
      response.vary('Accept')
      if (!wants(request)) {
        next()
        return
      }
      const paths = records.map((record) => apiPath(record, request))
      const version = versionOf(request)
      const existence = await Promise.all(paths.map((path) => this.#records.hasRecord(path, version)))
      const status = existence.includes(false) ? MISSING_STATUS : 200
      const empty = this.#emptyDocument(name, request)
      if (status !== 200) {
        this.#send(response, status, empty)
        return
      }
      const head = await this.#headOf(name, request, paths)
      await this.#sendContent(name, { request, response }, this.#withHead(empty, head))
    }
  }

  /** Sends the document with the content of the page, if the server renders it. */
  async #sendContent(name: PageName, { request, response }: PageExchange, document: string): Promise<void> {
    this.#session.set(request, response)
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
  #redirectToPage(): RequestHandler {
    const { pageOf, resourceTypes } = this.#records
    return async (request, response, next) => {
      response.vary('Accept')
      const isBrowser = prefersPage(request, resourceTypes)
      const page = isBrowser ? await pageOf(request.path) : null
      if (page !== null) response.redirect(303, page)
      else if (isBrowser) this.#send(response, MISSING_STATUS, this.#document)
      else next()
    }
  }

  #privatePage(name: PageName): RequestHandler {
    return (request, response, next) => {
      response.vary('Accept')
      if (!prefersPage(request)) {
        next()
        return
      }
      this.#session.set(request, response)
      response.set(PRIVATE_HEADERS).type('html').send(this.#emptyDocument(name, request))
    }
  }

  /** Whether a request at the path of a page is for the page. */
  #isForPage(name: PageName): (request: Request) => boolean {
    const { resourceTypes, queryTypes } = this.#records
    if (name === 'sparql') return (request) => queryTypes !== null && prefersPage(request, queryTypes)
    if (RESOURCE_PAGES.includes(name)) return (request) => prefersPage(request, resourceTypes)
    if (this.#isOfApi(name)) return (request) => prefersPage(request)
    return (request) => isRead(request) && acceptsPage(request.get('Accept'))
  }

  /** Whether the API answers at the path of a page as well. */
  #isOfApi(name: PageName): boolean {
    return name === 'sparql' || this.#shared.has(pathShape(PATHS[name]))
  }

  /** The head of a page; `paths` are of its records. */
  async #headOf(name: PageName, request: Request, paths: readonly string[]): Promise<RecordHead | null> {
    if (name === 'changes') return headOfChanges(request)
    if (paths.length === 0) return headOfList(name, request)
    const version = versionOf(request)
    const [first = null, second = null] = await Promise.all(
      paths.map((path) => this.#records.describeRecord(path, version)),
    )
    if (paths.length === 1) return first
    return first === null || second === null ? null : headOfComparison(first, second)
  }

  #withHead(document: string, record: RecordHead | null): string {
    return record === null ? document : withRecord(document, record, { baseUrl: this.#baseUrl, cards: this.#cards })
  }

  #emptyDocument(name: PageName, request: Request): string {
    const { [name]: files = [] } = this.#files
    const document = withFeeds(this.#document, name, this.#records.feeds)
    if (RENDERED_PAGES.has(name))
      return withScriptsLast(withPreloads(document, { files, answers: firstAnswers(name, request) }))
    const answersOfPerson = this.#session.isThere(request) ? privateAnswers(name, request) : []
    return withFontsLast(
      withPreloads(document, { files, answers: [...firstAnswers(name, request), ...answersOfPerson] }),
    )
  }

  #send(response: Response, status: number, document: string): void {
    const etag = createHash('sha256').update(document).digest('hex').slice(0, 32)
    response.status(status).set({ ETag: `"${etag}"`, 'Cache-Control': 'no-cache' })
    response.type('html').send(document)
  }
}

/** The content is stored with gzip, and is unpacked for clients that do not accept that. */
function representationOf(content: PackedContent, request: Request): Representation {
  return packedRepresentation(content, {
    coding: request.acceptsEncodings('gzip', 'identity') === 'gzip' ? 'gzip' : 'identity',
    headers: ['Vary', 'Accept, Accept-Encoding', 'Cache-Control', 'no-cache'],
  })
}

/** The path of a record at the API, for the parameters of a page. */
function apiPath(record: string, { params }: Pick<Request, 'params'>): string {
  // Records of the ontology are looked up by name, other records by address.
  const segment = record.startsWith('/api/') ? String : (name: string) => encodeURIComponent(name)
  return record.replaceAll(/:(\w+)/g, (_whole, name: string) => segment(String(params[name])))
}

/** The release of the ontology that an address names. */
function versionOf({ query: { release } }: Pick<Request, 'query'>): string | null {
  return typeof release === 'string' && release !== '' ? release : null
}

/** Empty if the segment cannot be decoded. */
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
