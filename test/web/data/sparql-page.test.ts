// @module-tag long

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { browserFound, pageOpener } from '../../support/browser.ts'
import { store } from '../../support/catalogue.ts'
import { guidanceService } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'
import { STARTER } from '../../support/service.ts'

const under = guidanceService({}, undefined, STARTER)

const FIREFOX = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const D3F = 'PREFIX d3f: <http://d3fend.mitre.org/ontologies/d3fend.owl#>'
const IDS = `${D3F}\nSELECT ?technique ?id WHERE { ?technique d3f:d3fend-id ?id } ORDER BY ?id`

function pathOf(query: string): string {
  return `/sparql?query=${encodeURIComponent(query)}`
}

describe('The address /sparql', () => {
  const typeOf = async (path: string, accept?: string): Promise<string> => {
    const { headers } = await under().service.get(path, { headers: accept === undefined ? {} : { Accept: accept } })
    expect(headers.vary).toContain('Accept')
    return String(headers['content-type']).replace(/;.*/, '')
  }

  it.each(['/sparql', pathOf('ASK {}')])('answers browsers with a page at %s', async (path) => {
    expect(await typeOf(path, FIREFOX)).toBe('text/html')
    expect(await typeOf(path, 'text/html')).toBe('text/html')
  })

  it.each([undefined, '*/*', 'application/json', 'application/sparql-results+json, text/html;q=0.5'])(
    'answers programs that accept %s by the protocol',
    async (accept) => {
      expect(await typeOf(pathOf('ASK {}'), accept)).toMatch(/json$/)
    },
  )

  it('answers a POST by the protocol for any Accept', async () => {
    const headers = { 'Content-Type': 'application/sparql-query', Accept: FIREFOX }
    const answer = await under().service.get('/sparql', { method: 'POST', headers, body: 'ASK {}' })
    expect(answer.headers['content-type']).toContain('application/xml')
  })
})

describe.runIf(browserFound)('The page of SPARQL', () => {
  const open = pageOpener(() => under().service.baseUrl)

  beforeAll(async () => {
    const rules = [{ id: 'SV-700001r1_rule', title: 'Accounts must lock', cci: ['CCI-000044'] }]
    await store(under(), { id: 'Samovar_9_STIG', title: 'Samovar 9 STIG', rules })
  })

  it('runs the query of its address, sorts the table, and links to pages', async () => {
    const visit = await open(pathOf(IDS))
    const { page } = visit
    await page.getByRole('heading', { name: /^\d+ rows$/ }).waitFor()
    const column = page.getByRole('columnheader', { name: 'id' })
    const first = page.locator('tbody tr').first().locator('td').last()
    const smallest = await first.innerText()
    await column.getByRole('button').click()
    await column.getByRole('button').click()
    expect(await column.getAttribute('aria-sort')).toBe('descending')
    expect((await first.innerText()) > smallest).toBe(true)
    await expectSound(visit)
    await page.locator('tbody').getByRole('link', { name: 'd3f:AccountLocking' }).click()
    await page.getByRole('heading', { name: 'Account Locking', level: 1 }).waitFor()
  })

  it('has a query written by keyboard, with names completed and their prefix declared', async () => {
    const visit = await open('/sparql')
    const { page } = visit
    const field = page.getByRole('textbox', { name: 'Query' })
    const terms = page.waitForResponse((answer) => answer.url().includes('LIMIT+5000'))
    await field.click()
    await terms
    await field.press('Control+a')
    await page.keyboard.type('SELECT ?id WHERE { ?s d3f:d3fe')
    const option = page.getByRole('option', { name: 'd3f:d3fend-id' })
    await option.waitFor()
    // The editor does not take what has been there for less than 75 ms.
    await page.waitForTimeout(150)
    await field.press('Enter')
    await page.keyboard.type(' ?id }')
    await field.press('Control+Enter')
    await page.getByRole('heading', { name: /^\d+ rows$/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('query')).toBe(`${D3F}\nSELECT ?id WHERE { ?s d3f:d3fend-id ?id }`)
    // The slash that leads to the search on other pages is a letter here.
    await page.keyboard.type(' /')
    expect(await field.innerText()).toContain('/')
    await field.press('Escape')
    await field.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.shadowRoot')).toBeNull()
    expect(visit.troubles).toEqual([])
  })

  it('marks an error at its line, goes there, and removes the mark when the text is changed', async () => {
    const visit = await open(pathOf('SELECT ?s WHERE {\n  ?s d3f:x ?o\n}'))
    const { page } = visit
    await page.getByRole('alert').getByText('Line 2, column 6').waitFor()
    expect(await page.locator('.fault').innerText()).toBe('d3f:x')
    await page.getByRole('button', { name: 'Go to line 2' }).click()
    await expectNoTroubles(visit, ['400 GET /sparql'])
    await page.keyboard.type(' ')
    expect(await page.locator('.fault').count()).toBe(0)
  })

  it('shows a word for ASK, and Turtle for CONSTRUCT with its downloads', async () => {
    const visit = await open(pathOf('ASK { ?s ?p ?o }'))
    const { page } = visit
    await page.getByText('Yes', { exact: true }).waitFor()
    await page.goto(new URL(pathOf('CONSTRUCT { <urn:a> <urn:b> 1 } WHERE {}'), page.url()).href)
    await page.getByRole('region', { name: 'Turtle' }).getByText('<urn:a> <urn:b>').waitFor()
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'N-Triples' }).click()
    const file = await (await saved).path()
    expect(readFileSync(file, 'utf8')).toMatch(/^<urn:a> <urn:b> "1"\S* \.\n$/)
    expect(visit.troubles).toEqual([])
  })

  it('stops a query that takes long', async () => {
    const { page } = await open('/sparql')
    await page.context().route(/\?query=/, () => undefined)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('status').getByText('Running').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Stopped.').waitFor()
    await page.getByRole('button', { name: 'Run' }).waitFor()
  })

  it('has examples with existing benchmarks, all of which run', async () => {
    const visit = await open('/sparql')
    const { page } = visit
    const links = page.getByRole('complementary').locator('.example')
    await page.getByText(/^\d+ named graphs$/).waitFor()
    expect(await links.count()).toBe(9)
    for (let index = 0; index < 9; index += 1) {
      await links.nth(index).click()
      await expect.poll(() => links.nth(index).getAttribute('aria-current')).toBe('true')
      await page.getByRole('button', { name: 'Run' }).waitFor()
      await page.locator('section[aria-labelledby=result-title]').waitFor()
    }
    expect(visit.troubles).toEqual([])
  })
})
