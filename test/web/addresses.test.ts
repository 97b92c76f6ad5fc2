// @module-tag long

import { describe, expect, it } from 'vitest'
import { browserFound, chromiumBrowser } from '../support/browser.ts'
import { guidanceService } from '../support/guidance.ts'
import { expectNoTroubles } from '../support/page-check.ts'
import { spreadOf } from '../support/runs.ts'
import { STARTER } from '../support/service.ts'

const guidance = guidanceService({}, undefined, STARTER)

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

async function ask(path: string, accept = BROWSER): Promise<Response> {
  const url = guidance().service.baseUrl + path
  const answer = await fetch(url, { headers: { accept }, redirect: 'manual' })
  await answer.text()
  return answer
}

describe('An identifier that is typed as the address', () => {
  it.each([
    ['/t1110', '/offensive-technique/attack/T1110/'],
    ['/T1110.001', '/offensive-technique/attack/T1110.001/'],
    ['/t1110/', '/offensive-technique/attack/T1110/'],
    ['/cwe-79', '/weakness/cwe/CWE-79/'],
    ['/CWE-79', '/weakness/cwe/CWE-79/'],
    ['/D3-AL', '/technique/d3f:AccountLocking/'],
    ['/d3-al', '/technique/d3f:AccountLocking/'],
    ['/d3f:AccountLocking', '/technique/d3f:AccountLocking/'],
    ['/accountlocking', '/technique/d3f:AccountLocking/'],
    ['/useraccount', '/dao/artifact/d3f:UserAccount/'],
    ['/harden', '/tactic/d3f:Harden/'],
    ['/cci-000015', '/ccis/CCI-000015'],
    ['/AC-2(1)', '/controls/AC-2(1)'],
    ['/cci-000001', '/ccis/CCI-000001'],
    ['/ac-1', '/controls/AC-1'],
    ['/t1110?release=0.1.0-starter', '/offensive-technique/attack/T1110/?release=0.1.0-starter'],
  ])('leads from %s to the page of it', async (path, page) => {
    const answer = await ask(path)
    expect([answer.status, answer.headers.get('vary')]).toEqual([303, 'Accept'])
    const location = answer.headers.get('location') ?? ''
    expect(location).toMatch(page)
    expect((await ask(location)).status).toBe(200)
  })

  it.each([
    '/t9999',
    '/t1110?release=9',
    '/brute%20force',
    '/nothing',
    '/%FF',
    '/a/t1110',
    '/t1110.json',
    `/${'t1110'.repeat(500)}`,
  ])('does not lead anywhere from %s', async (path) => {
    expect((await ask(path)).status).toBe(path === '/%FF' ? 400 : 404)
  })

  it('redirects no program', async () => {
    for (const accept of ['*/*', 'application/json', 'text/turtle'])
      expect((await ask('/t1110', accept)).status, accept).toBe(404)
  })
})

describe('The address of a page', () => {
  const typeAt = async (path: string, accept: string | null): Promise<readonly unknown[]> => {
    const headers = accept === null ? {} : { Accept: accept }
    const answer = await guidance().service.get(path, { headers })
    return [answer.status, answer.headers['content-type']?.replace(/;.*/, '')]
  }

  it('answers HTML to clients that accept anything or send no Accept, for every page of the sitemap', async () => {
    const sitemap = await guidance().service.get('/sitemap.xml')
    const urls = Array.from(sitemap.body.toString().matchAll(/<loc>([^<]+)<\/loc>/g), ([, url = '']) => new URL(url))
    expect(urls.length).toBeGreaterThan(300)
    for (const { pathname } of spreadOf(urls, 60))
      for (const accept of ['*/*', null]) expect(await typeAt(pathname, accept), pathname).toEqual([200, 'text/html'])
  })

  it('answers a problem to clients that prefer JSON', async () => {
    expect(await typeAt('/technique/d3f:AccountLocking/', 'application/json')).toEqual([
      404,
      'application/problem+json',
    ])
  })

  it.each(['/users/sign_in', '/guidance', '/search', '/account', '/matrix'])(
    'is read-only unless the API answers there as well: %s',
    async (path) => {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const answer = await fetch(guidance().service.baseUrl + path, { method })
        expect([answer.status, answer.headers.get('allow')], method).toEqual([405, 'GET, HEAD'])
        expect(await answer.json()).toMatchObject({ code: 'method_not_allowed' })
      }
    },
  )

  it('answers as the API does if both are at the same path', async () => {
    for (const accept of ['*/*', null])
      expect(await typeAt('/projects', accept)).toEqual([401, 'application/problem+json'])
    expect(await typeAt('/projects', 'text/html')).toEqual([200, 'text/html'])
  })
})

describe.runIf(browserFound)('A page of an unknown record', () => {
  const surf = chromiumBrowser()

  it.each([
    ['/samovar', 'There is no page /samovar'],
    ['/technique/d3f:FileIntegrityMonitorin/', 'd3f:FileIntegrityMonitorin'],
    ['/offensive-technique/attack/T9', 'T9'],
    ['/weakness/cwe/CWE-0', 'CWE-0'],
    ['/dao/artifact/d3f:UserAcount', 'd3f:UserAcount'],
    ['/tactic/d3f:Hardn', 'd3f:Hardn'],
    ['/ontology/describe/d3f:UserAcount', 'd3f:UserAcount'],
    ['/technique/d3f:AccountLocking?release=9', 'd3f:AccountLocking'],
    ['/releases/0.1.0-starter/changes/9', 'Changes from 0.1.0-starter to 9'],
  ])('reports that once at %s, and offers no parts of the record', async (path, title) => {
    const visit = await (await surf(guidance().service.baseUrl)).open(path)
    const { page } = visit
    await page.getByRole('heading', { name: title, level: 1, exact: true }).waitFor()
    await page.locator('main [role=alert], main p').first().waitFor()
    await expectNoTroubles(
      visit,
      visit.troubles.filter((trouble) => trouble.startsWith('404')),
    )
    const text = await page.locator('main').innerText()
    expect(text.match(/there is no|did you mean|nothing is/gi)?.length).toBeLessThanOrEqual(2)
    expect(text.match(/did you mean/gi)?.length ?? 0).toBeLessThanOrEqual(1)
    expect(text.match(/there is no|nothing is/gi)).toHaveLength(1)
    for (const name of ['JSON', 'RDF', 'CSV', 'Copy link'])
      expect(await page.locator('main').getByText(name, { exact: true }).count(), name).toBe(0)
  })
})
