// @module-tag long

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { openSignedIn } from '../../support/author-window.ts'
import { browserFound, chromiumBrowser, type Surfer } from '../../support/browser.ts'
import { guidanceService } from '../../support/guidance.ts'
import { STARTER } from '../../support/service.ts'
import { teapotScene } from '../../support/teapot-scene.ts'
import { PICTURED, type PicturedPage } from './pages.ts'
import { shrinkAndCompare } from './shrink.ts'

const KEPT = fileURLToPath(new URL('kept', import.meta.url))
const FAILED = fileURLToPath(new URL('../../../reports/pictures', import.meta.url))
const isRenewed = process.env['PARAPET_PICTURES'] === 'renew'

/** Dark pages differ only in colours, so one size shows them. */
const VIEWS = [
  { width: 1440, height: 900, scheme: 'light' },
  { width: 1440, height: 900, scheme: 'dark' },
  { width: 768, height: 1024, scheme: 'light' },
  { width: 390, height: 844, scheme: 'light' },
] as const

type View = (typeof VIEWS)[number]

/** How many of a thousand pixels may differ: letters are drawn a little differently by another release of the browser. */
const MOST_DIFFERING = 1

/** Later than any clock of a browser, which would take a session for one that has ended. */
const NOW = new Date('2040-01-17T10:41:00Z')

// Before the service is started, which tells the time of what is done.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
})
const guidance = guidanceService({}, undefined, STARTER)
const scene = teapotScene(guidance)
afterAll(() => {
  vi.useRealTimers()
})

describe.runIf(browserFound)('The look of a page', () => {
  const surf = chromiumBrowser()

  beforeAll(async () => {
    await guidance().service.guidance.search.prepare(Promise.resolve())
    if (!isRenewed) await rm(FAILED, { recursive: true, force: true })
  })

  it.each(PICTURED)('equals the kept picture: $name', async (pictured) => {
    const surfer = await surf(guidance().service.baseUrl)
    const page = await open(surfer, pictured)
    const bench = await surfer.context.newPage()
    const changed: string[] = []
    for (const view of VIEWS) {
      const name = `${pictured.name}-${view.width}-${view.scheme}`
      const shot = await take(page, view)
      const file = join(KEPT, `${name}.webp`)
      const kept = await readFile(file).catch(() => null)
      const { small, differing, difference } = await shrinkAndCompare(bench, shot, kept)
      if (differing <= MOST_DIFFERING) continue
      if (isRenewed) await keep(file, small)
      else {
        changed.push(`${name}: ${differing.toFixed(1)} ‰`)
        await keep(join(FAILED, `${name}-difference.webp`), difference)
        await keep(join(FAILED, `${name}.png`), shot.toString('base64'))
      }
    }
    expect(changed, `changed; see ${FAILED}, and \`npm run pictures\` to keep what is right`).toEqual([])
  })

  it.each([
    ['another colour', ':root { --accent: #b00000 !important; --link: #b00000 !important }'],
    ['a header that is higher by four pixels', '.shell-header { padding-bottom: 4px !important }'],
  ])('is another one with %s', async (_change, style) => {
    const surfer = await surf(guidance().service.baseUrl)
    const [start] = PICTURED
    if (start === undefined) throw new Error('There are no pages')
    const page = await open(surfer, start)
    const bench = await surfer.context.newPage()
    const [view] = VIEWS
    const before = await shrinkAndCompare(bench, await take(page, view), null)
    const kept = Buffer.from(before.small, 'base64')
    expect((await shrinkAndCompare(bench, await take(page, view), kept)).differing).toBe(0)
    await page.evaluate(`{
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(${JSON.stringify(style)})
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    }`)
    const after = await shrinkAndCompare(bench, await take(page, view), kept)
    expect(after.differing).toBeGreaterThan(MOST_DIFFERING)
  })
})

/** The page as it is at a certain time and place. */
async function open(surfer: Surfer, { path, who, shows }: PicturedPage): Promise<Page> {
  const { context, baseUrl } = surfer
  await context.clock.setFixedTime(NOW)
  const address = path(scene())
  const visit =
    who === undefined ? await surfer.open(address) : await openSignedIn(surfer, scene().people[who].email, address)
  const { page } = visit
  // Nobody goes on with a clock that stands still.
  onTestFinished(async () => {
    for (const openPage of context.pages()) await openPage.close()
  })
  const tools = await context.newCDPSession(page)
  await tools.send('Emulation.setTimezoneOverride', { timezoneId: 'UTC' })
  await page.locator('main').getByText(shows).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.evaluate(`document.activeElement?.blur()`)
  await page.evaluate(steady(new URL(baseUrl).port))
  return page
}

/** Makes texts steady that differ from run to run: the port, and how long a query took. */
function steady(port: string): string {
  return `{
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { currentNode } = texts
      const steady = currentNode.data.replaceAll(':${port}', ':00000').replace(/^[\\d,]+ ms$/, '9 ms')
      if (steady !== currentNode.data) currentNode.data = steady
    }
  }`
}

async function take(page: Page, { width, height, scheme }: View): Promise<Buffer> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
  await page.evaluate(`document.fonts.ready.then(() => scrollTo({ top: 0, behavior: 'instant' }))`)
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50))))',
  )
  return page.screenshot({ animations: 'disabled', caret: 'hide' })
}

async function keep(file: string, base64: string): Promise<void> {
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, Buffer.from(base64, 'base64'))
}
