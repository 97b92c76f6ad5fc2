import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { starterService } from '../support/service.ts'

const CHROMIUM = process.env['PARAPET_CHROMIUM'] ?? '/usr/bin/chromium'
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const violations = z.array(z.object({ id: z.string(), nodes: z.array(z.unknown()) }))

const found = existsSync(CHROMIUM)
if (!found) {
  process.emitWarning(`No browser at ${CHROMIUM} (PARAPET_CHROMIUM): the pages are not tested.`)
}

const service = starterService()
let browser: Browser

async function open(path: string): Promise<{ page: Page; troubles: string[] }> {
  const troubles: string[] = []
  const page = await browser.newPage({ bypassCSP: false })
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text())
  })
  page.on('request', (request) => {
    const own = request.url().startsWith(service().baseUrl) || request.url().startsWith('data:')
    if (!own) troubles.push(`a request to ${request.url()}`)
  })
  await page.goto(service().baseUrl + path)
  return { page, troubles }
}

describe.runIf(found)('The browser pages', () => {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET })
  })

  afterAll(async () => {
    await browser.close()
  })

  it('show a living matrix: seven tactics, and techniques that lead to their answers', async () => {
    const { page, troubles } = await open('/')
    await page.waitForSelector('#matrix section')
    expect(await page.locator('#matrix section').count()).toBe(7)
    expect(await page.locator('#matrix li').count()).toBeGreaterThanOrEqual(60)
    expect(await page.locator('#release').textContent()).toContain('0.1.0-starter')
    const link = page.getByRole('link', { name: 'File Integrity Monitoring', exact: true })
    const href = (await link.getAttribute('href')) ?? ''
    expect((await service().get(href)).status).toBe(200)
    expect(troubles).toEqual([])
  })

  it('show the API documentation with nothing fetched from elsewhere', async () => {
    const { page, troubles } = await open('/api/docs')
    await page.waitForSelector('.opblock')
    expect(await page.locator('.opblock').count()).toBe(17)
    expect(troubles).toEqual([])
  })

  it('show what a code means at its anchor', async () => {
    const { page, troubles } = await open('/docs/api/errors#subject_not_found')
    expect(await page.locator('#subject_not_found').textContent()).toContain('404')
    expect(troubles).toEqual([])
  })

  it.each(['/', '/docs/api/errors'])('have no accessibility violation at %s', async (path) => {
    const { page } = await open(path)
    await page.waitForLoadState('networkidle')
    await page.evaluate(AXE)
    const result: unknown = await page.evaluate('axe.run().then((results) => results.violations)')
    expect(violations.parse(result)).toEqual([])
  })
})
