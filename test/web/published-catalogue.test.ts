// @module-tag long

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishCatalogue } from '../../src/guidance/catalogue/open/publish/publish.ts'
import { describeOntology, publish, ReleaseFolder } from '../../src/ontology/index.ts'
import { pageInTree } from '../../src/platform/files/page-in-tree.ts'
import { createLog } from '../../src/platform/log.ts'
import { publishedPages } from '../../src/web/server/published-pages.ts'
import { CopiedPages } from '../../src/web/server/rendering/copied-pages.ts'
import { applicationShown, browserFound, chromiumBrowser } from '../support/browser.ts'
import { store } from '../support/catalogue.ts'
import { fileServer } from '../support/file-server.ts'
import { guidanceService } from '../support/guidance.ts'
import { expectNoTroubles } from '../support/page-check.ts'
import { storeCciList } from '../support/reference-data.ts'
import { ingestInto, STARTER } from '../support/service.ts'

const guidance = guidanceService({}, undefined, STARTER)
const REQUIREMENT = 'SRG-TEA-000007'
const LID = {
  id: 'SV-7r2_rule',
  requirement: REQUIREMENT,
  version: 'TEAP-07',
  title: 'Shut the lid.',
  cci: ['CCI-000015'],
  checks: ['Look at it.\n\n$ ls -l /samovar'],
}

