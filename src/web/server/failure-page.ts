import type { Request } from 'express'
import type { Problem } from '../../http/answer/problem.ts'
import { escapeMarkup } from '../../platform/markup.ts'
import { STYLE_HEAD, type Page } from './html-pages.ts'
import { prefersHtml } from './prefers-html.ts'

/** Paths that a browser opens by a link or a redirect, so that no script can show a refusal there. */
const BROWSER_PATHS: readonly string[] = ['/users/auth/oidc', '/users/auth/oidc/callback']

/** The page for a failed single sign-on; null for programs, which get the problem itself. */
export function failurePage(request: Request, problem: Problem): Page | null {
  if (!BROWSER_PATHS.includes(request.path) || !prefersHtml(request.get('Accept'))) return null
  const id = escapeMarkup(String(problem['request_id']))
  const body = `<main>
  <h1>You are not signed in</h1>
  <p>${escapeMarkup(problem.detail)}</p>
  <p><a href="/users/sign_in">Back to signing in</a></p>
  <p>The operator of this service finds this attempt in the log as <code>${id}</code>.</p>
</main>`
  return { title: 'You are not signed in', head: STYLE_HEAD, body }
}
