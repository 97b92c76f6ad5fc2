import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  accessibilityFaults,
  browserFound,
  chromiumBrowser,
  type Visit,
} from '../support/browser.ts'
import { expectSound } from '../support/page-check.ts'
import { isDeep } from '../support/runs.ts'
import { jsonOf, starterService } from '../support/service.ts'

const service = starterService()

const ids = z.array(z.string())
const DRAWN = "[...document.querySelectorAll('.opblock')].map(({ id }) => id)"

describe.runIf(browserFound)('The browser pages', () => {
  const surf = chromiumBrowser()

  async function open(path: string): Promise<Visit> {
    return (await surf(service().baseUrl)).open(path)
  }

  it('begin with the tactics and their techniques', async () => {
    const visit = await open('/')
    const { page } = visit
    await page.getByRole('heading', { name: 'Harden' }).waitFor()
    expect(await page.locator('.tactics > li').count()).toBe(7)
    await expect.poll(() => page.locator('#release').textContent()).toBe('0.1.0-starter')
    await expectSound(visit)
    await page.getByRole('link', { name: 'File Analysis', exact: true }).click()
    await page.getByRole('heading', { name: 'File Analysis', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/technique/d3f:FileAnalysis/')
  })

  it('show the API documentation with nothing fetched from elsewhere', async () => {
    const { page, troubles } = await open('/api/docs')
    const document = jsonOf(await service().get('/api/openapi.json'))
    const { paths } = z
      .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
      .parse(document)
    const operations = Object.values(paths).flatMap((methods) => Object.keys(methods))
    expect(operations.length).toBeGreaterThan(17)
    // A long list is drawn where one has scrolled to.
    const seen = new Set<string>()
    const scrolled = async (): Promise<number> => {
      for (const id of ids.parse(await page.evaluate(DRAWN))) seen.add(id)
      await page.mouse.wheel(0, 500)
      return seen.size
    }
    // Each is drawn as the others are, from a document that is compared with every answer.
    const enough = isDeep ? operations.length : 20
    await expect.poll(scrolled, { timeout: 90_000, interval: 30 }).toBeGreaterThanOrEqual(enough)
    if (isDeep) expect(seen.size).toBe(operations.length)
    expect(troubles).toEqual([])
  })

  it('show what a code means at its anchor', async () => {
    const { page, troubles } = await open('/docs/api/errors#subject_not_found')
    expect(await page.locator('#subject_not_found').textContent()).toContain('404')
    expect(troubles).toEqual([])
  })

  it('have no accessibility violation in the list of errors', async () => {
    const { page } = await open('/docs/api/errors')
    await page.waitForLoadState('networkidle')
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