describe.runIf(browserFound)('The published pages of the catalogue', () => {
  const surf = chromiumBrowser()
  let server: Server
  let baseUrl = ''
  let home = ''

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'parapet-'))
    const out = join(home, 'site')
    const next = { id: 'SV-8r1_rule', version: 'TEAP-08', title: 'Pour slowly.' }
    await store(guidance(), { rules: [LID, next], date: '05 Jan 2025' })
    await store(guidance(), { release: '2', rules: [{ ...LID, title: 'Shut the lid well.' }, next] })
    const stated = {
      id: 'SV-9r1_rule',
      version: REQUIREMENT,
      title: 'Every pot has a lid.',
      discussion: 'Steam escapes.',
    }
    await store(guidance(), { id: 'Lid_SRG', title: 'Lid SRG', kind: 'srg', rules: [stated] })
    await storeCciList(guidance().service.guidance.database)
    const { document } = publishedPages()
    const content = { hasReleases: false, hasCatalogue: true }
    const tree = { out, baseUrl: 'https://x.example/copy' }
    const filled = new CopiedPages({ ...tree, content, threads: 1, log: createLog('error') })
    try {
      await publishCatalogue(guidance().service.guidance, {
        ...tree,
        ontology: describeOntology(guidance().service.ontology),
        pageAt: (base) => pageInTree(document, base, content),
        fill: filled.fill,
      })
      await ingestInto(home, STARTER)
      await publish(new ReleaseFolder(home), {
        ...tree,
        dataDir: home,
        threads: 1,
        pages: publishedPages(),
        hasCatalogue: true,
      })
    } finally {
      await filled.close()
    }
    server = createServer(fileServer('/copy', out))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('Not listening on a port')
    baseUrl = `http://127.0.0.1:${address.port}`
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await rm(home, { recursive: true, force: true })
  })

  it('are read from the list to a rule, its technique and its history, without a service', async () => {
    const visit = await (await surf(baseUrl)).open('/copy/')
    const { page, troubles } = visit
    await page.getByRole('banner').getByRole('link', { name: 'Guidance' }).click()
    await page.getByRole('heading', { name: 'Guidance', level: 1 }).waitFor()
    await expectNoTroubles(visit)
    await page.getByRole('link', { name: /^Teapot/ }).click()
    await page.getByRole('link', { name: /TEAP-07/ }).click()
    await page.getByRole('heading', { name: 'Shut the lid well.', level: 2 }).waitFor()
    await page.reload()
    await applicationShown(page)
    await page.getByText('What CCI-000015 asks for.').waitFor()
    await page.getByRole('link', { name: 'CCI-000015' }).first().click()
    await page.getByRole('heading', { name: 'CCI-000015', level: 1 }).waitFor()
    await page.getByRole('row', { name: /^D3-AL Account Locking Evict/ }).waitFor()
    await expectNoTroubles(visit)
    await page.getByRole('link', { name: 'AC-2 (1)' }).first().click()
    await page.getByRole('heading', { name: 'AC-2 (1)', exact: true, level: 1 }).waitFor()
    await page.reload()
    await applicationShown(page)
    await page.getByRole('heading', { name: 'Rules that cite these CCIs' }).waitFor()
    const files = page.getByRole('region', { name: 'About this page' }).getByRole('link', { name: /^(?:JSON|CSV)$/ })
    expect(await files.count()).toBe(2)
    // The rendered page has addresses relative to its `<base>`.
    const base = await page.evaluate<string>('document.baseURI')
    for (const file of await files.all()) {
      const { href } = new URL((await file.getAttribute('href')) ?? '', base)
      expect((await page.request.get(href)).status()).toBe(200)
    }
    await page.getByRole('link', { name: 'TEAP-07' }).click()
    await page.getByRole('heading', { name: 'Shut the lid well.', level: 2 }).waitFor()
    await page.getByRole('button', { name: 'Compare releases' }).click()
    await page.getByText('the oldest that is compared').waitFor()
    await expectNoTroubles(visit)
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Pour slowly.', level: 2 }).waitFor()
    await page.getByRole('searchbox', { name: 'Filter by words' }).fill('samovar')
    await page.getByText('1 of 2 rules').waitFor()
    await page.getByRole('link', { name: /TEAP-07/ }).click()
    await page.getByRole('heading', { name: 'Shut the lid well.', level: 2 }).waitFor()
    await page.getByRole('link', { name: 'Account Locking' }).click()
    await page.getByRole('heading', { name: 'Account Locking', level: 1 }).waitFor()
    expect(troubles).toEqual([])
  })

  it('hold their content without scripts', async () => {
    const texts = {
      'benchmarks/Teapot_STIG/V1R2/rules/SV-7r2_rule': ['Shut the lid well.', 'ls -l /samovar'],
      'benchmarks/Teapot_STIG/V1R2': ['TEAP-07', 'TEAP-08'],
      [`requirements/${REQUIREMENT}`]: ['Steam escapes.'],
      'ccis/CCI-000015': ['What CCI-000015 asks for.'],
    }
    for (const [page, parts] of Object.entries(texts)) {
      const document = await readFile(join(home, 'site', page, 'index.html'), 'utf8')
      for (const part of parts) expect(document, page).toContain(part)
    }
  })

  it('show a requirement with its texts and the rules that meet it', async () => {
    const visit = await (await surf(baseUrl)).open(`/copy/requirements/${REQUIREMENT}/`)
    const { page } = visit
    await page.getByText('Every pot has a lid.').waitFor()
    await page.getByText('Steam escapes.').waitFor()
    await expectNoTroubles(visit)
    await page.getByRole('link', { name: 'TEAP-07' }).click()
    await page.getByRole('heading', { name: 'Shut the lid well.', level: 2 }).waitFor()
    expect(visit.troubles).toEqual([])
  })

  it('follow links while the address has yet to follow the filter', async () => {
    const { page, troubles } = await (await surf(baseUrl)).open('/copy/benchmarks/Teapot_STIG/V1R2/rules/SV-7r2_rule/')
    await page.getByRole('link', { name: 'Account Locking' }).waitFor()
    await page.route('**/*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 600))
      await route.continue()
    })
    await page.getByRole('searchbox', { name: 'Filter by words' }).fill('well')
    await page.getByRole('link', { name: 'Account Locking' }).click()
    await page.getByRole('heading', { name: 'Account Locking', level: 1 }).waitFor()
    expect(troubles).toEqual([])
  })

  it('are at the addresses of the service', async () => {
    const { page, troubles } = await (await surf(baseUrl)).open('/copy/benchmarks/Teapot_STIG/V1R1/rules/SV-7r2_rule/')
    await page.getByRole('heading', { name: 'Shut the lid.', level: 2 }).waitFor()
    await page.goto(`${baseUrl}/copy/benchmarks/Teapot_STIG/V1R1/changes/V1R2/`)
    await page.getByRole('heading', { name: /V1R2 since V1R1$/, level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Changed 1' }).waitFor()
    await page.locator('ins', { hasText: 'well' }).waitFor()
    // A copy has the changes since the release before, and no others.
    const olderOnes = page.getByLabel('from', { exact: true }).locator('option')
    await expect.poll(() => olderOnes.allTextContents()).toEqual(['V1R1 · 2025-01-05'])
    await page.goto(`${baseUrl}/copy/guidance/`)
    await page.getByRole('link', { name: /^Teapot/ }).waitFor()
    expect(troubles).toEqual([])
  })
})
