// @module-tag long

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { accessibilityFaults, browserFound, chromiumBrowser, type Visit } from '../support/browser.ts'
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

  it('begin with the search, the parts of the reference with their numbers, and what programs need', async () => {
    const visit = await open('/')
    const { page } = visit
    await page.getByRole('heading', { name: 'Cyber defenses, attacks and STIG rules, linked', level: 1 }).waitFor()
    const doors = page.locator('.door')
    await doors.first().getByRole('link', { name: 'Harden' }).waitFor()
    expect(await doors.first().getByRole('listitem').count()).toBe(7)
    await doors.nth(1).getByRole('link', { name: 'Credential Access' }).waitFor()
    await doors.nth(2).getByText('There is no STIG or SRG here yet.').waitFor()
    expect(await page.getByText(`curl ${service().baseUrl}/api/matrix.json`).count()).toBe(1)
    expect(await page.getByRole('combobox', { name: 'Search' }).count()).toBe(1)
    await expectSound(visit)
    await page.getByRole('link', { name: 'T1110', exact: true }).click()
    await page.getByRole('heading', { name: /^Results for .T1110/, level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Brute Force' }).first().waitFor()
    await page.goBack()
    await doors.nth(1).getByRole('link', { name: 'Credential Access' }).click()
    await page.getByRole('heading', { name: 'Attacks', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Brute Force', exact: true }).click()
    await page.getByRole('heading', { name: 'Brute Force', level: 1 }).waitFor()
  })

  it('show the API documentation with nothing fetched from elsewhere', async () => {
    const { page, troubles } = await open('/api/docs')
    const document = jsonOf(await service().get('/api/openapi.json'))
    const { paths } = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) }).parse(document)
    const operations = Object.values(paths).flatMap((methods) => Object.keys(methods))
    expect(operations.length).toBeGreaterThan(17)
    const seen = new Set<string>()
    const groups = page.locator('.opblock-tag')
    await groups.first().waitFor()
    // Each is drawn as the others are, from a document that is compared with every answer.
    const opened = isDeep ? await groups.count() : 2
    for (let at = 0; at < opened; at += 1) {
      await groups.nth(at).getByRole('button').click()
      await page.locator('.opblock').first().waitFor()
      // A long list is drawn where one has scrolled to.
      for (let wheel = 0; wheel < 40; wheel += 1) {
        for (const id of ids.parse(await page.evaluate(DRAWN))) seen.add(id)
        await page.mouse.wheel(0, 500)
      }
      await groups.nth(at).getByRole('button').click()
    }
    if (isDeep) expect(seen.size).toBe(operations.length)
    else expect(seen.size).toBeGreaterThan(20)
    expect(await page.locator('#api').innerText()).toContain('Ontology')
    expect(troubles).toEqual([])
  })

  it('have no accessibility violation in the API documentation, in light and in dark', async () => {
    const { page, troubles } = await open('/api/docs')
    const groups = page.locator('.opblock-tag')
    await groups.first().waitFor()
    await groups.first().getByRole('button').click()
    for (const path of ['/api/version.json', '/api/technique/{technique}.json']) {
      const summary = page.locator(`.opblock-summary:has([data-path="${path}"])`)
      await summary.scrollIntoViewIfNeeded()
      // Long paths have places to break in them that cannot be seen.
      expect((await summary.innerText()).replaceAll('\u200b', '')).toContain(path)
      await summary.locator('.opblock-summary-control').click()
    }
    await page.locator('.responses-table').first().waitFor()
    await expect.poll(() => page.locator('pre.microlight:not([tabindex])').count()).toBe(0)
    for (const [colorScheme, rules] of [
      ['dark', undefined],
      ['light', ['color-contrast']],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      const isDark = page.locator('html.dark-mode')
      await isDark.waitFor({ state: colorScheme === 'dark' ? 'attached' : 'detached' })
      // Colours change slowly there.
      await page.waitForTimeout(1000)
      expect(await accessibilityFaults(page, rules), colorScheme).toEqual([])
    }
    expect(troubles).toEqual([])
  })

  it('send less than 700 kB for the API documentation, to browsers as they ask', async () => {
    const headers = { 'Accept-Encoding': 'gzip, deflate, br, zstd' }
    const { body: document } = await service().get('/api/docs', { headers })
    const loaded = Array.from(document.toString().matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g))
    const paths = ['/api/openapi.json', ...loaded.map(([, path = '']) => path)]
    expect(paths.length).toBeGreaterThan(4)
    let bytes = document.length
    for (const path of paths) bytes += (await service().get(path, { headers })).body.length
    expect(bytes).toBeLessThan(700_000)
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
