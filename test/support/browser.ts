import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import { chromium, firefox, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { z } from 'zod'
import { CHROMIUM, chromium as chromiumProgram, FIREFOX, firefox as firefoxProgram } from './programs.ts'

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

/** The tests of pages are skipped without a browser. */
export const browserFound = chromiumProgram.isInstalled

/** A person's browser: the pages in it share cookies. */
export interface Surfer {
  /** A page in a new tab, and its errors. */
  open(path: string): Promise<Visit>
  readonly context: BrowserContext
  readonly baseUrl: string
}

export interface Visit {
  readonly page: Page
  /**
   * Errors of scripts and of the console, violations of the Content-Security-Policy, requests to other hosts, and
   * refusals such as `401 POST /api/auth/login`.
   */
  readonly troubles: string[]
}

/** Each call returns the browser of a new person. */
export type Surfers = (baseUrl: string) => Promise<Surfer>

/** All test files of a process share this browser, which ends with the process. */
let started: Promise<Browser> | null = null
/** Contexts of finished tests, which later tests reuse. */
const left: BrowserContext[] = []

/**
 * One Chromium for all tests. Each call of the result returns the browser of a new person. It keeps only the cached
 * files of earlier tests, which saves most of the work of loading a page.
 */
export function chromiumBrowser(): Surfers {
  let browser: Browser | null = null
  beforeAll(async () => {
    if (!browserFound) return
    started ??= chromium.launch({ executablePath: CHROMIUM, args: QUIET })
    browser = await started
  })
  return async (baseUrl) => {
    const context = left.pop() ?? (await newContext(browser))
    onTestFinished(async () => {
      const reports = takeReports(context)
      if (await isTidied(context, baseUrl)) left.push(context)
      else await context.close()
      if (reports.length > 0) throw new Error(reports.join('\n'))
    })
    return surferOf(context, baseUrl)
  }
}

/** Opens pages of a service, each for somebody new. */
export function pageOpener(baseUrl: () => string): (path: string) => Promise<Visit> {
  const surf = chromiumBrowser()
  return async (path) => (await surf(baseUrl())).open(path)
}

/** A Firefox for the tests of a file. WebDriver BiDi cannot empty a context, so each is used once. */
export function firefoxBrowser(): Surfers {
  let browser: Browser | null = null
  beforeAll(async () => {
    // The channel is that of Mozilla's Firefox; Debian has the same program at another path.
    if (firefoxProgram.isInstalled) browser = await firefox.launch({ channel: 'moz-firefox', executablePath: FIREFOX })
  })
  afterAll(() => browser?.close())
  return async (baseUrl) => {
    const context = await newContext(browser)
    onTestFinished(async () => {
      const reports = takeReports(context)
      await context.close()
      if (reports.length > 0) throw new Error(reports.join('\n'))
    })
    return surferOf(context, baseUrl)
  }
}

/** The browsers that pages support. */
export const BROWSERS = [
  { name: 'Chromium', isInstalled: browserFound, surfers: chromiumBrowser },
  { name: 'Firefox', isInstalled: firefoxProgram.isInstalled, surfers: firefoxBrowser },
] as const

function surferOf(context: BrowserContext, baseUrl: string): Surfer {
  return { context, baseUrl, open: (path) => open(context, new URL(path, baseUrl)) }
}

/** Violations of the Content-Security-Policy in all pages of a context since its test began. */
const offences = new WeakMap<BrowserContext, string[]>()

/** Records violations in the page, because Chromium does not write all of them to the console. */
const LISTENS = `addEventListener('securitypolicyviolation', (offence) => {
  const { violatedDirective, blockedURI, sourceFile, lineNumber, columnNumber, sample } = offence
  const place = [sourceFile, lineNumber, columnNumber].join(':')
  reportOffence([location.pathname, violatedDirective, blockedURI, place, sample].join(' '))
})`

async function newContext(browser: Browser | null): Promise<BrowserContext> {
  if (browser === null) throw new Error('The browser has not been started')
  const context = await browser.newContext({ bypassCSP: false, locale: 'en-GB', viewport: SIZE })
  const reports: string[] = []
  offences.set(context, reports)
  await context.exposeBinding('reportOffence', (_source, report: string) => {
    reports.push(`Content-Security-Policy: ${report}`)
  })
  await context.addInitScript(LISTENS)
  return context
}

function takeReports(context: BrowserContext): readonly string[] {
  return offences.get(context)?.splice(0) ?? []
}

/** Default size of windows. */
const SIZE = { width: 1280, height: 720 }
const BLANK = 'about:blank'
/** Path of an empty page that no service has to answer. */
const EMPTY = '/empty-page-between-tests'

/** Leaves one empty page without data of the person before; false if that fails. */
async function isTidied(context: BrowserContext, baseUrl: string): Promise<boolean> {
  const [page, ...others] = context.pages()
  if (page === undefined) return false
  for (const other of others) await other.close()
  for (const event of EVENTS) page.removeAllListeners(event)
  for (const routed of [page, context]) await routed.unrouteAll({ behavior: 'ignoreErrors' })
  await context.setOffline(false)
  await context.clearPermissions()
  await context.clearCookies()
  const origin = new URL(baseUrl).origin
  await leave(page, origin + EMPTY)
  // Scripts of the page before could still store something, such as the mark that the session has ended.
  const tools = await context.newCDPSession(page)
  await tools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await tools.detach()
  await page.evaluate('sessionStorage.clear()')
  await page.emulateMedia({ colorScheme: null, media: null })
  await page.setViewportSize(SIZE)
  return true
}

/** The headers with which browsers give the pages their own process. */
const APART = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Origin-Agent-Cluster': '?1' }

/**
 * Opens an empty page with the same headers, which Chromium shows in the same process. A new process, as for
 * about:blank, would cost as much as the page of a test.
 */
async function leave(page: Page, address: string): Promise<void> {
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '', headers: APART }))
  await page.goto(address)
  await page.unroute(address)
}

