import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { escapeMarkup } from '../platform/markup.ts'
import type { BannerSettings } from '../platform/settings/guidance-settings.ts'

export const PAGES = fileURLToPath(new URL('./pages/', import.meta.url))

/** Where the colours of the banner are: a page may hold no style of its own. */
export const BANNER_STYLE = '/assets/banner.css'

/** Makes pages that all have the banner, where there is one, whether scripts run or not. */
export class HtmlPages {
  readonly #banner: BannerSettings

  constructor(banner: BannerSettings) {
    this.#banner = banner
  }

  /** A file of the folder of pages. */
  read(file: string): string {
    return this.dress(readFileSync(`${PAGES}${file}`, 'utf8'))
  }

  /** A whole document, with the banner above everything. */
  dress(html: string): string {
    const { enabled, text } = this.#banner
    if (!enabled) return html
    return html
      .replace('</head>', () => `  <link rel="stylesheet" href="${BANNER_STYLE}" />\n  </head>`)
      .replace(
        '<body>',
        () => `<body>\n    <aside class="banner" aria-label="Banner">${escapeMarkup(text)}</aside>`,
      )
  }

  style(): string {
    const { backgroundColor, textColor } = this.#banner
    return `.banner { background-color: ${backgroundColor}; color: ${textColor}; font-weight: bold; padding: 0.3rem 1rem; text-align: center }\n`
  }
}
