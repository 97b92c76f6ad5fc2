import { existsSync, readFileSync } from 'node:fs'
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core'
import { z } from 'zod'

const CHROMIUM = process.env['PARAPET_CHROMIUM'] ?? '/usr/bin/chromium'

/** A page as one person has it open, and what it costs. */
export interface Window {
  readonly page: Page
  /** What the main thread of the page has worked so far, in ms; what else the machine does is not in it. */
  readonly busy: () => Promise<number>
  /** Of the page after what nobody needs has been thrown away, in MB: its objects, and its process. */
  readonly memory: () => Promise<{ readonly heap: number; readonly resident: number }>
  /** A number, or a list of numbers, that scripts of {@link PROBE} have measured. */
  readonly numbers: (expression: string) => Promise<readonly number[]>
}

export async function startBrowser(): Promise<Browser | null> {
  if (!existsSync(CHROMIUM)) return null
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking']
  return chromium.launch({ executablePath: CHROMIUM, args })
}

/** A window of somebody new, with nothing kept. */
export async function openWindow(browser: Browser): Promise<Window> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: SIZE })
  await context.addInitScript(PROBE)
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const tools = await context.newCDPSession(page)
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' })
  return {
    page,
    busy: async () => (await metric(tools, 'TaskDuration')) * 1000,
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

async function metric(tools: CDPSession, wanted: string): Promise<number> {
  const { metrics } = measured.parse(await tools.send('Performance.getMetrics'))
  return metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN
}

/** Of the largest process that shows a page, where the system tells. */
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
 * drawn; `keys` has what passed between each key and the frame with what it did; `opened(act)` how long it takes until
 * another rule is shown.
 */
const PROBE = `
  window.bench = { keys: [], long: [] }
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => resolve(performance.now())
    port2.postMessage(null)
  }))
  bench.shown = async (selector) => {
    while (document.querySelector(selector) === null) await new Promise(requestAnimationFrame)
    return [await drawn()]
  }
  const title = () => document.querySelector('article.rule[aria-busy=false] h2')?.textContent ?? ''
  bench.opened = async (act) => {
    const before = title()
    const began = performance.now()
    act()
    while (title() === before || title() === '') await new Promise(requestAnimationFrame)
    return [(await drawn()) - began]
  }
  bench.follow = (selector) => {
    document.querySelector(selector).addEventListener('keydown', ({ timeStamp }) => {
      drawn().then((now) => bench.keys.push(now - timeStamp))
    }, { capture: true })
  }
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) bench.long.push(duration)
  }).observe({ type: 'longtask', buffered: true })
`
