import { describe, expect, it } from 'vitest'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { guidanceService } from '../support/guidance.ts'
import { STARTER } from '../support/service.ts'

const CONTACT = 'mailto:security@example.org'

const plain = guidanceService()
const full = guidanceService({ SERVICE_SECURITY_CONTACT: CONTACT }, undefined, STARTER)

interface Got {
  readonly status: number
  readonly type: string
  readonly text: string
}

async function get(path: string, serviceOf = full, headers: Record<string, string> = {}): Promise<Got> {
  const answer = await fetch(serviceOf().service.baseUrl + path, { headers })
  const type = answer.headers.get('content-type') ?? ''
  return { status: answer.status, type, text: await answer.text() }
}

describe('The files for crawlers and browsers', () => {
  it('include robots.txt with the sitemap and excluded paths', async () => {
    const { status, type, text } = await get('/robots.txt')
    expect([status, type]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(text).toMatch(/^User-agent: \*\nDisallow: \/search\n/)
    // Pages are shown from the answers of the API, which crawlers have to read as well.
    expect(text).not.toMatch(/Disallow: \/(?:api.*)?$/m)
    expect(text).toMatch(/^Sitemap: http:\/\/\S+\/sitemap\.xml$/m)
  })

  it('include a sitemap of existing pages', async () => {
    const { status, type, text } = await get('/sitemap.xml')
    expect([status, type]).toEqual([200, 'application/xml; charset=utf-8'])
    const pages = Array.from(text.matchAll(/<loc>(.*?)<\/loc>/g), ([, page = '']) => page)
    expect(pages.length).toBeGreaterThan(300)
    expect(new Set(pages).size).toBe(pages.length)
    const paths = pages.map((page) => new URL(page).pathname)
    for (const path of ['/', '/technique/d3f:AccountLocking/', '/offensive-technique/attack/T1110/'])
      expect(paths).toContain(path)
    for (const path of paths.filter((_, index) => index % 40 === 0))
      expect((await get(path, full, { accept: 'text/html' })).status, path).toBe(200)
    expect(text).toMatch(/<lastmod>\d{4}-\d\d-\d\d<\/lastmod>/)
  })

  it('include a sitemap without a release as well', async () => {
    const { status, text } = await get('/sitemap.xml', plain)
    expect([status, text.match(/<loc>/g)?.length]).toEqual([200, 5])
  })

  it('include a compressed sitemap for clients that accept it', async () => {
    const url = `${full().service.baseUrl}/sitemap.xml`
    const answer = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect(await answer.text()).toBe((await get('/sitemap.xml', full, { 'accept-encoding': 'identity' })).text)
  })

  it('include an icon', async () => {
    const answer = await fetch(`${full().service.baseUrl}/favicon.ico`)
    expect(answer.headers.get('content-type')).toMatch(/^image\/(?:x-icon|vnd\.microsoft\.icon)$/)
    const bytes = Buffer.from(await answer.arrayBuffer())
    expect(bytes.readUInt16LE(2)).toBe(1)
    expect(bytes.subarray(bytes.readUInt32LE(18)).subarray(1, 4).toString()).toBe('PNG')
  })

  it('include a description of the search, linked from every document', async () => {
    const { status, type, text } = await get('/opensearch.xml')
    expect([status, type]).toEqual([200, 'application/opensearchdescription+xml; charset=utf-8'])
    const [, template = ''] = /template="(.*?)"/.exec(text) ?? []
    const { pathname, search } = new URL(template.replace('{searchTerms}', 'mfa'))
    expect(pathname + search).toBe('/search?q=mfa')
    for (const path of ['/', '/search', '/technique/d3f:AccountLocking/', '/api/docs', '/docs/api/errors', '/nothing'])
      expect((await get(path, full, { accept: 'text/html' })).text, path).toMatch(
        /<link rel="search" type="application\/opensearchdescription\+xml" [^>]*href="\/opensearch\.xml"/,
      )
  })
})

describe('security.txt', () => {
  it('names the contact for vulnerabilities, and expires within a year (RFC 9116)', async () => {
    const { status, type, text } = await get('/.well-known/security.txt')
    expect([status, type]).toEqual([200, 'text/plain; charset=utf-8'])
    const fields = new Map(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/s))
        .map(([name = '', value = '']) => [name, value]),
    )
    expect(fields.get('Contact')).toBe(CONTACT)
    const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(150)
    expect(days).toBeLessThan(365)
    expect(fields.get('Canonical')).toMatch(/^http.*\/\.well-known\/security\.txt$/)
  })

  it('does not exist without the setting', async () => {
    expect((await get('/.well-known/security.txt', plain)).status).toBe(404)
  })

  it.each(['https://example.org/security', 'tel:+1-201-555-0123'])('may name %s', (value) => {
    expect(readSettings({ SERVICE_SECURITY_CONTACT: value }).securityContact).toBe(value)
  })
})
