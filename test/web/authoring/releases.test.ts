// @module-tag long

import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSignedIn } from '../../support/author-window.ts'
import { browserFound, chromiumBrowser } from '../../support/browser.ts'
import { guidanceService } from '../../support/guidance.ts'
import { expectSound } from '../../support/page-check.ts'
import { ingestInto } from '../../support/service.ts'

const TEN = 'test/fixtures/ontology/ten.ttl'

const guidance = guidanceService()
const surf = chromiumBrowser()

it.runIf(browserFound)('Damaged releases are marked, cannot be activated, and can be removed', async () => {
  const { email } = await guidance().person('Root', { admin: true })
  const { folder, baseUrl } = guidance().service
  const dataDir = join(folder.root, '..')
  for (const version of ['7.0.0', '8.0.0', '9.0.0'])
    await ingestInto(dataDir, [TEN], { version, date: `203${version[0]}-01-01` })
  const manifest = await folder.manifest('8.0.0')
  if (manifest === null) throw new Error('There is no such release')
  await truncate(folder.graphPath(manifest), 100)
  await writeFile(join(folder.root, 'releases', '7.0.0', 'manifest.json'), '{')

  const visit = await openSignedIn(await surf(baseUrl), email, '/administration/releases')
  const { page } = visit
  const row = page.getByRole('row').filter({ hasText: 'Its graph is damaged or missing.' })
  await row.getByText('damaged', { exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Activate 8.0.0' }).count()).toBe(0)
  const untold = page.getByRole('region', { name: 'Damaged releases' })
  expect(await untold.getByRole('listitem').count()).toBe(1)
  await expectSound(visit)
  for (const version of ['7.0.0', '8.0.0']) {
    await page.getByRole('button', { name: `Remove ${version}` }).press('Enter')
    await page.getByLabel('Type the name of the release to remove it').fill(version)
    await page.getByRole('button', { name: 'Remove the release' }).press('Enter')
    await page.getByText(`Release ${version} was removed.`).waitFor()
  }
  await untold.waitFor({ state: 'detached' })
  expect(await folder.versions()).not.toContain('7.0.0')
  expect(visit.troubles).toEqual([])
})