const EVENTS = ['pageerror', 'console', 'request', 'response', 'dialog'] as const

async function open(context: BrowserContext, url: URL): Promise<Visit> {
  const troubles: string[] = []
  const page =
    context.pages().find((candidate) => candidate.url() === BLANK || candidate.url().endsWith(EMPTY)) ??
    (await context.newPage())
  // Waits as long as the tests do, because the machine may be busy.
  page.setDefaultTimeout(30_000)
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('console', (message) => {
    // Refusals are listed by their status below.
    const refused = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !refused) troubles.push(message.text())
  })
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(url.origin) || request.url().startsWith('data:')
    if (!isOwn) troubles.push(`a request to ${request.url()}`)
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.status() >= 400) troubles.push(`${response.status()} ${response.request().method()} ${pathname}`)
  })
  if (DELAY_MS > 0) await delayAnswers(page)
  await page.goto(url.href)
  await applicationShown(page)
  return { page, troubles }
}

/** The mean delay of scripts and data, in milliseconds. A slow network reveals tests that do not wait. */
const DELAY_MS = Number(process.env['PARAPET_TEST_DELAY'] ?? 0)

async function delayAnswers(page: Page): Promise<void> {
  await page.route('**', async (route) => {
    if (['script', 'fetch', 'xhr'].includes(route.request().resourceType()))
      await setTimeout(DELAY_MS * (0.5 + Math.random()))
    // The page may have been closed meanwhile.
    await route.fallback().catch(() => undefined)
  })
}

/** Waits for the application, which replaces the content of the server or adds its own. */
export async function applicationShown(page: Page): Promise<void> {
  await page.locator('#application:is([data-served], [aria-busy])').waitFor({ state: 'detached' })
}

/** Checks the current state of a page with axe-core, by all of its rules or by some. */
export async function accessibilityFaults(page: Page, rules?: readonly string[]): Promise<unknown[]> {
  if ((await page.evaluate("'axe' in window")) !== true) await page.evaluate(AXE)
  const options = JSON.stringify({
    resultTypes: ['violations'],
    // Loading them serves only rules that are off by default.
    preload: false,
    // This rule of WCAG 2.2 is off by default.
    rules: { 'target-size': { enabled: true } },
    ...(rules !== undefined && { runOnly: { type: 'rule', values: rules } }),
  })
  // On a scrolled page, a target that the fixed header half covers would be too small.
  const scrolled: unknown = await page.evaluate('scrollY')
  await page.evaluate('scrollTo({ top: 0, behavior: "instant" })')
  const result: unknown = await page.evaluate(`axe.run(${options}).then((all) => all.violations)`)
  await page.evaluate(`scrollTo({ top: ${Number(scrolled)}, behavior: "instant" })`)
  return violations.parse(result)
}

/** Fills in the form for a local password and sends it by the keyboard. */
export async function fillInSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.locator('#password').fill(password)
  await page.locator('#password').press('Enter')
}
