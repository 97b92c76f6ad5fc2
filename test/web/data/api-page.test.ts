// @module-tag long

import { describe, expect, it } from 'vitest'
import { browserFound, pageOpener } from '../../support/browser.ts'
import { guidanceService } from '../../support/guidance.ts'
import { expectNoTroubles, expectSound } from '../../support/page-check.ts'
import { STARTER } from '../../support/service.ts'

const under = guidanceService({}, undefined, STARTER)

describe.runIf(browserFound)('The page of the API', () => {
  const open = pageOpener(() => under().service.baseUrl)

  it('begins with an introduction, and links to groups of operations', async () => {
    const visit = await open('/api/docs')
    const { page } = visit
    await page.getByRole('heading', { name: 'HTTP API', level: 1 }).waitFor()
    await page.getByRole('heading', { name: 'Quick start' }).waitFor()
    await expectSound(visit)
    await page
      .getByRole('navigation', { name: 'Groups' })
      .getByRole('link', { name: /^Rules \d+$/ })
      .click()
    await page.getByRole('heading', { name: 'Rules', level: 1 }).waitFor()
    await page.getByRole('heading', { name: '/rules/{id}', exact: true }).waitFor()
    await expectSound(visit)
  })

  it.each(['/api/docs#getTechnique', '/api/docs#/Ontology/getTechnique'])(
    'opens the operation of %s, whose example is answered',
    async (path) => {
      const visit = await open(path)
      const { page } = visit
      const operation = page.locator('details#getTechnique')
      await operation.getByText('Answers', { exact: true }).waitFor()
      const value = operation.getByLabel('Value of technique')
      await value.fill('d3f:AccountLocking')
      await operation.getByText('curl http').getByText('d3f:AccountLocking.json').waitFor()
      await operation.getByRole('button', { name: 'Try it' }).click()
      await operation.getByText(/^application\/json.* letters$/).waitFor()
      await operation.getByRole('region', { name: 'Answer of getTechnique' }).getByText('Account Locking').waitFor()
      await expectNoTroubles(visit)
    },
  )

  it('finds operations by words, and lists each path once', async () => {
    const visit = await open('/api/docs')
    const { page } = visit
    await page.getByRole('searchbox', { name: 'Filter operations' }).fill('review')
    await page.getByRole('heading', { name: 'Operations found' }).waitFor()
    const paths = await page.locator('.path h2').allInnerTexts()
    expect(paths.length).toBeGreaterThan(5)
    expect(new Set(paths).size).toBe(paths.length)
    expect(visit.troubles).toEqual([])
  })

  it('shows the problem if an example is refused', async () => {
    const { page, troubles } = await open('/api/docs#listProjects')
    const operation = page.locator('details#listProjects')
    await operation.getByRole('button', { name: 'Try it' }).click()
    await operation.getByRole('region', { name: 'Answer of' }).getByText('not_authenticated').waitFor()
    expect(troubles).toContain('401 GET /api/projects')
  })

  it('takes less than 400 kB with the description of all operations', async () => {
    const { service } = under()
    const headers = { 'Accept-Encoding': 'gzip, deflate, br' }
    const { body: packed } = await service.get('/api/docs', { headers })
    const { body: document } = await service.get('/api/docs')
    const files = Array.from(document.toString().matchAll(/(?:src|href)="(\/assets\/app\/[^"]+\.(?:js|css))"/g))
    expect(files.length).toBeGreaterThan(3)
    let bytes = packed.length
    for (const path of new Set(['/api/openapi.json', ...files.map(([, file = '']) => file)]))
      bytes += (await service.get(path, { headers })).body.length
    expect(bytes).toBeLessThan(230_000)
  })
})
