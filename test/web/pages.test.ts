import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  accessibilityFaults,
  browserFound,
  chromiumBrowser,
  type Visit,
} from '../support/browser.ts'
import { jsonOf, starterService } from '../support/service.ts'

const service = starterService()

const ids = z.array(z.string())
const DRAWN = "[...document.querySelectorAll('.opblock')].map(({ id }) => id)"

describe.runIf(browserFound)('The browser pages', () => {
  const surf = chromiumBrowser()

  async function open(path: string): Promise<Visit> {
    return (await surf(service().baseUrl)).open(path)
  }

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
    await expect
      .poll(scrolled, { timeout: 90_000, interval: 30 })
      .toBeGreaterThanOrEqual(operations.length)
    expect(seen.size).toBe(operations.length)
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
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
