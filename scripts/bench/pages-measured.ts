import { setTimeout as sleep } from 'node:timers/promises'
import { formatTable } from '../../src/commands/table.ts'
import { percentile, rounded, sum, verdict } from './numbers.ts'
import type { Window } from './pages-window.ts'

/** A measured value in ms and its upper bound; null: no bound was set. */
export type Measurement = readonly [what: string, value: number, goal: number | null]

export function printTable(name: string, rows: readonly Measurement[]): void {
  const cells = rows.map(([label, value, goal]) => [
    label,
    `${rounded(value, 1)} ms`,
    goal === null ? '' : verdict(`≤ ${goal} ms`, value <= goal),
  ])
  console.log(`\n${name}\n\n${formatTable(['what', 'measured', 'goal'], cells)}`)
}

/** Times of a repeated action, and the work of the page for each. */
export interface ActionTimes {
  readonly times: readonly number[]
  readonly work: readonly number[]
}

export function timesRows({ times, work }: ActionTimes, label: string, goal: number): readonly Measurement[] {
  return [
    [`${label}, p95`, percentile(times, 0.95), goal],
    ['– median', percentile(times, 0.5), null],
    ['– work of the page for each, p95', percentile(work, 0.95), null],
    ['– mean', sum(work) / work.length, null],
  ]
}

/** Presses keys in an element with pauses; `effect` is the event that shows that a key was accepted. */
export async function pressKeys(
  { page, numbers, busy }: Window,
  keys: readonly { readonly key: string; readonly pauseMs: number }[],
  { selector, effect }: { readonly selector: string; readonly effect: 'input' | 'keydown' },
): Promise<ActionTimes> {
  const times: number[] = []
  const work: number[] = []
  for (const { key, pauseMs } of keys) {
    // The key is pressed once the page listens; otherwise it could arrive before the script.
    await numbers(`(bench.next = bench.key('${selector}', '${effect}'), [])`)
    const before = await busy()
    await page.keyboard.press(key)
    times.push(...(await numbers('bench.next')))
    work.push((await busy()) - before)
    await sleep(pauseMs)
  }
  return { times, work }
}
