// @module-tag long

import { describe, expect, it } from 'vitest'
import { browserFound, pageOpener } from '../support/browser.ts'
import { expectSound } from '../support/page-check.ts'
import { starterService } from '../support/service.ts'

const service = starterService()

describe.runIf(browserFound)('The page of a technique', () => {
  const open = pageOpener(() => service().baseUrl)

  it.each(['/technique/d3f:FileIntegrityMonitoring/', '/technique/d3f:FileIntegrityMonitoring'])(
    'is at %s, and is sound',
    async (path) => {
      const visit = await open(path)
      const { page } = visit
      await page.getByRole('heading', { name: 'File Integrity Monitoring', level: 1 }).waitFor()
      await page.getByRole('heading', { name: /^Attacks it counters/ }).waitFor()
      await expectSound(visit)
    },
  )

  it('can be cited with its release', async () => {
    const { page, troubles } = await open('/technique/d3f:FileIntegrityMonitoring/')
    await page.getByRole('button', { name: 'Cite', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Cite' })
    const address = `${service().baseUrl}/technique/d3f:FileIntegrityMonitoring/?release=0.1.0-starter`
    await dialog.getByText(`File Integrity Monitoring (D3-FIM). D3FEND 0.1.0-starter`).waitFor()
    expect(await dialog.getByRole('region', { name: 'BibTeX' }).textContent()).toContain(`url = {${address}}`)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(troubles).toEqual([])
  })

  it('replaces the head of the sent document when another page is shown', async () => {
    const { page } = await open('/technique/d3f:FileIntegrityMonitoring/')
    const sent = page.locator('link[rel="canonical"], meta[property="og:title"]')
    expect(await sent.count()).toBe(2)
    await page.getByRole('link', { name: 'Attacks', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Attacks', level: 1 }).waitFor()
    expect(await sent.count()).toBe(0)
  })

  it('has a picture with links for the keyboard', async () => {
    const { page, troubles } = await open('/technique/d3f:FileIntegrityMonitoring/')
    await page.getByText('Diagram', { exact: true }).click()
    const attack = page.locator('svg a').last()
    const name = (await attack.textContent())?.trim() ?? ''
    await attack.focus()
    await page.keyboard.press('Enter')
    const title = name.replace(/^\S+ /, '')
    await page.getByRole('heading', { name: title, exact: true, level: 1 }).waitFor()
    expect(troubles).toEqual([])
  })

  it('offers similar names for an unknown technique', async () => {
    const visit = await open('/technique/d3f:FileIntegrityMonitorin/')
    const { page } = visit
    await page.getByRole('link', { name: 'd3f:FileIntegrityMonitoring' }).click()
    await page.getByRole('heading', { name: 'File Integrity Monitoring', level: 1 }).waitFor()
    expect(visit.troubles).toEqual([
      '404 GET /technique/d3f:FileIntegrityMonitorin/',
      '404 GET /api/technique/d3f%3AFileIntegrityMonitorin.json',
    ])
  })

  it('is sent to clients that do not prefer JSON, with the status of its record', async () => {
    const status = async (path: string, accept = 'text/html'): Promise<number> =>
      (await service().get(path, { headers: { Accept: accept } })).status
    expect(await status('/technique/d3f:FileAnalysis/')).toBe(200)
    expect(await status('/technique/d3f:FileAnalysis?release=0.1.0-starter')).toBe(200)
    expect(await status('/technique/d3f:FileAnalysis?release=9')).toBe(404)
    expect(await status('/technique/d3f:Nothing/')).toBe(404)
    expect(await status('/technique/%FF')).toBe(400)
    expect(await status('/technique/..%2Fversion')).toBe(404)
    expect(await status(`/technique/${'x'.repeat(5000)}`)).toBe(404)
    expect(await status('/technique/d3f:FileAnalysis/', '*/*')).toBe(200)
    expect(await status('/technique/d3f:Nothing', '*/*')).toBe(404)
    expect(await status('/technique/d3f:FileAnalysis/', 'application/json')).toBe(404)
  })
})
