// @module-tag long

import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openSignedIn } from '../support/author-window.ts'
import { browserFound, chromiumBrowser, type Visit } from '../support/browser.ts'
import { store } from '../support/catalogue.ts'
import { guidanceService } from '../support/guidance.ts'
import { expectNoTroubles } from '../support/page-check.ts'
import { CCIS, cciList, storeCciList } from '../support/reference-data.ts'
import { STARTER } from '../support/service.ts'
import { sampleRules } from '../support/xccdf-document.ts'

const guidance = guidanceService({}, undefined, STARTER)
const closed = guidanceService({ SERVICE_CATALOGUE_PUBLIC: 'false' }, undefined, STARTER)
const TECHNIQUE = '/technique/d3f:FileIntegrityMonitoring/'

/** As it is sent once there has been time to render it. */
async function documentAt(path: string, under = guidance): Promise<string> {
  let text = ''
  const ask = async (): Promise<string> => {
    text = (await get(path, under)).text
    return text
  }
  await expect.poll(ask, { timeout: 30_000 }).toContain('data-served')
  return text
}

async function get(path: string, under = guidance): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(under().service.baseUrl + path, { headers: { accept: 'text/html' } })
  return { status: answer.status, text: await answer.text() }
}

/** The text that a browser without scripts shows. */
function read(document: string): string {
  const [, body = ''] = /<body>([\s\S]*)<\/body>/.exec(document) ?? []
  return body
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
}

beforeAll(async () => {
  await store(guidance())
  await store(guidance(), { release: '2', rules: sampleRules(3) })
  await storeCciList(guidance().service.guidance.database, cciList(CCIS))
  await store(closed())
})

