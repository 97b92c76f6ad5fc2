import { withTitle } from '../page-head.ts'
import type { RenderedContent } from './page-renderer.ts'

/** The document with the content of its page instead of the notice for browsers without scripts. */
export function withContent(document: string, { html, title }: Pick<RenderedContent, 'html' | 'title'>): string {
  const named = title === null ? document : withTitle(document, title)
  return named
    .replace(/<noscript>[\s\S]*<\/noscript>/, '')
    .replace('<div id="application"></div>', () => `<div id="application" data-served>${html}</div>`)
}
