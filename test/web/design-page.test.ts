// @module-tag long

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'vite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { browserFound, chromiumBrowser } from '../support/browser.ts'
import { builtModule } from '../support/build.ts'
import { guidanceService } from '../support/guidance.ts'
import { expectSound } from '../support/page-check.ts'
import { isDeep } from '../support/runs.ts'

/** Words that only the examples have. */
const SAID = 'No rule has the words'

const guidance = guidanceService()

describe('The page with examples of the shared parts', () => {
  it('is not part of the build', async () => {
    const { status } = await fetch(`${guidance().service.baseUrl}/design`, { headers: { accept: 'text/html' } })
    expect(status).toBe(404)
    const folder = builtModule('src/web/built')
    const scripts = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'))
    expect(scripts.length).toBeGreaterThan(50)
    for (const name of scripts) expect((await readFile(join(folder, name), 'utf8')).includes(SAID), name).toBe(false)
  })

  // Only for those who build pages, and the server of Vite compiles all of them: once a night.
  describe.runIf(browserFound && isDeep)('in development', () => {
    const surf = chromiumBrowser()

    it('shows all of them without a service, and is sound', async () => {
      const cacheDir = await mkdtemp(join(tmpdir(), 'parapet-'))
      const server = await createServer({ cacheDir, server: { host: '127.0.0.1', port: 0, hmr: false } })
      onTestFinished(async () => {
        await server.close()
        await rm(cacheDir, { recursive: true, force: true })
      })
      await server.listen()
      const surfer = await surf(server.resolvedUrls?.local[0] ?? '')
      const visit = await surfer.open('/design')
      const { page } = visit
      await page.getByText(SAID).waitFor()
      await page.getByRole('button', { name: 'Save (is refused)' }).press('Enter')
      await page.getByText('Prefix needs a number').waitFor()
      expect(await page.getByLabel('Prefix').getAttribute('aria-invalid')).toBe('true')
      await page.getByRole('button', { name: 'A chip' }).press('Enter')
      expect(await page.getByRole('button', { name: 'A chip' }).getAttribute('aria-pressed')).toBe('false')
      expect(await page.locator('[aria-busy=true]').count()).toBe(1)
      // That answer never comes.
      await page.evaluate(`document.querySelector('[aria-busy=true]').removeAttribute('aria-busy')`)
      // Nothing answers below /api there.
      const refused = visit.troubles.splice(0)
      expect(refused.every((trouble) => trouble.startsWith('404 GET /api/'))).toBe(true)
      await expectSound(visit)
    })
  })
})