describe('The document of a page', () => {
  it('holds the text of a technique, and links to related records', async () => {
    const document = await documentAt(TECHNIQUE)
    const answer = await guidance().service.get('/api/technique/d3f:FileIntegrityMonitoring.json')
    const [, definition = ''] = /"d3f:definition":"([^"]+)"/.exec(answer.body.toString()) ?? []
    expect(definition.length).toBeGreaterThan(20)
    expect(document).toContain('<title>File Integrity Monitoring – Parapet</title>')
    expect(read(document)).toContain(definition)
    expect(document).toContain('href="/tactic/d3f:Detect/"')
    expect(document).toMatch(/href="\/offensive-technique\/attack\/T\d+/)
    expect(document).toMatch(/href="\/dao\/artifact\/d3f:\w+/)
    expect(document).not.toContain('<noscript>')
  })

  it.each([
    ['/', 'Cyber defenses, attacks and STIG rules, linked'],
    ['/matrix', 'File Integrity Monitoring'],
    ['/attacks', 'Brute Force'],
    ['/tactic/d3f:Detect/', 'File Analysis'],
    ['/dao/artifact/d3f:UserAccount/', 'User Account'],
    ['/offensive-technique/attack/T1110/', 'Brute Force'],
    ['/weakness/cwe/CWE-79/', 'Cross-site Scripting'],
    ['/ontology/describe/d3f:UserAccount/', 'd3f:UserAccount'],
    ['/guidance', 'Teapot'],
    ['/benchmarks/Teapot_STIG/V1R1', '2 rules'],
    ['/benchmarks/Teapot_STIG/V1R1/rules/SV-1000001r1_rule', 'SV-1000001r1_rule'],
    ['/requirements/SRG-TEA-000001', 'SRG-TEA-000001'],
    ['/ccis/CCI-000015', 'CCI-000015'],
    ['/benchmarks/Teapot_STIG/V1R1/changes/V1R2', '1 of 3 rules differ'],
    ['/coverage', 'Choose guidance'],
    ['/coverage?stig=Teapot_STIG', 'rules are linked to'],
    ['/coverage/list', 'Attacks or techniques that you have'],
    ['/search?q=brute+force', 'Results for “brute force”'],
    ['/api/docs', 'Quick start'],
  ])('holds the content of %s, without a style or a control that does nothing', async (path, text) => {
    const document = await documentAt(path)
    expect(read(document)).toContain(text)
    expect(document).not.toMatch(/ style="/)
    expect(document).not.toMatch(/aria-busy/)
    expect(document).toMatch(/<title>.+ – Parapet<\/title>/)
    for (const [control] of document.matchAll(/<(?:button|select|input|textarea)\b[^>]*>/g))
      expect(control).toMatch(/ disabled[ =>]| name="q"/)
  })

  it('is the same for signed-in people, with another ETag for compression', async () => {
    await documentAt(TECHNIQUE)
    const { service } = guidance()
    const headers = { Accept: 'text/html' }
    const [visitor, signed, packed] = [
      await service.get(TECHNIQUE, { headers }),
      await service.get(TECHNIQUE, { headers: { ...headers, Cookie: 'parapet.sid=s%3Asomebody' } }),
      await service.get(TECHNIQUE, { headers: { ...headers, 'Accept-Encoding': 'gzip' } }),
    ]
    expect(signed.body.equals(visitor.body)).toBe(true)
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(packed.headers.vary).toBe('Accept, Accept-Encoding')
    expect(packed.headers.etag).not.toBe(visitor.headers.etag)
    const again = await service.get(TECHNIQUE, { headers: { ...headers, 'If-None-Match': visitor.headers.etag ?? '' } })
    expect(again.status).toBe(304)
  })

  it('marks the selected options of a list', async () => {
    const chosen = /<option value="date" selected[^>]*>Newest first/
    expect(await documentAt('/guidance?sort=date')).toMatch(chosen)
    expect(await documentAt('/guidance')).not.toMatch(chosen)
  })

  it('returns 404 with a page for an unknown record', async () => {
    const { status, text } = await get('/technique/d3f:NoSuchThing/')
    expect(status).toBe(404)
    expect(text).toContain('<div id="application"></div>')
  })

  it('reveals nothing about a catalogue that is not public', async () => {
    await documentAt(TECHNIQUE, closed)
    for (const path of ['/guidance', '/requirements/SRG-TEA-000001']) {
      const { text } = await get(path, closed)
      expect(text).not.toContain('Teapot')
    }
  })
})

describe.runIf(browserFound)('The document in a browser', () => {
  const surf = chromiumBrowser()

  async function open(path: string): Promise<Visit> {
    await documentAt(path)
    return (await surf(guidance().service.baseUrl)).open(path)
  }

  it('is readable without scripts, and has links', async () => {
    await documentAt(TECHNIQUE)
    await documentAt('/tactic/d3f:Detect/')
    const { context } = await surf(guidance().service.baseUrl)
    const browser = context.browser()
    if (browser === null) throw new Error('There is no browser')
    const page = await browser.newPage({ javaScriptEnabled: false, baseURL: guidance().service.baseUrl })
    await page.goto(TECHNIQUE)
    await page.getByRole('heading', { name: 'File Integrity Monitoring', level: 1 }).waitFor()
    expect(await page.getByRole('listbox').count()).toBe(0)
    await page.getByRole('main').getByRole('link', { name: 'Detect', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Detect', level: 1 }).waitFor()
    await page.close()
  })

  it.each([
    TECHNIQUE,
    '/matrix',
    '/guidance',
    '/benchmarks/Teapot_STIG/V1R1/rules/SV-1000001r1_rule',
    '/offensive-technique/attack/T1110/',
    '/ccis/CCI-000015',
    '/',
    '/benchmarks/Teapot_STIG/V1R1/changes/V1R2',
    '/coverage?stig=Teapot_STIG',
    '/search?q=brute+force',
    '/api/docs',
  ])('becomes the application without moving or errors: %s', async (path) => {
    await documentAt(path)
    const surfer = await surf(guidance().service.baseUrl)
    const visit = await surfer.open('/docs/api/errors')
    const { page } = visit
    await page.addInitScript(WATCH)
    await page.goto(surfer.baseUrl + path)
    await page.locator('#application:not([data-served])').waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle')
    const { shift, served, taken } = await page.evaluate<Watched>('watched')
    expect(served.length).toBeGreaterThan(3)
    expect(taken).toEqual(served)
    expect(shift).toBeLessThan(0.02)
    await expectNoTroubles(visit)
  })

  it.each([1440, 768, 390])('does not move where it comes without content, %s pixels wide', async (width) => {
    const { email } = await guidance().person('Wanda')
    for (const path of [TECHNIQUE, '/coverage?stig=Teapot_STIG', '/', '/home']) {
      const surfer = await surf(guidance().service.baseUrl)
      const { page } = await (path === '/home' ? openSignedIn(surfer, email, '/account') : surfer.open('/account'))
      await page.setViewportSize({ width, height: 900 })
      await page.addInitScript(WATCH)
      await withoutContent(page)
      const answer = await holdAnswer(page, '**/api/releases.json')
      await page.goto(surfer.baseUrl + path)
      const heading = page.locator('main h1')
      await heading.waitFor({ state: 'attached' })
      expect([path, await heading.isVisible()]).toEqual([path, false])
      answer.release()
      await heading.waitFor()
      await page.waitForLoadState('networkidle')
      const { shift } = await page.evaluate<Watched>('watched')
      expect([path, Math.min(shift, 0.02)]).toEqual([path, shift])
      await page.close()
    }
  })

  it('does not move where the document comes in pieces', async () => {
    const path = '/coverage?stig=Teapot_STIG'
    const document = await documentAt(path)
    const surfer = await surf(await serveInPieces(guidance().service.baseUrl))
    const { page } = await surfer.open('/docs/api/errors')
    await page.addInitScript(WATCH)
    await page.goto(surfer.baseUrl + path)
    await page.locator('#application:not([data-served])').waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle')
    expect(document.split('<section').length).toBeGreaterThan(5)
    const { shift } = await page.evaluate<Watched>('watched')
    expect(shift).toBeLessThan(0.02)
  })

  it('shows a page that comes without content when its parts are loaded', async () => {
    const surfer = await surf(guidance().service.baseUrl)
    const { page } = await surfer.open('/docs/api/errors')
    const script = await holdAnswer(page, '**/assets/app/QueryEditor-*.js')
    await page.goto(`${surfer.baseUrl}/sparql`)
    const run = page.getByRole('button', { name: 'Run', includeHidden: true })
    await run.waitFor({ state: 'attached' })
    await page.waitForTimeout(300)
    expect(await run.isVisible()).toBe(false)
    script.release()
    await run.waitFor()
    expect(await page.getByRole('textbox', { name: /query/i }).isVisible()).toBe(true)
  })

  it('keeps text typed before the application starts, and the scroll position', async () => {
    const path = '/technique/d3f:FileIntegrityMonitoring/'
    await documentAt(path)
    const { page } = await (await surf(guidance().service.baseUrl)).open('/docs/api/errors')
    const script = await holdAnswer(page, '**/assets/app/index-*.js')
    await page.goto(guidance().service.baseUrl + path, { waitUntil: 'commit' })
    const search = page.getByRole('combobox', { name: 'Search' })
    await search.fill('brute')
    await page.mouse.wheel(0, 300)
    await expect.poll(() => page.evaluate('scrollY')).toBe(300)
    script.release()
    await page.getByRole('button', { name: 'Cite', exact: true }).isEnabled()
    await page.locator('#application[data-served]').waitFor({ state: 'detached' })
    expect(await search.inputValue()).toBe('brute')
    expect(await page.evaluate('document.activeElement.name')).toBe('q')
    expect(await page.evaluate('scrollY')).toBe(300)
  })

  it('offers similar names for an unknown record', async () => {
    const { page } = await open(TECHNIQUE)
    await page.goto(`${guidance().service.baseUrl}/technique/d3f:FileIntegrityMonitorin/`)
    await page.getByRole('link', { name: /FileIntegrityMonitoring/ }).waitFor()
  })
})

/** Keeps back the answers at an address until they are released. */
async function holdAnswer(page: Page, address: string): Promise<{ readonly release: () => void }> {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(address, async (route) => {
    await held
    await route.continue()
  })
  return { release }
}

/** The service on a slow network: a part of a document is drawn before the next one comes. Returns its address. */
async function serveInPieces(baseUrl: string): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const accept = request.headers.accept ?? '*/*'
      const answer = await fetch(baseUrl + (request.url ?? '/'), { headers: { accept } })
      const type = answer.headers.get('content-type') ?? ''
      response.writeHead(answer.status, { 'content-type': type })
      const text = Buffer.from(await answer.arrayBuffer())
      if (type.startsWith('text/html'))
        for (const piece of text.toString().split(/(?=<section)/)) {
          response.write(piece)
          await setTimeout(PIECE_MS)
        }
      else response.write(text)
      response.end()
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`
}

/** Long enough for a browser to draw what has come. */
const PIECE_MS = 80

/** As the service sends documents that it has not rendered in time. */
async function withoutContent(page: Page): Promise<void> {
  await page.route('**', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback()
    const response = await route.fetch()
    const document = await response.text()
    const body = document.replace(/<div id="application"[\s\S]*<\/body>/, '<div id="application"></div></body>')
    return route.fulfill({ response, body })
  })
}

interface Watched {
  readonly shift: number
  /** Elements and their places, before and after the application took over. */
  readonly served: readonly string[]
  readonly taken: readonly string[]
}

/** Notes where things are in the last frame of what was sent, and in the first of the application. */
const WATCH = `
const places = () => [...document.querySelectorAll('h1, h2, nav, table, dl, form, button')].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect()
  return [one.tagName, one.textContent.trim().slice(0, 20), ...[x, y, width, height].map(Math.round)].join(' ')
})
globalThis.watched = { shift: 0, served: [], taken: [] }
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) watched.shift += value
}).observe({ type: 'layout-shift', buffered: true })
document.fonts.ready.then(() => undefined)
new MutationObserver(() => {
  const application = document.querySelector('#application')
  if (application === null || watched.taken.length > 0) return
  if (application.dataset.served === undefined) watched.taken = places()
  else if (document.readyState !== 'loading') watched.served = places()
}).observe(document, { childList: true, subtree: true })
const look = () => {
  if (document.querySelector('#application[data-served]') !== null) watched.served = places()
  if (watched.taken.length === 0) requestAnimationFrame(look)
}
requestAnimationFrame(look)
`
