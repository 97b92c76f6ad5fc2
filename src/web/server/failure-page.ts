import type { Request } from 'express'
import type { Problem } from '../../http/answer/problem.ts'
import { escapeMarkup } from '../../platform/markup.ts'
import { ACCOUNT_PATHS } from '../paths/account.ts'
import { type Page, STYLE_HEAD } from './html-pages.ts'
import { prefersHtml } from './prefers-html.ts'

/** Codes of refusals because of a missing session. */
const SESSION_REFUSALS: readonly string[] = ['not_authenticated', 'session_timed_out']

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

/**
 * The address of the sign-in page, with the address to return to, for a browser that was refused without a session. Null
 * for programs, which prefer one of the data types, and below `/api/`, where people want to see the answer itself.
 */
export function signInPath(request: Request, { code }: Problem, dataTypes: readonly string[]): string | null {
  const { method, path, originalUrl } = request
  const isLooking = method === 'GET' || method === 'HEAD'
  if (!isLooking || !SESSION_REFUSALS.includes(code) || path.startsWith('/api/')) return null
  if (!prefersHtml(request.get('Accept'), dataTypes) || request.get('Authorization') !== undefined) return null
  return `${ACCOUNT_PATHS.signIn}?return_to=${encodeURIComponent(originalUrl)}`
}
