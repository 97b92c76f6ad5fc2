import { describe, expect, it } from 'vitest'
import { sitemapFiles } from '../../../src/ontology/publish/site/sitemap.ts'

const CHANGED = '2026-01-31T00:00:00.000Z'

function listing(...urls: readonly string[]): Parameters<typeof sitemapFiles>[0] {
  return { baseUrl: 'https://x.example', addresses: urls.map((url) => ({ url, changed: CHANGED })) }
}

function addresses(xml: string | undefined): readonly string[] {
  return Array.from((xml ?? '').matchAll(/<loc>(.*?)<\/loc>/g), ([, address = '']) => address)
}

describe('The sitemap', () => {
  it('is one file while it fits, with absolute addresses that XML can hold', () => {
    const files = sitemapFiles(listing('/', "/a'b"))
    expect([...files.keys()]).toEqual(['sitemap.xml'])
    const xml = files.get('sitemap.xml')
    expect(addresses(xml)).toEqual(['https://x.example/', 'https://x.example/a&#39;b'])
    expect(xml).toContain('<lastmod>2026-01-31T00:00:00.000Z</lastmod>')
  })

  it.each([
    ['addresses', { urls: 2, bytes: 1e6 }],
    ['bytes', { urls: 100, bytes: 1024 + 200 }],
  ])('is an index and its parts where there are more %s than one may hold', (_, limits) => {
    const files = sitemapFiles(listing('/1', '/2', '/3', '/4', '/5'), limits)
    const [index, ...parts] = [...files.keys()]
    expect(index).toBe('sitemap.xml')
    expect(addresses(files.get('sitemap.xml'))).toEqual(parts.map((part) => `https://x.example/${part}`))
    expect(parts).toHaveLength(3)
    expect(parts.flatMap((part) => addresses(files.get(part)))).toHaveLength(5)
    for (const xml of files.values()) expect(xml.length).toBeLessThanOrEqual(limits.bytes)
  })
})
