// @module-tag long

import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publish, ReleaseFolder } from '../../src/ontology/index.ts'
import { createLog } from '../../src/platform/log.ts'
import { findIn, readIndex } from '../../src/web/application/search/copy/find.ts'
import { publishedPages } from '../../src/web/server/published-pages.ts'
import { CopiedPages } from '../../src/web/server/rendering/copied-pages.ts'
import { browserFound, chromiumBrowser } from '../support/browser.ts'
import { fileServer } from '../support/file-server.ts'
import { expectSound } from '../support/page-check.ts'
import { ingestInto } from '../support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'
const BASE_URL = 'https://x.example/copy'
const FAMILIES = 'test/fixtures/ontology/families.ttl'

describe('Published pages', () => {
  const surf = chromiumBrowser()
  let dataDir = ''
  let out = ''
  let server: Server
  let baseUrl = ''

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'parapet-'))
    out = join(dataDir, 'site')
    await ingestInto(dataDir, [SMALL])
    const content = { hasReleases: false, hasCatalogue: false }
    const filled = new CopiedPages({ out, baseUrl: BASE_URL, content, threads: 2, log: createLog('error') })
    try {
      await publishTo(out, dataDir, { pages: publishedPages(), fill: filled.fill })
    } finally {
      await filled.close()
    }
    server = createServer(fileServer('/copy', out))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    baseUrl = addressOf(server)
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('are at the addresses of the records, next to the data, with one page for all others', async () => {
    const page = await readFile(join(out, 'technique/d3f:DiaryWatching/index.html'), 'utf8')
    expect(page).toContain('<base href="../../">')
    expect(page).toContain('<meta http-equiv="Content-Security-Policy"')
    expect(page).not.toMatch(/(?:src|href)="\//)
    const attack = join(out, 'offensive-technique/attack/T9001/index.html')
    expect(await readFile(attack, 'utf8')).toContain('<base href="../../../">')
    expect(await readFile(join(out, '404.html'), 'utf8')).toContain('<base href="/copy/">')
    expect(await readFile(join(out, 'data.html'), 'utf8')).toContain('manifest.json')
    expect(existsSync(join(out, 'technique/all/index.html'))).toBe(false)
    expect(await readFile(join(out, 'sitemap.xml'), 'utf8')).toContain('/copy/matrix/<')
    expect(existsSync(join(out, 'stigs'))).toBe(false)
  })

  it('hold their content without scripts, with links to other files', async () => {
    const technique = await readFile(join(out, 'technique/d3f:DiaryWatching/index.html'), 'utf8')
    expect(technique).toContain('<title>Diary Watching – Parapet</title>')
    expect(technique).toMatch(/<h1[^>]*>Diary Watching *<\/h1>/)
    expect(technique).not.toContain('<noscript>')
    for (const file of ['index.html', 'matrix/index.html', 'offensive-technique/attack/T9001/index.html']) {
      const page = await readFile(join(out, file), 'utf8')
      expect(page).toContain('data-served')
      const links = Array.from(page.matchAll(/<a [^>]*href="([^"]*)"/g), ([, link = '']) => link)
      const inside = links.filter((link) => !/^https?:/.test(link))
      expect(inside.length).toBeGreaterThan(5)
      const missing = inside.filter((link) => !leadsToFile(out, link))
      expect(missing).toEqual([])
    }
    // A search needs scripts.
    expect(await readFile(join(out, 'search/index.html'), 'utf8')).not.toContain('data-served')
  })

  it.runIf(browserFound)('are read and searched without a service', async () => {
    const visit = await (await surf(baseUrl)).open('/copy/')
    const { page, troubles } = visit
    const title = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Detect' }).waitFor()
    // The application has taken the place of the content.
    await expect.poll(() => page.locator('#application[data-served]').count()).toBe(0)
    await page.locator('main').getByRole('link', { name: 'Defenses' }).click()
    await page.getByRole('link', { name: 'Diary Watching' }).click()
    await title('Diary Watching')
    await page.reload()
    await page.getByRole('heading', { name: /^Attacks it counters/ }).waitFor()
    await expectSound(visit)
    await page.getByRole('combobox').fill('dia rea')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await title(/^Search: /)
    await page.getByRole('link', { name: 'Diary Reading' }).click()
    await title('Diary Reading')
    await page.reload()
    await title('Diary Reading')
    await page.goto(`${baseUrl}/copy/ontology/describe/d3f:Diary`)
    await title('Diary')
    expect(troubles).toEqual([])
  })

  it.runIf(browserFound)('show the changes between releases in one tree', async () => {
    const home = await mkdtemp(join(dataDir, 'two-'))
    await ingestInto(home, [SMALL], { version: '1.0', date: '2025-01-01' })
    await ingestInto(home, [SMALL, FAMILIES], { version: '2.0', date: '2026-01-01' })
    const tree = join(home, 'site')
    await publishTo(tree, home, { pages: publishedPages(), allReleases: true })
    expect(existsSync(join(tree, 'releases/2.0/changes/1.0/index.html'))).toBe(true)
    expect(await readFile(join(tree, 'sitemap.xml'), 'utf8')).toContain('/copy/releases/1.0/changes/2.0/<')
    const files = createServer(fileServer('/copy', tree))
    await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
    try {
      const { page, troubles } = await (await surf(addressOf(files))).open('/copy/releases/1.0/changes/2.0/')
      await page.getByRole('heading', { name: /2\.0/, level: 1 }).waitFor()
      expect(troubles).toEqual([])
    } finally {
      files.closeAllConnections()
      files.close()
    }
  })

  it('are removed when the data is published without them', async () => {
    const home = await mkdtemp(join(dataDir, 'small-'))
    await ingestInto(home, [SMALL])
    const tree = join(home, 'site')
    await publishTo(tree, home, { pages: publishedPages() })
    expect(existsSync(join(tree, 'ontology/describe'))).toBe(true)
    await publishTo(tree, home, {})
    expect(
      ['ontology', 'technique', 'assets', 'search-index.json'].filter((name) => existsSync(join(tree, name))),
    ).toEqual([])
    expect(await readFile(join(tree, 'index.html'), 'utf8')).toContain('manifest.json')
  })
})

