import { beforeAll, describe, expect, it } from 'vitest'
import { firstPart } from '../../src/web/server/page-head.ts'
import { store } from '../support/catalogue.ts'
import { guidanceService } from '../support/guidance.ts'
import { cciList, CCIS, storeCciList, storeOscal } from '../support/reference-data.ts'
import { STARTER } from '../support/service.ts'
import { sampleRules } from '../support/xccdf-document.ts'

const HOSTILE = '"><script>alert(1)</script> $& kettle'

/** The public address of the service. */
const SITE = 'https://parapet.example.org'

const open = guidanceService({ SERVICE_BASE_URL: SITE }, undefined, STARTER)
const closed = guidanceService({ SERVICE_CATALOGUE_PUBLIC: 'false' }, undefined, STARTER)
let numbered = 0

interface Head {
  readonly status: number
  readonly text: string
  readonly title: string
  /** Contents of `meta` by their names. */
  readonly meta: Readonly<Record<string, string>>
  readonly canonical: string | null
  readonly feeds: readonly string[]
}

async function head(path: string, under = open): Promise<Head> {
  const answer = await fetch(under().service.baseUrl + path, { headers: { accept: 'text/html' } })
  const text = await answer.text()
  const metas = text.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)">/g)
  return {
    status: answer.status,
    text,
    title: plain(/<title>(.*?)<\/title>/.exec(text)?.[1] ?? ''),
    meta: Object.fromEntries(Array.from(metas, ([, name = '', content = '']) => [name, plain(content)])),
    canonical: /<link rel="canonical" href="([^"]*)">/.exec(text)?.[1] ?? null,
    feeds: Array.from(text.matchAll(/<link rel="alternate"[^>]* href="([^"]*)">/g), ([, href = '']) => href),
  }
}

