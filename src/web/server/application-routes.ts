import { createHash } from 'node:crypto'
import type { Request, RequestHandler, Response, Router } from 'express'
import { acceptedCoding } from '../../http/negotiation.ts'
import { readOnly } from '../../http/server/read-only.ts'
import { REFUSALS } from '../../platform/errors.ts'
import type { BannerSettings } from '../../platform/settings/guidance-settings.ts'
import { ACCOUNT_PATHS } from '../paths/account.ts'
import { CATALOGUE_IRIS } from '../paths/catalogue.ts'
import { PATHS, RECORDS } from '../paths/paths.ts'
import { fromRoot, readBuiltPages, withBanner } from './built-pages.ts'
import { prefersHtml } from './prefers-html.ts'

/** Addresses of account pages may hold the secret of a link. */
const PRIVATE = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
const YEAR = 365 * 86_400
const MISSING = REFUSALS.route_not_found.status

/** What there is to show. */
export interface KnownRecords {
  /** Whether the API has something at a path; of the ontology, in a release that is named or in the active one. */
  readonly hasRecord: (path: string, version: string | null) => Promise<boolean>
  /** The path of the page for what has its IRI at a path; null where there is none. */
  readonly pageOf: (path: string) => Promise<string | null>
  /** The media types in which the API describes what has an IRI. */
  readonly resourceTypes: readonly string[]
}

function isLooking({ method }: Request): boolean {
  return ['GET', 'HEAD'].includes(method)
}

function wantsPage(request: Request): boolean {
  return isLooking(request) && prefersHtml(request.get('Accept'))
}

/** The application: one document at the paths of all pages, and its files. */
export class Application {
  readonly #document: string
  readonly #etag: string
  readonly #assets
  readonly #known: KnownRecords

  constructor(banner: BannerSettings, known: KnownRecords) {
    const { document, assets } = readBuiltPages()
    this.#assets = assets
    this.#document = withBanner(fromRoot(document), banner)
    this.#etag = `"${createHash('sha256').update(this.#document).digest('hex').slice(0, 32)}"`
    this.#known = known
  }

  /** Some of the paths are of the API as well: whoever does not prefer HTML goes on to it. */
  mount(router: Router): void {
    this.#mountAssets(router)
    const { start, ...others } = PATHS
    readOnly(router, start, (_request, response) => {
      this.#send(response, 200)
    })
    const records: Readonly<Record<string, string | readonly string[]>> = RECORDS
    for (const [name, path] of Object.entries(others)) {
      const send =
        name in ACCOUNT_PATHS ? this.#privatePage() : this.#page([records[name] ?? []].flat())
      // What only knew GET would answer OPTIONS as well, which the API does.
      router.all(path, send)
    }
    router.all([...CATALOGUE_IRIS], this.#leadOn())
  }

  missing(): RequestHandler {
    return (request, response, next) => {
      response.vary('Accept')
      if (wantsPage(request)) this.#send(response, MISSING)
      else next()
    }
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

  /** Where it shows a record that there is not, the status says so; the page itself offers the nearest. */
  #page(records: readonly string[]): RequestHandler {
    return async (request, response, next) => {
      response.vary('Accept')
      if (!wantsPage(request)) {
        next()
        return
      }
      const known = await Promise.all(records.map((record) => this.#knows(record, request)))
      this.#send(response, known.includes(false) ? MISSING : 200)
    }
  }

  /** Whoever prefers RDF goes on to it. */
  #leadOn(): RequestHandler {
    const { pageOf, resourceTypes } = this.#known
    return async (request, response, next) => {
      response.vary('Accept')
      const isBrowser = isLooking(request) && prefersHtml(request.get('Accept'), resourceTypes)
      const page = isBrowser ? await pageOf(request.path) : null
      if (page !== null) response.redirect(303, page)
      else if (isBrowser) this.#send(response, MISSING)
      else next()
    }
  }

  #privatePage(): RequestHandler {
    return (request, response, next) => {
      response.vary('Accept')
      if (wantsPage(request)) response.set(PRIVATE).type('html').send(this.#document)
      else next()
    }
  }

  #knows(record: string, { params, query }: Request): Promise<boolean> {
    const path = record.replaceAll(/:(\w+)/g, (_whole, name: string) => String(params[name]))
    const { release } = query
    return this.#known.hasRecord(
      path,
      typeof release === 'string' && release !== '' ? release : null,
    )
  }

  #send(response: Response, status: number): void {
    response.status(status).set({ ETag: this.#etag, 'Cache-Control': 'no-cache' })
    response.type('html').send(this.#document)
  }
}
