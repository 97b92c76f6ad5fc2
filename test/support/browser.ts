import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { z } from 'zod'

const CHROMIUM = process.env['PARAPET_CHROMIUM'] ?? '/usr/bin/chromium'
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const violations = z.array(z.looseObject({ id: z.string(), nodes: z.array(z.unknown()) }))

/** Without a browser, the pages are not tested. */
export const browserFound = existsSync(CHROMIUM)
if (!browserFound) {
  process.emitWarning(`No browser at ${CHROMIUM} (PARAPET_CHROMIUM): the pages are not tested.`)
}

/** A person's browser: the pages in it share cookies. */
export interface Surfer {
  /** A page in a new tab, and what went wrong in it. */
  open(path: string): Promise<Visit>
  readonly context: BrowserContext
}

export interface Visit {
  readonly page: Page
  /**
   * Errors of scripts and of the console, offences against the Content-Security-Policy, requests to
   * elsewhere, and refusals as `401 POST /api/auth/login`.
   */
  readonly troubles: string[]
}

/** One Chromium for all tests of a file; each call of what it returns is somebody new. */
export function chromiumBrowser(): (baseUrl: string) => Promise<Surfer> {
  let browser: Browser | null = null
  beforeAll(async () => {
    if (browserFound) browser = await chromium.launch({ executablePath: CHROMIUM, args: QUIET })
  })
  afterAll(async () => {
    await browser?.close()
  })
  return async (baseUrl) => {
    if (browser === null) throw new Error('The browser has not been started')
    const context = await browser.newContext({ bypassCSP: false, locale: 'en-GB' })
    onTestFinished(() => context.close())
    return { context, open: (path) => open(context, new URL(path, baseUrl)) }
  }
}

async function open(context: BrowserContext, url: URL): Promise<Visit> {
  const troubles: string[] = []
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('console', (message) => {
    // Answers that refuse are listed by their status below.
    const refused = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !refused) troubles.push(message.text())
  })
  page.on('request', (request) => {
    const own = request.url().startsWith(url.origin) || request.url().startsWith('data:')
    if (!own) troubles.push(`a request to ${request.url()}`)
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.status() >= 400)
      troubles.push(`${response.status()} ${response.request().method()} ${pathname}`)
  })
  await page.goto(url.href)
  return { page, troubles }
}

/** What axe-core finds on the page as it is now. */
export async function accessibilityFaults(page: Page): Promise<unknown[]> {
  await page.evaluate(AXE)
  const result: unknown = await page.evaluate('axe.run().then((results) => results.violations)')
  return violations.parse(result)
}

/** Fills in the form for a local password and sends it by the keyboard. */
export async function fillInSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.locator('#password').fill(password)
  await page.locator('#password').press('Enter')
}