function plain(markup: string): string {
  return markup
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

describe('The head of a page', () => {
  beforeAll(async () => {
    for (const under of [open(), closed()]) {
      numbered = await store(under, { rules: sampleRules(2).map((rule) => ({ ...rule, title: HOSTILE })) })
      await store(under, { release: '2', rules: sampleRules(2) })
      await storeCciList(under.service.guidance.database, cciList([...CCIS]))
      await storeOscal(under.service.guidance.database)
    }
  })

  it.each([
    ['/technique/d3f:AccountLocking/', /^Account Locking – Parapet$/, '/technique/d3f:AccountLocking/', 'technique'],
    ['/tactic/d3f:Harden/', /^Harden – /, '/tactic/d3f:Harden/', 'tactic'],
    ['/dao/artifact/d3f:UserAccount/', /^User Account – /, '/dao/artifact/d3f:UserAccount/', 'artifact'],
    ['/offensive-technique/attack/T1110/', /^Brute Force – /, '/offensive-technique/attack/T1110/', 'attack'],
    ['/ontology/describe/d3f:UserAccount/', /^User Account – /, '/ontology/describe/d3f:UserAccount/', 'ontology'],
    ['/benchmarks/Teapot_STIG/V1R1', /V1R1 – Parapet$/, '/benchmarks/Teapot_STIG/V1R1', 'benchmark'],
    ['/ccis/cci-15', /^CCI-000015 – /, '/ccis/CCI-000015', 'cci'],
    ['/controls/ac-2', /^AC-2 /, '/controls/AC-2', 'control'],
    ['/matrix?number=none', /^Defenses – /, '/matrix', 'technique'],
    ['/attacks', /^Attacks – /, '/attacks', 'attack'],
    ['/guidance?sort=date', /^Guidance – /, '/guidance', 'benchmark'],
    ['/coverage?open=x&stig=Teapot_STIG', /^Coverage – /, '/coverage?stig=Teapot_STIG', 'benchmark'],
    ['/coverage/list', /^Coverage of your own list – /, '/coverage/list', 'benchmark'],
    ['/search?q=brute%20force&kind=rule', /^brute force – Search – /, '/search?q=brute%20force', 'rule'],
    ['/api/docs?group=Rules', /^HTTP API – /, '/api/docs', 'ontology'],
    ['/sparql', /^SPARQL – /, '/sparql', 'ontology'],
    ['/releases/a/changes/b', /^Changes from a to b – /, '/releases/a/changes/b', 'ontology'],
    [
      '/benchmarks/Teapot_STIG/V1R1/changes/V1R2',
      / V1R2 since V1R1 – /,
      '/benchmarks/Teapot_STIG/V1R1/changes/V1R2',
      'benchmark',
    ],
  ])('at %s names the record first, and then its kind', async (path, title, canonical, card) => {
    const found = await head(path)
    expect(found.status).toBe(200)
    expect(found.title).toMatch(title)
    expect(found.canonical).toBe(SITE + canonical)
    expect(found.title).toBe(`${found.meta['og:title'] ?? ''} – Parapet`)
    expect(found.meta).toMatchObject({ 'og:url': SITE + canonical, 'og:type': 'article' })
    expect(found.meta['description']?.length).toBeGreaterThan(5)
    expect(found.meta['description']?.length).toBeLessThan(210)
    expect(found.meta['og:description']).toBe(found.meta['description'])
    const address = found.meta['og:image'] ?? ''
    const image = await fetch(address.replace(SITE, open().service.baseUrl))
    expect(address).toMatch(new RegExp(`^${SITE}/assets/cards/${card}-[0-9a-f]{8}\\.png$`))
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(image.headers.get('cache-control')).toContain('immutable')
    expect(image.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    // The first chunk of a PNG begins with its size.
    const bytes = Buffer.from(await image.arrayBuffer())
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
  })

  it('has no description of a record without a text', async () => {
    const { canonical, meta } = await head('/weakness/cwe/CWE-79/')
    expect(canonical).toBe(`${SITE}/weakness/cwe/CWE-79/`)
    expect(meta['og:image']).toContain('/assets/cards/weakness-')
    expect(meta).not.toHaveProperty('description')
    expect(meta).not.toHaveProperty('og:description')
  })

  it('escapes texts of other people', async () => {
    const release = await open().nobody.call('GET', '/api/catalogue/benchmarks/Teapot_STIG/V1R1/rules.json')
    const [, rule = ''] = /"rule_id":"([^"]+)"/.exec(JSON.stringify(release.body)) ?? []
    const path = `/benchmarks/Teapot_STIG/V1R1/rules/${rule}`
    const found = await head(path)
    expect(found.text).not.toContain('<script>alert')
    expect(found.meta['og:title']).toContain(HOSTILE)
    expect(found.canonical).toBe(SITE + path)
    expect(found.text.match(/<title>/g)).toHaveLength(1)
  })

  it('redirects from the number of a release to its permanent address', async () => {
    const { canonical } = await head(`/stigs/${numbered}`)
    expect(canonical).toBe(`${SITE}/benchmarks/Teapot_STIG/V1R1`)
  })

  it('is revalidated, and stays cached while nothing changes', async () => {
    for (const path of ['/technique/d3f:AccountLocking/', '/benchmarks/Teapot_STIG/V1R1']) {
      const { headers } = await open().service.get(path, { headers: { Accept: 'text/html' } })
      expect(headers['cache-control']).toBe('no-cache')
      expect(headers['content-security-policy']).not.toContain('unsafe')
      const known = { Accept: 'text/html', 'If-None-Match': headers.etag ?? '' }
      expect((await open().service.get(path, { headers: known })).status).toBe(304)
    }
  })

  it('has the address without a release for the active one', async () => {
    const { canonical } = await head('/technique/d3f:AccountLocking/?release=0.1.0-starter')
    expect(canonical).toBe(`${SITE}/technique/d3f:AccountLocking/`)
  })

  it.each([
    '/technique/d3f:Nothing/',
    '/technique/d3f:UserAccount/',
    '/technique/d3f:AccountLocking/?release=9',
    '/benchmarks/Teapot_STIG/V9R9',
    '/ccis/CCI-999999',
  ])('does not mention records that are not at %s', async (path) => {
    const { status, title, canonical, meta } = await head(path)
    expect([status, title, canonical, meta['og:title']]).toEqual([404, 'Parapet', null, undefined])
  })

  it('links the feeds for the content of the page', async () => {
    const [ontology, catalogue] = ['/api/releases.atom', '/api/catalogue/benchmarks.atom']
    expect((await head('/')).feeds).toEqual([ontology, catalogue])
    expect((await head('/matrix')).feeds).toEqual([ontology])
    expect((await head('/benchmarks/Teapot_STIG/V1R1')).feeds).toEqual([catalogue])
    expect((await head('/users/sign_in')).feeds).toEqual([])
    for (const path of [ontology, catalogue])
      expect((await open().nobody.call('GET', path)).headers['content-type']).toContain('application/atom+xml')
  })

  it('reveals nothing about a catalogue that is not public', async () => {
    expect((await head('/', closed)).feeds).toEqual(['/api/releases.atom'])
    for (const path of ['/benchmarks/Teapot_STIG/V1R1', `/stigs/${numbered}`, '/ccis/CCI-000015', '/controls/AC-2']) {
      const { status, title, canonical, meta, feeds, text } = await head(path, closed)
      expect([status, title, canonical, meta['og:title'], feeds], path).toEqual([200, 'Parapet', null, undefined, []])
      expect(text, path).not.toContain('kettle')
    }
    expect((await head('/technique/d3f:AccountLocking/', closed)).title).toMatch(/^Account Locking/)
  })
})

describe('The first part of a text', () => {
  it('is whole sentences on one line, if there are any', () => {
    expect(firstPart('One.\n  Two.')).toBe('One. Two.')
    const sentence = `${'word '.repeat(29)}word. `
    expect(firstPart(sentence.repeat(3))).toBe(sentence.trim())
  })

  it('otherwise ends between two words, and never within a character', () => {
    expect(firstPart('word '.repeat(100))).toMatch(/^(?:word ){30,40}…$/)
    // This throws for half of a character.
    for (const start of ['', 'a']) expect(encodeURIComponent(firstPart(start + '😀'.repeat(200)))).toContain('%20')
    expect(firstPart('')).toBe('')
  })
})
