import type { RequestHandler } from 'express'
import { REFUSALS } from '../platform/errors.ts'
import type { BannerSettings } from '../platform/settings/guidance-settings.ts'
import { prefersHtml } from './account-pages.ts'
import { headOf, HtmlPages, readPage } from './html-pages.ts'

/** The page for unknown addresses. Browsers get it; other clients get the problem that comes next. */
export function missingPage(banner: BannerSettings): RequestHandler {
  const html = new HtmlPages(banner).document({
    title: 'Not found',
    head: headOf(),
    body: readPage('missing'),
  })
  const { status } = REFUSALS.route_not_found
  return (request, response, next) => {
    response.vary('Accept')
    if (!['GET', 'HEAD'].includes(request.method) || !prefersHtml(request.get('Accept'))) next()
    else response.status(status).set('Cache-Control', 'no-store').type('html').send(html)
  }
}
