import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ACCOUNT_PATHS } from '../../src/web/paths/account.ts'
import { PATHS as PAGE_PATHS } from '../../src/web/paths/paths.ts'
import { guidanceService } from '../support/guidance.ts'
import { jsonOf, type RawResponse } from '../support/service.ts'

const guidance = guidanceService()

const PATHS = Object.values(ACCOUNT_PATHS)
const PAGES = Object.values(PAGE_PATHS).map((path) => path.replaceAll(/:\w+/g, '1'))
const ALL = [...PAGES, '/api/docs', '/docs/api/errors', '/nothing']
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const FILES = readdirSync('src/web/pages').filter((file) => file.endsWith('.html'))

function get(path: string, accept?: string): Promise<RawResponse> {
  const headers = accept === undefined ? {} : { Accept: accept }
  return guidance().service.get(path, { headers })
}

describe('The pages of the account', () => {
  it.each(PATHS)('are HTML at %s, and not cached', async (path) => {
    const { status, headers, body } = await get(`${path}?reset_password_token=x`, BROWSER)
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['content-security-policy']).toContain("script-src 'self';")
    expect(headers['content-security-policy']).toContain("style-src 'self'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(headers.vary).toContain('Accept')
    expect(body.toString()).toContain('<!doctype html>')
  })

  it.each(PATHS)('leave %s to the API for clients that do not prefer HTML', async (path) => {
    const token = `${path}?reset_password_token=x`
    const acceptHeaders = [undefined, '*/*', 'application/json', 'application/json, text/html']
    for (const accept of acceptHeaders) {
      const { headers, status } = await get(token, accept)
      expect(headers['content-type']).toMatch(/^application\/(problem\+)?json/)
      expect(status).toBe(path === '/users/password/edit' ? 200 : PROBLEMS[path])
      expect(headers.vary).toContain('Accept')
    }
  })

  it('answer as JSON whether a reset link works', async () => {
    const { body } = await guidance().nobody.call('GET', '/users/password/edit?reset_password_token=x')
    expect(body).toEqual({ valid: false })
  })

  it('serve only GET and HEAD: other methods go to the API', async () => {
    const answer = await guidance().service.get('/users/unlock', {
      method: 'PUT',
      headers: { Accept: BROWSER, 'Content-Type': 'application/json' },
      body: JSON.stringify({ unlock_token: 'x' }),
    })
    expect(answer.status).toBe(422)
    expect(jsonOf(answer)).toMatchObject({ code: 'link_invalid' })
  })

  it('answer HEAD without a body', async () => {
    const { service } = guidance()
    const headers = { Accept: BROWSER }
    const answer = await service.get('/users/sign_in', { method: 'HEAD', headers })
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.body.length).toBe(0)
  })

  it.each(ALL)('have no inline script or style at %s', async (path) => {
    const html = (await get(path, BROWSER)).body.toString()
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/)
    expect(html).not.toMatch(/<script(?![^>]* src="\/assets\/)/)
  })

  it.each(ALL)('never put typed text into an address, even without scripts: %s', async (path) => {
    const html = (await get(path, BROWSER)).body.toString()
    // Only a search is in its address.
    const forms = [...html.matchAll(/<form[^>]*>/g)].map(([form]) => form)
    for (const form of forms.filter((tag) => !tag.includes(' action="/search"')))
      expect(form).toContain('method="post"')
  })
})

describe('An unknown address', () => {
  it('returns 404 as a page for browsers and as a problem for other clients', async () => {
    const page = await get('/nothing', BROWSER)
    expect(page.status).toBe(404)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers.vary).toContain('Accept')
    for (const accept of [undefined, '*/*', 'application/json, text/html']) {
      const { status, headers } = await get('/nothing', accept)
      expect(status).toBe(404)
      expect(headers['content-type']).toMatch(/^application\/problem\+json/)
    }
  })
})

describe('The banner', () => {
  const bannered = guidanceService({
    SERVICE_BANNER_ENABLED: 'true',
    SERVICE_BANNER_TEXT: 'Only <b>practice</b> & $& more',
    SERVICE_BANNER_BACKGROUND_COLOR: '#123456',
    SERVICE_BANNER_TEXT_COLOR: '#fedcba',
  })
  const SHOWN = '>Only &lt;b&gt;practice&lt;/b&gt; &amp; $&amp; more</aside>'

  it('is on every page, without a script, and on none without the setting', async () => {
    const headers = { Accept: BROWSER }
    for (const path of ALL) {
      const html = (await bannered().service.get(path, { headers })).body.toString()
      expect(html, path).toContain(SHOWN)
      expect(html, path).toContain('href="/assets/banner.css"')
      expect((await get(path, BROWSER)).body.toString(), path).not.toContain('banner')
    }
    for (const file of FILES) expect((await get(`/assets/${file}`)).status, file).toBe(404)
    const { body, headers: sent } = await bannered().service.get('/assets/banner.css')
    expect(sent['content-type']).toBe('text/css; charset=utf-8')
    expect(body.toString()).toContain('background-color: #123456; color: #fedcba;')
  })
})

/** The paths where the API answers no GET. */
const PROBLEMS: Readonly<Record<string, number>> = {
  '/setup': 404,
  '/account': 404,
  '/account/second-factor': 404,
  '/users/sign_in': 405,
  '/users/sign_up': 405,
  '/users/password/new': 404,
  '/users/confirmation': 405,
  '/users/unlock': 405,
}
