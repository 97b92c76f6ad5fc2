import { setTimeout as sleep } from 'node:timers/promises'
import { RULES } from './authoring-data.ts'
import { median } from './numbers.ts'
import type { Measurement, PageBench } from './pages-measured.ts'
import { NEXT, openEditor } from './pages-stepping.ts'
import type { Window } from './pages-window.ts'

const OPENINGS = 5
const STEPS = 60
const LETTERS = 150
const WORDS = 'a letter at a time '
/** Three times as much as can be saved: the page has to bear what somebody pastes. */
const LONG_TEXT = 'Verify that sessions end after 15 minutes. If they should not, please ask. '
  .repeat(400)
  .slice(0, 30_000)
const CODE = `describe file('/etc/pot') do # it's hot
  its('content') { should match /^Lid "shut"/ }
end
`
/** A text to write in, and what is drawn over or behind its field once it has been read. */
interface EditorText {
  readonly what: string
  readonly field: string
  readonly text: string
  readonly drawn: string
}

/** In one piece, which is the hardest for browsers, and in lines, as people write. */
const WRITINGS: readonly EditorText[] = [
  { what: ' with advice', field: 'fixtext', text: LONG_TEXT, drawn: '.over .marked' },
  {
    what: ' in lines with advice',
    field: 'fixtext',
    drawn: '.over .marked',
    text: LONG_TEXT.replaceAll('ask. ', 'ask.\n'),
  },
  {
    what: ' of code in colours',
    field: 'inspec_control_body',
    drawn: '.under .word',
    text: CODE.repeat(400).slice(0, 30_000),
  },
]
const LONG_RULE = 500
/**
 * Between one letter and the next key: from as fast as anybody types to as slow as most do, in an order that comes
 * again. At one pace, keys fall on the same place between the frames that browsers draw for themselves after each letter.
 */
const PACES_MS = Array.from({ length: LETTERS }, (_, at) => 60 + ((at * 37) % 140))

/** The editor on 1,000 rules with 5,000 comments: to open, to step, to write in. */
export async function editorPage(stage: PageBench): Promise<readonly Measurement[]> {
  const { window, path } = await openEditor(stage)
  const rows = [
    ...(await opening(window, stage.origin + path)),
    ...(await stepping(window)),
    ...(await writing(window, `${stage.origin}${path}?rule=${nameOf(LONG_RULE)}&panel=advice`)),
    ...(await writingAlone(window)),
  ]
  await window.page.context().close()
  return rows
}

function nameOf(number: number): string {
  return `BNCH-00-${String(number).padStart(6, '0')}`
}

/** From the address to the list; what the browser keeps of the application is kept. */
async function opening({ page, numbers, busy }: Window, address: string): Promise<Measurement[]> {
  const times: number[] = []
  const work: number[] = []
  for (let round = 0; round < OPENINGS; round += 1) {
    const before = await busy()
    await page.goto(address, { waitUntil: 'commit' })
    times.push(...(await numbers("bench.shown('.rules li a')")))
    // The count begins again with a new document.
    const after = await busy()
    work.push(after < before ? after : after - before)
  }
  return [
    { what: `list of ${RULES} rules usable`, value: median(times), unit: 'ms', goal: 1000 },
    { what: '– of it, work of the page', value: median(work), unit: 'ms', goal: null },
  ]
}

/** A rule that nothing has asked for yet, by its row in the list. */
const FAR = `(async () => {
  const frame = document.querySelector('.rules .frame')
  frame.scrollTop = (frame.scrollTop + 41 * 62 * 7) % (frame.scrollHeight - 900)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const links = [...document.querySelectorAll('.rules li a:not([aria-current])')]
  const link = links[Math.floor(links.length / 2)]
  return bench.opened(() => link.click())
})()`

async function stepping(window: Window): Promise<Measurement[]> {
  await window.page.locator('.rules li a').first().click()
  await window.page.locator('article.rule h2').waitFor()
  const near = await measureActs(window, NEXT, STEPS)
  const far = await measureActs(window, FAR, STEPS / 3)
  return [
    { what: 'next rule, p95', value: near.p95, unit: 'ms', goal: 50 },
    { what: '– median', value: near.p50, unit: 'ms', goal: null },
    { what: '– work of the page each', value: near.work, unit: 'ms', goal: null },
    { what: 'rule far away, p95', value: far.p95, unit: 'ms', goal: 200 },
    { what: '– median', value: far.p50, unit: 'ms', goal: null },
    { what: '– work of the page each', value: far.work, unit: 'ms', goal: null },
  ]
}

