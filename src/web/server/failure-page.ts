import type { Request } from 'express'
import type { Problem } from '../../http/problem.ts'
import { escapeMarkup } from '../../platform/markup.ts'
import { STYLE_HEAD, type Page } from './html-pages.ts'
import { prefersHtml } from './prefers-html.ts'

/** Where browsers come by a link of a page or are sent by somebody else: no script of ours shows what is refused there. */
const SENT_HERE: readonly string[] = ['/users/auth/oidc', '/users/auth/oidc/callback']

/** What somebody sees who could not be signed in elsewhere; null where a problem is for a program to read. */
export function failurePage(request: Request, problem: Problem): Page | null {
  if (!SENT_HERE.includes(request.path) || !prefersHtml(request.get('Accept'))) return null
  const id = escapeMarkup(String(problem['request_id']))
  const body = `<main>
  <h1>You are not signed in</h1>
  <p>${escapeMarkup(problem.detail)}</p>
  <p><a href="/users/sign_in">Back to signing in</a></p>
  <p>Whoever runs this service finds this attempt in its log as <code>${id}</code>.</p>
</main>`
  return { title: 'You are not signed in', head: STYLE_HEAD, body }
}