/** Links of pages are relative to the beginning of the tree. */
function leadsToFile(tree: string, link: string): boolean {
  const [path = ''] = link.split(/[?#]/)
  const file = join(tree, decodeURIComponent(path))
  return path.endsWith('/') ? existsSync(join(file, 'index.html')) : existsSync(file)
}

function addressOf(listening: Server): string {
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port')
  return `http://127.0.0.1:${address.port}`
}

async function publishTo(tree: string, home: string, options: Partial<Parameters<typeof publish>[1]>): Promise<void> {
  const asked = { out: tree, dataDir: home, baseUrl: BASE_URL, threads: 1 }
  await publish(new ReleaseFolder(home), { ...asked, ...options })
}

describe('The search of a copy', () => {
  const records = readIndex([
    ['technique', 'd3f:FileAnalysis', 'D3-FA', 'File Analysis', 'Document review', 'Reads files.'],
    ['artifact', 'd3f:File', '', 'File', '', 'A file (of bytes) with a name.'],
    ['weakness', 'd3f:CWE-79', 'CWE-79', 'Café scripting', '', 'A file is shown.'],
  ])
  const namesOf = (question: string) => findIn(records, question).map(({ name }) => name)

  it('finds beginnings of all words, the best match first', () => {
    expect(namesOf('file')).toEqual(['d3f:File', 'd3f:FileAnalysis', 'd3f:CWE-79'])
    expect(namesOf('fil ana')).toEqual(['d3f:FileAnalysis'])
    expect(namesOf('review doc')).toEqual(['d3f:FileAnalysis'])
    expect(namesOf('ile')).toEqual([])
  })

  it('puts deprecated records last', () => {
    const old = readIndex([
      ['offensive-technique', 'd3f:T1', 'T1', 'Kettle', '', '', 1],
      ['artifact', 'd3f:Kettle', '', 'Large kettle', '', ''],
    ])
    expect(findIn(old, 'kettle').map(({ name }) => name)).toEqual(['d3f:Kettle', 'd3f:T1'])
  })

  it('finds identifiers and accents, and does not treat the query as a pattern', () => {
    expect(namesOf('cwe-79')).toEqual(['d3f:CWE-79'])
    expect(namesOf('CWE-7')).toEqual(['d3f:CWE-79'])
    expect(namesOf('cafe')).toEqual(['d3f:CWE-79'])
    expect(namesOf('D3F:file')).toEqual(['d3f:File'])
    expect(namesOf('(of')).toEqual(['d3f:File'])
    expect(namesOf('[')).toEqual([])
    expect(namesOf('  ')).toEqual([])
  })
})
