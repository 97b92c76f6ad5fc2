import { readdirSync } from 'node:fs'
import { Router, type Request, type RequestHandler } from 'express'
import type { Problem } from '../../http/answer/problem.ts'
import { readOnly } from '../../http/server/read-only.ts'
import type { BannerSettings } from '../../platform/settings/guidance-settings.ts'
import { Application } from './application-routes.ts'
import { errorsPage } from './errors-page.ts'
import { failurePage, signInPath } from './failure-page.ts'
import { BANNER_STYLE, HtmlPages, PAGES } from './html-pages.ts'
import type { RecordLookup } from './record-lookup.ts'
import type { RenderingParts } from './rendering/page-renderer.ts'
import { addSiteFiles, type SiteParts } from './site-files.ts'

export interface WebPages {
  /** The pages and their assets; all of them are served from here, none from elsewhere. */
  readonly routes: Router
  /** The page for unknown addresses. Browsers get it; other clients get the problem that comes next. */
  readonly missing: RequestHandler
  /** An HTML page instead of a problem, for browsers; null for programs. */
  readonly failure: (request: Request, problem: Problem) => string | null
  /** The sign-in page for a browser that was refused without a session; null for programs. */
  readonly signIn: (request: Request, problem: Problem) => string | null
  /** Ends the thread that renders pages. */
  close(): Promise<void>
}

export interface WebPagesParts extends RecordLookup, SiteParts, RenderingParts {
  readonly banner: BannerSettings
}

export function webPages(parts: WebPagesParts): WebPages {
  const { banner } = parts
  const application = new Application(banner, parts, parts)
  const routes = Router()
  const pages = new HtmlPages(banner)
  addDocuments(routes, pages)
  addSiteFiles(routes, parts)
  application.mount(routes)
  const failure: WebPages['failure'] = (request, problem) => {
    const page = failurePage(request, problem)
    return page === null ? null : pages.document(page)
  }
  const signIn: WebPages['signIn'] = (request, problem) => signInPath(request, problem, parts.resourceTypes)
  return { routes, missing: application.missing(), failure, signIn, close: () => application.close() }
}

function addDocuments(router: Router, pages: HtmlPages): void {
  const open = {
    '/docs/api/errors': pages.document(errorsPage()),
  }
  for (const [path, html] of Object.entries(open))
    readOnly(router, path, (_request, response) => {
      response.set('Cache-Control', 'no-cache').type('html').send(html)
    })
  readOnly(router, '/docs', (_request, response) => {
    response.redirect('api/docs')
  })
  const style = pages.style()
  readOnly(router, BANNER_STYLE, (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('css').send(style)
  })
  serveAsset(router, '/favicon.ico', PAGES)
  for (const file of readdirSync(PAGES)) serveAsset(router, `/assets/${file}`, PAGES)
}

function serveAsset(router: Router, path: string, root: string): void {
  const file = path.slice(path.lastIndexOf('/') + 1)
  readOnly(router, path, (_request, response) => {
    response.sendFile(file, { root, maxAge: 0 })
  })
}
