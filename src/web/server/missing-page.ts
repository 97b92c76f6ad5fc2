import type { RequestHandler } from 'express'
import { REFUSALS } from '../../platform/errors.ts'
import type { BannerSettings } from '../../platform/settings/guidance-settings.ts'
import { Application } from './application-routes.ts'

/** The page for unknown addresses. Browsers get it; other clients get the problem that comes next. */
export function missingPage(banner: BannerSettings): RequestHandler {
  const show = new Application(banner).page(REFUSALS.route_not_found.status)
  return (request, response, next) => {
    if (['GET', 'HEAD'].includes(request.method)) show(request, response, next)
    else next()
  }
}
