import { fileURLToPath } from 'node:url'
import { escapeMarkup } from '../../platform/markup.ts'
import type { BannerSettings } from '../../platform/settings/guidance-settings.ts'
import { SEARCH_LINK } from './site-files.ts'

export const PAGES = fileURLToPath(new URL('../pages/', import.meta.url))

/** Path of the stylesheet with the colours of the banner: the CSP forbids inline styles. */
export const BANNER_STYLE = '/assets/banner.css'

/** The content of one page, as HTML. */
export interface Page {
  readonly title: string
  readonly head: string
  readonly body: string
}

/** A head with the style of these pages. */
export const STYLE_HEAD = '<link rel="stylesheet" href="/assets/style.css" />'

/** Links to other pages, without scripts. */
const SHELL = `<nav class="shell" aria-label="Pages">
  <a href="/">Parapet</a>
  <a href="/api/docs">API</a>
  <a href="/docs/api/errors">Errors</a>
</nav>`

/** Makes whole documents with the banner of the installation. */
export class HtmlPages {
  readonly #banner: BannerSettings

  constructor(banner: BannerSettings) {
    this.#banner = banner
  }

  document({ title, head, body }: Page): string {
    const { enabled, text } = this.#banner
    const style = `\n    <link rel="stylesheet" href="${BANNER_STYLE}" />`
    const banner = `\n    <aside class="banner" aria-label="Banner">${escapeMarkup(text)}</aside>`
    return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <link rel="icon" href="/favicon.ico" />
    ${SEARCH_LINK}
    <title>${title} – Parapet</title>
    ${head}${enabled ? style : ''}
  </head>
  <body>${enabled ? banner : ''}
${SHELL}
${body}
  </body>
</html>
`
  }

  style(): string {
    const { backgroundColor, textColor } = this.#banner
    return `.banner { background-color: ${backgroundColor}; color: ${textColor}; font-weight: bold; padding: 0.3rem 1rem; text-align: center }\n`
  }
}