interface Percentiles {
  readonly p50: number
  readonly p95: number
}

interface KeyTimes extends Percentiles {
  readonly work: number
}

async function measureActs({ numbers, busy }: Window, act: string, times: number): Promise<KeyTimes> {
  const taken: number[] = []
  const before = await busy()
  for (let at = 0; at < times; at += 1) {
    taken.push(...(await numbers(act)))
    // Somebody looks at it, and what is beside it is asked for.
    await sleep(400)
  }
  return { ...sharesOf(taken), work: ((await busy()) - before) / times }
}

function sharesOf(taken: readonly number[]): Percentiles {
  const sorted = [...taken].sort((one, other) => one - other)
  const at = (share: number): number => sorted[Math.floor(share * sorted.length)] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95) }
}

async function writing(window: Window, address: string): Promise<Measurement[]> {
  await window.page.goto(address)
  const rows: Measurement[] = []
  for (const { what, field, text, drawn } of WRITINGS) {
    await window.page.locator(`#field-${field}`).fill(text)
    const there = window.page.locator(`[data-field=${field}] ${drawn}`)
    await there.first().waitFor({ state: 'attached' })
    await begin(window, field)
    const before = await window.busy()
    const { keys, work } = await letters(window, field)
    const all = ((await window.busy()) - before) / LETTERS
    await sleep(2500)
    const long = await window.numbers('bench.long')
    rows.push(
      { what: `key to letter in 30 kB${what}, p95`, value: keys.p95, unit: 'ms', goal: 16 },
      { what: '– median', value: keys.p50, unit: 'ms', goal: null },
      { what: '– work of the page until it is there, p95', value: work.p95, unit: 'ms', goal: 16 },
      { what: '– median', value: work.p50, unit: 'ms', goal: null },
      { what: '– with what follows, each', value: all, unit: 'ms', goal: null },
      { what: '– longest task', value: Math.max(0, ...long), unit: 'ms', goal: null },
    )
  }
  return rows
}

/** A plain field of the browser with the same texts, as the peer. */
async function writingAlone(window: Window): Promise<Measurement[]> {
  const rows: Measurement[] = []
  for (const { what, field, text } of WRITINGS) {
    await window.page.goto('about:blank')
    await window.page.setContent(`<textarea id="field-${field}" rows="40" cols="100"></textarea>`)
    await window.page.locator(`#field-${field}`).fill(text)
    await begin(window, field)
    const { keys, work } = await letters(window, field)
    rows.push(
      ...[
        { what: `the same in a bare field (${what.trim()}), p95`, value: keys.p95 },
        { what: '– median', value: keys.p50 },
        { what: '– work of the page until it is there, p95', value: work.p95 },
      ].map((row) => ({ ...row, unit: 'ms', goal: null })),
    )
  }
  return rows
}

/** In the middle of the text, when nothing else goes on any more. */
async function begin({ numbers }: Window, field: string): Promise<void> {
  await sleep(2500)
  const place = await numbers(`(() => {
    const area = document.getElementById('field-${field}')
    area.focus()
    area.setSelectionRange(15000, 15000)
    bench.long.length = 0
    return [area.selectionStart]
  })()`)
  if (place[0] !== 15_000) throw new Error('The cursor is not where it was put')
}

/** The time of each, in which the page waits for the next frame, too; and what the main thread works meanwhile. */
async function letters({ page, numbers, busy }: Window, field: string): Promise<Record<'keys' | 'work', Percentiles>> {
  const keys: number[] = []
  const work: number[] = []
  for (const [at, pace] of PACES_MS.entries()) {
    // A key may overtake what is evaluated: it is pressed when the page listens.
    await numbers(`(bench.next = bench.letter('#field-${field}'), [])`)
    const before = await busy()
    await page.keyboard.press(WORDS.charAt(at % WORDS.length))
    keys.push(...(await numbers('bench.next')))
    work.push((await busy()) - before)
    await sleep(pace)
  }
  return { keys: sharesOf(keys), work: sharesOf(work) }
}
