import { setTimeout as sleep } from 'node:timers/promises'
import { fillInSignIn } from '../../test/support/browser.ts'
import { EMAIL, PASSWORD } from './guidance-data.ts'
import { median } from './numbers.ts'
import { timesRows, pressKeys, type ActionTimes, type Measurement } from './pages-measured.ts'
import type { Window } from './pages-window.ts'

const OPENINGS = 5
const STEPS = 60
const WORDS = 'a letter at a time '
/** Three times the limit of a text, because people may paste such texts. */
const LONG_TEXT = 'Verify that sessions end after 15 minutes. If they should not, please ask. '
  .repeat(400)
  .slice(0, 30_000)
const CODE = `describe file('/etc/pot') do # it's hot
  its('content') { should match /^Lid "shut"/ }
end
`
/** The field, its text, and what is drawn over or behind the field once the text has been read. */
const WRITINGS = [
  ['with advice', 'fixtext', '.over .marked', LONG_TEXT],
  ['in lines with advice', 'fixtext', '.over .marked', LONG_TEXT.replaceAll('ask. ', 'ask.\n')],
  ['of code in colours', 'inspec_control_body', '.under .word', CODE.repeat(400).slice(0, 30_000)],
] as const
/**
 * Pauses between two keys, from the fastest to the usual speed of typing, in a repeated order. With equal pauses, all
 * keys would come at the same moment between two frames.
 */
const LETTERS = Array.from({ length: 150 }, (_, index) => ({
  key: WORDS.charAt(index % WORDS.length),
  pauseMs: 60 + ((index * 37) % 140),
}))

/** The editor on 1,000 rules with 5,000 comments: to open, to step, to write in. */
export async function editorPage(window: Window, origin: string, componentId: number): Promise<Measurement[]> {
  const path = `/components/${componentId}`
  await window.page.goto(`${origin}/users/sign_in?return_to=${path}`)
  await fillInSignIn(window.page, EMAIL, PASSWORD)
  await window.numbers("bench.shown('.rules li a')")
  return [
    ...(await opening(window, origin + path)),
    ...(await stepping(window)),
    ...(await writing(window, `${origin}${path}?rule=BNCH-00-000500&panel=advice`)),
  ]
}

/** Time from the address to the list, with the application in the browser's cache. */
async function opening({ page, numbers }: Window, address: string): Promise<Measurement[]> {
  const times: number[] = []
  for (let round = 0; round < OPENINGS; round += 1) {
    await page.goto(address, { waitUntil: 'commit' })
    times.push(...(await numbers("bench.shown('.rules li a')")))
  }
  return [['list of 1,000 rules usable', median(times), 1000]]
}

/** Time to the next rule by its key. */
const NEXT = "bench.opened(() => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true })))"
/** A rule that has not been loaded yet, by its row in the list. */
const FAR = `(async () => {
  const frame = document.querySelector('.rules .frame')
  frame.scrollTop = (frame.scrollTop + 41 * 62 * 7) % (frame.scrollHeight - 900)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const links = [...document.querySelectorAll('.rules li a:not([aria-current])')]
  const link = links[Math.floor(links.length / 2)]
  return bench.opened(() => link.click())
})()`

async function stepping(window: Window): Promise<readonly Measurement[]> {
  await window.page.locator('.rules li a').first().click()
  await window.page.locator('article.rule h2').waitFor()
  const neighbourTimes = await repeated(window, NEXT, STEPS)
  const distantTimes = await repeated(window, FAR, STEPS / 3)
  return [...timesRows(neighbourTimes, 'next rule', 50), ...timesRows(distantTimes, 'rule far away', 200)]
}

async function repeated({ numbers, busy }: Window, act: string, count: number): Promise<ActionTimes> {
  const times: number[] = []
  const work: number[] = []
  for (let round = 0; round < count; round += 1) {
    const before = await busy()
    times.push(...(await numbers(act)))
    // While the rule is open, the page loads its neighbours.
    await sleep(400)
    work.push((await busy()) - before)
  }
  return { times, work }
}

/** Each text in the editor, and in a plain field of the browser as the peer. */
async function writing(window: Window, address: string): Promise<readonly Measurement[]> {
  const { page } = window
  const rows: Measurement[] = []
  for (const [label, field, drawn, text] of WRITINGS) {
    await page.goto(address)
    await page.locator(`#field-${field}`).fill(text)
    await page.locator(`[data-field=${field}] ${drawn}`).first().waitFor({ state: 'attached' })
    rows.push(...timesRows(await letters(window, field), `key to letter in 30 kB ${label}`, 16))
    await page.goto('about:blank')
    await page.setContent(`<textarea id="field-${field}" rows="40" cols="100"></textarea>`)
    await page.locator(`#field-${field}`).fill(text)
    rows.push(...timesRows(await letters(window, field), 'the same in a bare field', 16))
  }
  return rows
}

/** Types in the middle of the text, after all other work is done. */
async function letters(window: Window, field: string): Promise<ActionTimes> {
  await sleep(2500)
  const [cursor] = await window.numbers(`(() => {
    const area = document.getElementById('field-${field}')
    area.focus()
    area.setSelectionRange(15000, 15000)
    return [area.selectionStart]
  })()`)
  if (cursor !== 15_000) throw new Error('The cursor is not where it was put')
  return pressKeys(window, LETTERS, { selector: `#field-${field}`, effect: 'input' })
}
