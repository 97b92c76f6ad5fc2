import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Router } from 'express'
import { readOnly } from '../../http/server/read-only.ts'
import { escapeMarkup } from '../../platform/markup.ts'
import { PATHS } from '../paths/paths.ts'
import { pageOfRecord } from '../paths/record-page.ts'

const pack = promisify(gzip)

/** The OpenSearch description; documents have a link to it. */
export const SEARCH_DESCRIPTION = '/opensearch.xml'

/** The link for the head of every document. */
export const SEARCH_LINK = `<link rel="search" type="application/opensearchdescription+xml" title="Parapet" href="${SEARCH_DESCRIPTION}" />`

const SITEMAP = '/sitemap.xml'
const SECURITY = '/.well-known/security.txt'

/** A sitemap may name so many addresses (sitemaps.org). */
const MAX_ADDRESSES = 50_000
/** RFC 9116 §2.5.5 asks for less than a year. */
const SECURITY_DAYS = 180
const DAY_MS = 86_400_000

/** Public pages without a record of their own. */
const PAGES = [PATHS.start, PATHS.matrix, PATHS.guidance, PATHS.coverage, '/api/docs']

/** Paths that are useless to crawlers: forms, and answers to endlessly many queries. */
const DISALLOWED_PATHS = [PATHS.search, '/sparql', '/users/', PATHS.setup]

/** The records of the ontology that pages show. */
export interface PublishedRecords {
  /** Changes with the records. */
  readonly digest: string
  /** The date of their release: `2024-10-01`. */
  readonly date: string
  /** Paths of the API. */
  readonly paths: readonly string[]
}

export interface SiteParts {
  readonly baseUrl: string
  /** A URI for reports of a weakness of this installation; null: no address is published. */
  readonly securityContact: string | null
  /** Null while no release is open. */
  readonly records: () => Promise<PublishedRecords | null>
}

/** Standard files for crawlers, browsers and reports of weaknesses. */
export function addSiteFiles(router: Router, parts: SiteParts): void {
  const { baseUrl, securityContact } = parts
  const robots = [
    'User-agent: *',
    ...DISALLOWED_PATHS.map((path) => `Disallow: ${path}`),
    `Sitemap: ${baseUrl}${SITEMAP}`,
  ]
  readOnly(router, '/robots.txt', (_request, response) => {
    response.type('text/plain').send(`${robots.join('\n')}\n`)
  })
  readOnly(router, SEARCH_DESCRIPTION, (_request, response) => {
    response.type('application/opensearchdescription+xml').send(searchDescription(baseUrl))
  })
  addSitemap(router, parts)
  if (securityContact === null) return
  readOnly(router, SECURITY, (_request, response) => {
    const expires = new Date(Math.floor(Date.now() / DAY_MS + SECURITY_DAYS) * DAY_MS)
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${expires.toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${baseUrl}${SECURITY}`,
    ]
    response.type('text/plain').send(`${lines.join('\n')}\n`)
  })
}

/** OpenSearch 1.1 draft 6: browsers offer this search in their address bar. */
function searchDescription(baseUrl: string): string {
  const url = escapeMarkup(baseUrl)
  return `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>Parapet</ShortName>
  <Description>Techniques, attacks, weaknesses and rules</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="32" height="32" type="image/x-icon">${url}/favicon.ico</Image>
  <Url type="text/html" template="${url}${PATHS.search}?q={searchTerms}" />
</OpenSearchDescription>
`
}

/** Built once for each release, because it has thousands of addresses. */
function addSitemap(router: Router, { baseUrl, records }: SiteParts): void {
  let built: { readonly digest: string; readonly body: Promise<Buffer> } | null = null
  readOnly(router, SITEMAP, async (request, response) => {
    const published = await records()
    const digest = published?.digest ?? ''
    if (built?.digest !== digest) built = { digest, body: pack(sitemap(baseUrl, published)) }
    response.vary('Accept-Encoding').set('Content-Type', 'application/xml; charset=utf-8')
    if (request.acceptsEncodings('gzip') === 'gzip') response.set('Content-Encoding', 'gzip').send(await built.body)
    else response.send(sitemap(baseUrl, published))
  })
}

function sitemap(baseUrl: string, published: PublishedRecords | null): string {
  const pages = published?.paths.flatMap((path) => pageOfRecord(path) ?? []) ?? []
  const fixed = PAGES.map((path) => entry(baseUrl + path))
  const ofRecords = pages.map((page) => entry(baseUrl + page, published?.date))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...[...fixed, ...ofRecords].slice(0, MAX_ADDRESSES),
    '</urlset>',
    '',
  ].join('\n')
}

function entry(address: string, date?: string): string {
  const lastModified = date === undefined ? '' : `<lastmod>${date}</lastmod>`
  return `<url><loc>${escapeMarkup(address)}</loc>${lastModified}</url>`
}
