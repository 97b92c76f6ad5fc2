import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { z } from 'zod'

const CHROMIUM = process.env['PARAPET_CHROMIUM'] ?? '/usr/bin/chromium'

/** A page as one person has it open, and what it costs. */
export interface Window {
  readonly page: Page
  /** Work of the page's main thread so far, in ms; other work of the machine is not counted. */
  readonly busy: () => Promise<number>
  /** Returns the measurements of the scripts of {@link PROBE}: a number or a list of numbers. */
  readonly numbers: (expression: string) => Promise<readonly number[]>
}

export async function startBrowser(): Promise<Browser | null> {
  if (!existsSync(CHROMIUM)) return null
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  return chromium.launch({ executablePath: CHROMIUM, args })
}

/** A window of a new person, with only these cookies. */
export async function openWindow(
  browser: Browser,
  cookies: Parameters<BrowserContext['addCookies']>[0] = [],
): Promise<Window> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: SIZE })
  await context.addInitScript(PROBE)
  await context.addCookies(cookies)
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const tools = await context.newCDPSession(page)
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' })
  return {
    page,
    busy: async () => {
      const { metrics } = measured.parse(await tools.send('Performance.getMetrics'))
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
    },
    numbers: async (expression) => numberList.parse(await page.evaluate(expression)),
  }
}

const SIZE = { width: 1440, height: 900 }
const numberList = z.array(z.number())
const measured = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) })

/**
 * Runs in each page. `shown(selector)` resolves with the moment since the page began at which something is there and
 * drawn, `largest` is when the largest part was painted. `key(selector)` resolves with the time between the next key
 * in an element and the end of the frame with its effect, `opened(act)` with the time until another rule is drawn,
 * `scroll` with the times between frames in each of which it goes down by so many pixels.
 */
const PROBE = `
  window.bench = { largest: 0 }
  const free = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(performance.now())
    port2.postMessage(null)
  })
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => resolve(free())))
  // Callbacks of a frame run before it is drawn, so the end of the current frame counts.
  const drawnOnce = async (isThere) => {
    if (isThere()) return drawn()
    while (!isThere()) await new Promise(requestAnimationFrame)
    return free()
  }
  bench.shown = async (selector) => [await drawnOnce(() => document.querySelector(selector) !== null)]
  const title = () => document.querySelector('article.rule[aria-busy=false] h2')?.textContent ?? ''
  bench.opened = async (act) => {
    const before = title()
    const began = performance.now()
    act()
    return [(await drawnOnce(() => title() !== before && title() !== '')) - began]
  }
  bench.key = (selector, effect) => new Promise((resolve) => {
    let key = 0
    const element = document.querySelector(selector)
    element.addEventListener('keydown', ({ timeStamp }) => { key = timeStamp }, { capture: true, once: true })
    element.addEventListener(effect, () => {
      drawn().then((now) => resolve([now - key]))
    }, { capture: true, once: true })
  })
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) bench.largest = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  bench.scroll = async (selector, step, frames) => {
    const frame = document.querySelector(selector)
    const gaps = []
    let last = await new Promise(requestAnimationFrame)
    for (let at = 0; at < frames; at += 1) {
      frame.scrollTop += step
      const now = await new Promise(requestAnimationFrame)
      gaps.push(now - last)
      last = now
    }
    return gaps
  }
`
