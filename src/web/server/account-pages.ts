import type { Router } from 'express'
import { acceptedMediaType } from '../../http/negotiation.ts'
import { headOf, readPage, type HtmlPages, type Page } from './html-pages.ts'

interface AccountPage {
  /** Of the files with its content and its script. */
  readonly name: string
  readonly title: string
  readonly isWide?: boolean
}

/** The paths that the links in mails lead to are those of the API, which answers them as JSON. */
const ACCOUNT_PAGES: Readonly<Record<string, AccountPage>> = {
  '/setup': { name: 'setup', title: 'First administrator' },
  '/account': { name: 'account', title: 'Account', isWide: true },
  '/users/sign_in': { name: 'sign-in', title: 'Sign in' },
  '/users/sign_up': { name: 'sign-up', title: 'Create an account' },
  '/users/password/new': { name: 'password-new', title: 'Forgot your password?' },
  '/users/password/edit': { name: 'password-edit', title: 'Choose a password' },
  '/users/confirmation': { name: 'confirmation', title: 'Confirm your e-mail address' },
  '/users/unlock': { name: 'unlock', title: 'Unlock your account' },
}

/** Their addresses may hold the secret of a link, and what they show is for one person. */
const HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }

/**
 * The pages on which people sign in and look after their account, for whoever prefers HTML to JSON.
 * All other requests go on to the API. Opening a page changes nothing.
 */
export function accountPages(router: Router, pages: HtmlPages): void {
  for (const [path, page] of Object.entries(ACCOUNT_PAGES)) {
    const html = pages.document(shapePage(page))
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

function shapePage({ name, title, isWide = false }: AccountPage): Page {
  const body = `<header>
  <p><a href="/">Parapet</a></p>
</header>
<main${isWide ? '' : ' class="narrow"'}>
  <h1>${title}</h1>
  <noscript><p>This page needs JavaScript.</p></noscript>
  <p id="status" role="status" tabindex="-1"></p>
${readPage(name)}
</main>`
  return { title, head: headOf(name), body }
}

/** Whether somebody wants to look at the answer, as browsers do. */
export function prefersHtml(accept: string | undefined): boolean {
  return acceptedMediaType(accept, ['application/json', 'text/html']) === 'text/html'
}
