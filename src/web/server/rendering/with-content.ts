import { withTitle } from '../page-head.ts'
import type { RenderedContent } from './page-renderer.ts'

const END = '<span id="end-of-content" hidden></span>'
/**
 * The document may come in several pieces. Browsers that know this link first draw it when it is complete, so that
 * columns do not become narrower with each further one.
 */
const UNTIL_END = '<link rel="expect" href="#end-of-content" blocking="render">'

/** The document with the content of its page instead of the notice for browsers without scripts. */
export function withContent(document: string, { html, title }: Pick<RenderedContent, 'html' | 'title'>): string {
  const titled = title === null ? document : withTitle(document, title)
  return titled
    .replace(/<noscript>[\s\S]*<\/noscript>/, '')
    .replace('</head>', () => `${UNTIL_END}</head>`)
    .replace('<div id="application"></div>', () => `<div id="application" data-served>${html}</div>${END}`)
}
