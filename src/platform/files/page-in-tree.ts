import { escapeMarkup } from '../markup.ts'

const POLICY =
  "default-src 'none'; base-uri 'self'; connect-src 'self'; font-src 'self'; " +
  "img-src 'self' data:; script-src 'self'; style-src 'self'"

interface TreeContent {
  readonly hasReleases: boolean
  readonly hasCatalogue: boolean
}

/**
 * The document of a page among published files: the tree begins at `base` as seen from the page. It says that there is no
 * service, and what there is.
 */
export function pageInTree(document: string, base: string, { hasReleases, hasCatalogue }: TreeContent): string {
  const head = `<base href="${escapeMarkup(base)}">
    <meta http-equiv="Content-Security-Policy" content="${POLICY}">`
  const copy = `data-copy="${hasReleases ? 'releases' : 'release'}"`
  return document
    .replace('<html', `<html ${copy}${hasCatalogue ? ' data-catalogue' : ''}`)
    .replace('<head>', `<head>\n    ${head}`)
    .replace('<!--banner-->', '')
    .replace('href="/api/openapi.json">API<', 'href="data.html">data<')
}
