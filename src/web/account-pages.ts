import type { Router } from 'express'
import { acceptedMediaType } from '../http/negotiation.ts'
import type { HtmlPages } from './html-pages.ts'

/** The paths that the links in mails lead to are those of the API, which answers them as JSON. */
const FILES: Readonly<Record<string, string>> = {
  '/setup': 'setup.html',
  '/account': 'account.html',
  '/users/sign_in': 'sign-in.html',
  '/users/sign_up': 'sign-up.html',
  '/users/password/new': 'password-new.html',
  '/users/password/edit': 'password-edit.html',
  '/users/confirmation': 'confirmation.html',
  '/users/unlock': 'unlock.html',
}

/** Their addresses may hold the secret of a link, and what they show is for one person. */
const HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }

/**
 * The pages on which people sign in and look after their account, for whoever prefers HTML to JSON.
 * All other requests go on to the API. Opening a page changes nothing.
 */
export function accountPages(router: Router, pages: HtmlPages): void {
  for (const [path, file] of Object.entries(FILES)) {
    const html = pages.read(file)
    router.get(path, (request, response, next) => {
      response.vary('Accept')
      if (!prefersHtml(request.get('Accept'))) {
        next()
        return
      }
      response.set(HEADERS).type('html').send(html)
    })
  }
}

/** Whether somebody wants to look at the answer, as browsers do. */
export function prefersHtml(accept: string | undefined): boolean {
  return acceptedMediaType(accept, ['application/json', 'text/html']) === 'text/html'
}
