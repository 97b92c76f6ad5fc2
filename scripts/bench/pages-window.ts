import { existsSync, readFileSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type CDPSession, type Page } from 'playwright-core'
import { z } from 'zod'

const CHROMIUM = process.env['PARAPET_CHROMIUM'] ?? '/usr/bin/chromium'

/** A page as one person has it open, and what it costs. */
export interface Window {
  readonly page: Page
  /** Work of the page's main thread so far, in ms; other work of the machine is not counted. */
  readonly busy: () => Promise<number>
  /** That work with its shares for layout, styles and scripts (but not the wait for answers). */
  readonly work: () => Promise<Work>
  /** Memory of the page after a garbage collection, in MB: its objects, and its process. */
  readonly memory: () => Promise<{ readonly heap: number; readonly resident: number }>
  /** A number, or a list of numbers, that scripts of {@link PROBE} have measured. */
  readonly numbers: (expression: string) => Promise<readonly number[]>
}

/** Work of a page's main thread, in ms. */
export interface Work {
  readonly all: number
  readonly layout: number
  readonly style: number
  readonly script: number
}

export async function startBrowser(): Promise<Browser | null> {
  if (!existsSync(CHROMIUM)) return null
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  return chromium.launch({ executablePath: CHROMIUM, args })
}

/** A window of somebody new, with nothing kept but these cookies. */
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
    busy: async () => (await metric(tools, 'TaskDuration')) * 1000,
    work: async () => workIn(await metricsOf(tools)),
    memory: async () => {
      for (let round = 0; round < 2; round += 1) await tools.send('HeapProfiler.collectGarbage')
      const heap = (await metric(tools, 'JSHeapUsedSize')) / 1e6
      return { heap, resident: await residentOf(browser) }
    },
    numbers: async (expression) => numberList.parse(await page.evaluate(expression)),
  }
}

const SIZE = { width: 1440, height: 900 }
const numberList = z.array(z.number())
const measured = z.object({
  metrics: z.array(z.object({ name: z.string(), value: z.number() })),
})
const processes = z.object({
  processInfo: z.array(z.object({ type: z.string(), id: z.int() })),
})

type Metrics = ReadonlyMap<string, number>

async function metricsOf(tools: CDPSession): Promise<Metrics> {
  const { metrics } = measured.parse(await tools.send('Performance.getMetrics'))
  return new Map(metrics.map(({ name, value }) => [name, value]))
}

function workIn(metrics: Metrics): Work {
  const of = (name: string): number => (metrics.get(name) ?? Number.NaN) * 1000
  return {
    all: of('TaskDuration'),
    layout: of('LayoutDuration'),
    style: of('RecalcStyleDuration'),
    script: of('ScriptDuration'),
  }
}

async function metric(tools: CDPSession, wanted: string): Promise<number> {
  return (await metricsOf(tools)).get(wanted) ?? Number.NaN
}

/** Memory of the largest process that shows a page, if the system reports it. */
async function residentOf(browser: Browser): Promise<number> {
  const tools = await browser.newBrowserCDPSession()
  const { processInfo } = processes.parse(await tools.send('SystemInfo.getProcessInfo'))
  await tools.detach()
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) => {
      const file = `/proc/${id}/status`
      const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
      return (Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? Number.NaN) * 1024) / 1e6
    })
  return Math.max(...sizes)
}

/**
 * Runs in each page. `shown(selector)` resolves with the moment since the page began at which something is there and
 * drawn; `largest` is when the largest part was painted; `letter(selector)` what passes between the next key in a field and the end of the
 * frame with its letter; `opened(act)` how long it takes until the end of the frame in which
 * another rule is drawn; `scroll` goes down by so many pixels in each frame, and has the times between them.
 */
const PROBE = `
  window.bench = { long: [], largest: 0 }
  const free = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(performance.now())
    port2.postMessage(null)
  })
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => resolve(free())))
  // Callbacks of frames run before what is there then is drawn: of a frame that has begun, the end is that of the same one.
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
  bench.letter = (selector) => new Promise((resolve) => {
    let key = 0
    const area = document.querySelector(selector)
    area.addEventListener('keydown', ({ timeStamp }) => { key = timeStamp }, { capture: true, once: true })
    area.addEventListener('input', () => {
      drawn().then((now) => resolve([now - key]))
    }, { capture: true, once: true })
  })
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) bench.long.push(duration)
  }).observe({ type: 'longtask', buffered: true })
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
