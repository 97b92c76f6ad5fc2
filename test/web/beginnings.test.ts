// @module-tag long

import { beforeAll, describe, expect, it } from 'vitest'
import { PATHS } from '../../src/web/paths/paths.ts'
import { readBuiltPages } from '../../src/web/server/built-pages.ts'
import { browserFound, chromiumBrowser } from '../support/browser.ts'
import { store } from '../support/catalogue.ts'
import { guidanceService } from '../support/guidance.ts'
import { onlyDeep } from '../support/runs.ts'
import { STARTER } from '../support/service.ts'

const guidance = guidanceService({}, undefined, STARTER)
const HINT = /<link rel="(modulepreload|stylesheet|preload)"(?! as="font")[^>]* href="([^"]+)">/g
/** Scripts that the document itself loads. */
const ENTRY = /<script (?:[^>]* )?src="([^"]+)">/g

async function hinted(
  path: string,
): Promise<{ readonly files: readonly string[]; readonly answers: readonly string[] }> {
  const answer = await guidance().service.get(path, { headers: { Accept: 'text/html' } })
  const document = answer.body.toString()
  const hints = [...document.matchAll(HINT)].map(([, kind = '', href = '']) => ({
    kind,
    href: href.replaceAll('&amp;', '&').replaceAll('&#39;', '%27'),
  }))
  const entries = Array.from(document.matchAll(ENTRY), ([, entry = '']) => entry)
  const files = hints.filter(({ kind }) => kind !== 'preload').map(({ href }) => href)
  const answers = hints.filter(({ kind }) => kind === 'preload').map(({ href }) => href)
  return { files: [...entries, ...files], answers }
}

describe('The document of a page', () => {
  it('names the files of each page', () => {
    const { files, assets } = readBuiltPages()
    expect(Object.keys(files).sort()).toEqual(Object.keys(PATHS).sort())
    const known = assets.map(({ path }) => path)
    for (const [name, pageFiles] of Object.entries(files)) {
      expect(pageFiles, name).not.toEqual([])
      for (const file of pageFiles) expect(known, name).toContain(`/${file}`)
    }
  })

  it('has another ETag for another query, and holds the query as text', async () => {
    const get = (path: string) => guidance().service.get(path, { headers: { Accept: 'text/html' } })
    const [first, same, other] = [
      await get('/search?q=tea'),
      await get('/search?q=tea'),
      await get('/search?q=%22%3E%3Cscript%3E'),
    ]
    expect(first.headers.etag).toMatch(/^"\w{32}"$/)
    expect(first.headers.etag).toBe(same.headers.etag)
    expect(first.headers.etag).not.toBe(other.headers.etag)
    expect(other.body.toString()).not.toContain('<script>')
  })
})

describe.runIf(browserFound)('The first requests of a page', () => {
  const surf = chromiumBrowser()

  // Until the index is read, there is nothing to find.
  beforeAll(async () => {
    await store(guidance())
    await guidance().service.guidance.search.prepare(Promise.resolve())
  })

  it.each([
    ['/', 1],
    ['/matrix?release=0.1.0-starter', 1],
    ['/tactic/d3f:Harden/', 1],
    ['/technique/d3f:FileAnalysis?release=0.1.0-starter', 1],
    ['/dao/artifact/d3f:UserAccount/', 1],
    ['/offensive-technique/attack/T1110.001/', 1],
    ['/weakness/cwe/CWE-79/', 1],
    ['/ontology/describe/d3f:UserAccount/', 1],
    ['/search?q=file+%22an%26alysis%22%20(x)!*%27%C3%A4&kind=technique&kind=rule&page=2', 1],
    ['/benchmarks/Teapot_STIG/V1R1', 1],
    ['/benchmarks/Teapot_STIG/V1R1/rules/SV-1000001r1_rule?release=0.1.0-starter', 2],
    ['/requirements/SRG-TEA-000001', 1],
    ['/ccis/CCI-000015', 1],
    ['/controls/AC-2(1)', 1],
    ['/coverage', 0],
    ...onlyDeep([
      ['/matrix', 1] as const,
      ['/technique/d3f:FileAnalysis', 1] as const,
      ['/technique/d3f:Nothing', 1] as const,
      ['/search', 0] as const,
      ['/search?q=file&fold=false&severity=high%2Clow&tactic=Detect&benchmark', 1] as const,
    ]),
  ] as const)('are sent once and are enough to show the page: %s', async (path, count) => {
    const { files, answers } = await hinted(path)
    expect(answers).toHaveLength(count)
    const { page } = await (await surf(guidance().service.baseUrl)).open('/docs/api/errors')
    const asked: string[] = []
    const warnings: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => {
      if (/preload/i.test(message.text())) warnings.push(message.text())
    })
    await page.goto(guidance().service.baseUrl + path)
    await page.waitForLoadState('networkidle')
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
    const paths = asked.map((url) => url.slice(guidance().service.baseUrl.length))
    // A question that is written otherwise would be there a second time.
    const beginning = (url: string): string => url.split('?')[0] ?? ''
    for (const answer of answers)
      expect(paths.filter((address) => beginning(address) === beginning(answer))).toEqual(
        beginning(answer) === beginning(path) ? [path, answer] : [answer],
      )
    const scripts = paths.filter((address) => /^\/assets\/app\/.*\.(?:js|css)$/.test(address))
    expect(scripts.sort()).toEqual(files.toSorted())
    expect(warnings).toEqual([])
  })
})
