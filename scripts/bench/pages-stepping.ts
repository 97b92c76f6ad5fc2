import { setTimeout as sleep } from 'node:timers/promises'
import { fillInSignIn } from '../../test/support/browser.ts'
import { RULES } from './authoring-data.ts'
import { PASSWORD } from './guidance-data.ts'
import type { Measurement, PageBench } from './pages-measured.ts'
import { openWindow, type Window } from './pages-window.ts'

/** Somebody who looks for what is wrong takes no longer for a rule. */
const LOOK_MS = 100
const SAMPLES = 12
const MINUTE_MS = 60_000

/** The next rule by its key; how long until it is there. */
export const NEXT =
  "bench.opened(() => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true })))"
/** Back to the first one, from the last. */
const FIRST = `(async () => {
  document.querySelector('.rules .frame').scrollTop = 0
  await new Promise((resolve) => setTimeout(resolve, 300))
  return bench.opened(() => document.querySelector('.rules li a').click())
})()`

/** From rule to rule without a break, through all of them again and again: what the page keeps of that. */
export async function steppingPage(stage: PageBench): Promise<readonly Measurement[]> {
  const { window } = await openEditor(stage)
  const { page } = window
  await page.locator('.rules li a').first().click()
  await page.locator('article.rule h2').waitFor()
  const begun = await window.memory()
  const samples: { readonly heap: number; readonly resident: number }[] = []
  let steps = 0
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const end = performance.now() + (stage.minutes * MINUTE_MS) / SAMPLES
    while (performance.now() < end) {
      steps += 1
      await window.numbers(steps % RULES === 0 ? FIRST : NEXT)
      await sleep(LOOK_MS)
    }
    samples.push(await window.memory())
  }
  await page.context().close()
  const curve = (of: 'heap' | 'resident'): string => samples.map((one) => Math.round(one[of])).join(' ')
  console.log(`\nAfter each twelfth of ${steps} rules, in MB: objects ${curve('heap')}`)
  console.log(`Its process: ${curve('resident')}`)
  const most = (of: 'heap' | 'resident'): number => Math.max(...samples.map((one) => one[of]))
  return [
    { what: `objects of the page, ${steps} rules`, value: most('heap'), unit: 'MB', goal: 200 },
    { what: '– before them', value: begun.heap, unit: 'MB', goal: null },
    { what: '– its process', value: most('resident'), unit: 'MB', goal: null },
    { what: '– before them', value: begun.resident, unit: 'MB', goal: null },
  ]
}

/** The editor of the component, with its list of rules, in a new window of one of its authors. */
export async function openEditor(stage: PageBench): Promise<{ readonly window: Window; readonly path: string }> {
  const window = await openWindow(stage.browser)
  const path = `/components/${stage.filled.componentId}`
  await window.page.goto(`${stage.origin}/users/sign_in?return_to=${path}`)
  await fillInSignIn(window.page, 'user-1@example.org', PASSWORD)
  await window.numbers("bench.shown('.rules li a')")
  return { window, path }
}
