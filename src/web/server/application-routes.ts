import { createHash } from 'node:crypto'
import type { RequestHandler, Router } from 'express'
import { acceptedCoding } from '../../http/negotiation.ts'
import { readOnly } from '../../http/server/read-only.ts'
import type { BannerSettings } from '../../platform/settings/guidance-settings.ts'
import { PATHS } from '../paths/paths.ts'
import { prefersHtml } from './account-pages.ts'
import { readBuiltPages, withBanner } from './built-pages.ts'

const YEAR = 365 * 86_400

/** The application: one document at the paths of all pages, and its files. */
export class Application {
  readonly #document: string
  readonly #etag: string
  readonly #assets = readBuiltPages().assets

  constructor(banner: BannerSettings) {
    this.#document = withBanner(readBuiltPages().document, banner)
    this.#etag = `"${createHash('sha256').update(this.#document).digest('hex').slice(0, 32)}"`
  }

  /** Some of the paths are of the API as well: whoever does not prefer HTML goes on to it. */
  mount(router: Router): void {
    for (const { path, type, bodies } of this.#assets)
      readOnly(router, path, (request, response) => {
        const accepted = acceptedCoding(request.get('Accept-Encoding')) ?? 'identity'
        const coding = bodies[accepted] === undefined ? 'identity' : accepted
        if (coding !== 'identity') response.set('Content-Encoding', coding)
        response.vary('Accept-Encoding').set('Cache-Control', `public, max-age=${YEAR}, immutable`)
        response.set('Content-Type', type).end(bodies[coding])
      })
    const { start, ...others } = PATHS
    readOnly(router, start, (request, response, next) => {
      this.#send(200)(request, response, next)
    })
    for (const path of Object.values(others)) router.get(path, this.page(200))
  }

  /** Answers whoever prefers HTML. */
  page(status: number): RequestHandler {
    const send = this.#send(status)
    return (request, response, next) => {
      response.vary('Accept')
      if (prefersHtml(request.get('Accept'))) send(request, response, next)
      else next()
    }
  }

  #send(status: number): RequestHandler {
    return (_request, response) => {
      response.status(status).set({ ETag: this.#etag, 'Cache-Control': 'no-cache' })
      response.type('html').send(this.#document)
    }
  }
}
