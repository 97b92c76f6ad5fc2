import { escapeMarkup } from '../../../platform/markup.ts'

/** Limits of one sitemap: addresses, and size in bytes (sitemaps.org protocol, 0.9). */
export interface SitemapLimits {
  readonly urls: number
  readonly bytes: number
}

const LIMITS: SitemapLimits = { urls: 50_000, bytes: 50 * 1024 * 1024 }

const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

/** Room for the elements around the addresses. */
const ENVELOPE_BYTES = 1024

interface SitemapContent {
  /** Without a final slash. */
  readonly baseUrl: string
  readonly addresses: readonly Address[]
}

export interface Address {
  /** Below that, percent-encoded. */
  readonly url: string
  /** A W3C date. */
  readonly changed: string
}

/** The sitemap by file name: one file, or an index and its parts where the protocol asks for them. */
export function sitemapFiles(
  { baseUrl, addresses }: SitemapContent,
  limits: SitemapLimits = LIMITS,
): ReadonlyMap<string, string> {
  const entry = ({ url, changed }: Address): string =>
    `<loc>${escapeMarkup(baseUrl + url)}</loc><lastmod>${changed}</lastmod>`
  const pages = portions(
    addresses.map((address) => `<url>${entry(address)}</url>\n`),
    limits,
  ).map((entries) => document('urlset', entries))
  if (pages.length === 1) return new Map(pages.map((page) => ['sitemap.xml', page]))
  const parts = pages.map((page, index) => [`sitemap-${index + 1}.xml`, page] as const)
  // Dates of this form sort as text.
  const changed = addresses.reduce((last, address) => (address.changed > last ? address.changed : last), '')
  const listed = parts.map(([name]) => `<sitemap>${entry({ url: `/${name}`, changed })}</sitemap>\n`)
  return new Map([['sitemap.xml', document('sitemapindex', listed)], ...parts])
}

function document(root: string, entries: readonly string[]): string {
  return `${DECLARATION}\n<${root} ${NAMESPACE}>\n${entries.join('')}</${root}>\n`
}

function portions(entries: readonly string[], limits: SitemapLimits): readonly string[][] {
  const parts: string[][] = [[]]
  let bytes = ENVELOPE_BYTES
  for (const entry of entries) {
    let last = parts.at(-1) ?? []
    if (last.length === limits.urls || bytes + entry.length > limits.bytes) {
      last = []
      parts.push(last)
      bytes = ENVELOPE_BYTES
    }
    last.push(entry)
    bytes += entry.length
  }
  return parts
}
