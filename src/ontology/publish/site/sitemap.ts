import { escapeMarkup } from '../../../platform/markup.ts'

/** What one sitemap may hold, and its size in bytes (sitemaps.org protocol, 0.9). */
export interface SitemapLimits {
  readonly urls: number
  readonly bytes: number
}

const LIMITS: SitemapLimits = { urls: 50_000, bytes: 50 * 1024 * 1024 }

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

/** Room for the elements around the addresses. */
const AROUND = 1024

interface SitemapContent {
  /** Without a final slash. */
  readonly baseUrl: string
  /** Addresses below it, percent-encoded. */
  readonly urls: readonly string[]
  /** A W3C date. */
  readonly changed: string
}

/** The sitemap by file name: one file, or an index and its parts where the protocol asks for them. */
export function sitemapFiles(
  { baseUrl, urls, changed }: SitemapContent,
  limits: SitemapLimits = LIMITS,
): ReadonlyMap<string, string> {
  const entry = (url: string): string =>
    `<loc>${escapeMarkup(baseUrl + url)}</loc><lastmod>${changed}</lastmod>`
  const pages = portions(
    urls.map((url) => `<url>${entry(url)}</url>\n`),
    limits,
  ).map((entries) => document('urlset', entries))
  if (pages.length === 1) return new Map(pages.map((page) => ['sitemap.xml', page]))
  const parts = pages.map((page, index) => [`sitemap-${index + 1}.xml`, page] as const)
  const listed = parts.map(([name]) => `<sitemap>${entry(`/${name}`)}</sitemap>\n`)
  return new Map([['sitemap.xml', document('sitemapindex', listed)], ...parts])
}

function document(root: string, entries: readonly string[]): string {
  return `${DECLARATION}\n<${root} ${NAMESPACE}>\n${entries.join('')}</${root}>\n`
}

function portions(entries: readonly string[], limits: SitemapLimits): readonly string[][] {
  const all: string[][] = [[]]
  let bytes = AROUND
  for (const entry of entries) {
    let last = all.at(-1) ?? []
    if (last.length === limits.urls || bytes + entry.length > limits.bytes) {
      last = []
      all.push(last)
      bytes = AROUND
    }
    last.push(entry)
    bytes += entry.length
  }
  return all
}
