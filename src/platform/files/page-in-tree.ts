import { escapeMarkup } from '../markup.ts'

const POLICY =
  "default-src 'none'; base-uri 'self'; connect-src 'self'; font-src 'self'; " +
  "img-src 'self' data:; script-src 'self'; style-src 'self'"

interface TreeContent {
  readonly hasReleases: boolean
  readonly hasCatalogue: boolean
}

/**
 * The document of a page in a published tree, whose root is at `base` relative to the page. It tells the application that
 * there is no service, and what the tree contains.
 */
export function pageInTree(document: string, base: string, { hasReleases, hasCatalogue }: TreeContent): string {
  const head = `<base href="${escapeMarkup(base)}">
    <meta http-equiv="Content-Security-Policy" content="${POLICY}">`
  const copy = `data-copy="${hasReleases ? 'releases' : 'release'}"`
  return (
    document
      .replace('<html', `<html ${copy}${hasCatalogue ? ' data-catalogue' : ''}`)
      // A function, because a text for `replace` may not contain `$&` and the like.
      .replace('<head>', (tag) => `${tag}\n    ${head}`)
      .replace('<!--banner-->', '')
      .replace('href="/api/openapi.json">API<', 'href="data.html">data<')
  )
}
