import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { z } from 'zod'
import { openDatabase } from '../../src/guidance/database/database.ts'
import { createLog } from '../../src/platform/log.ts'
import { hasLibrary, readLibrary, storeOne } from '../../test/search/library.ts'
import { storeSrg } from './authoring-data.ts'
import { ingest, standardData } from './data.ts'
import { settingsFor } from './databases.ts'
import { median, percentile, sum } from './numbers.ts'
import { timesRows, pressKeys, printTable, type ActionTimes, type Measurement } from './pages-measured.ts'
import { openWindow, type Window } from './pages-window.ts'
import { withService, type SignedInService } from './service.ts'
import type { Workspace } from './workspace.ts'

const VISITS = 3
const KEYS = 12
const FRAMES = 240
const READABLE_MS = 800
const KEY_MS = 50
const COVERAGE_MS = 300
/** Size of the technique that is visited, roughly. */
const TECHNIQUE_BYTES = 140_000
/** Length of a frame in ms, at 55 frames a second. */
const FRAME_MS = 18.2

/** A page, the element that shows it is complete, and the key that is pressed. */
interface ReaderPage {
  readonly name: string
  readonly path: string
  readonly until: string
  readonly key: string
}

/** A service, a browser, and readers who are signed in. */
interface Reader extends SignedInService {
  readonly browser: Browser
}

/** Measures ontology, catalogue and search for readers. Each visit has a browser without a cache. */
export async function readersPages(workspace: Workspace, browser: Browser): Promise<void> {
  if (!hasLibrary) {
    console.log('There is no library for readers: PARAPET_CORPUS names a folder with xccdf/ and ontology/')
    return
  }
  const { dataDir } = await ingest(workspace, await standardData(workspace), 'readers')
  const database = await openDatabase({ url: null, dataDir, log: createLog('error') })
  for (const { read, source } of readLibrary()) await storeOne(database, read, source)
  const srg = await storeSrg(database)
  await database.close()
  await withService(workspace, settingsFor({ name: 'SQLite', dataDir, url: null }), async (service) => {
    const reader = { ...service, browser }
    const stigs = z.array(z.object({ id: z.int() })).parse(await json(reader, '/stigs'))
    const ids = stigs.map(({ id }) => id)
    for (const page of await readerPages(reader, ids)) printTable(page.name, await readPage(reader, page))
    printTable('list of 1,000 rules', await scrolled(reader, srg))
    printTable('coverage of five STIGs', await covered(reader, ids))
  })
}

function open({ browser, origin, admin }: Reader): Promise<Window> {
  const cookies = (admin['Cookie'] ?? '').split('; ').map((cookie) => {
    const [name = '', value = ''] = cookie.split('=')
    return { name, value, url: origin }
  })
  return openWindow(browser, cookies)
}

async function text({ origin, admin }: Reader, path: string): Promise<string> {
  return (await fetch(origin + path, { headers: admin })).text()
}

async function json(reader: Reader, path: string): Promise<unknown> {
  return JSON.parse(await text(reader, path))
}

const techniques = z.object({ '@graph': z.array(z.object({ '@id': z.string() })) })
const ruled = z.object({ stig_rules: z.array(z.unknown()) })

async function readerPages(reader: Reader, stigs: readonly number[]): Promise<readonly ReaderPage[]> {
  const names = techniques.parse(await json(reader, '/api/technique/all.json'))['@graph']
  const technique = await largest(names, async ({ '@id': id }) => {
    const { length } = await text(reader, `/api/technique/${id}.json`)
    return -Math.abs(length - TECHNIQUE_BYTES)
  })
  const stig = await largest(stigs, async (id) => ruled.parse(await json(reader, `/stigs/${id}`)).stig_rules.length)
  return [
    { name: 'matrix', path: '/matrix', until: '.matrix .tactic a', key: 'Tab' },
    { name: 'technique with 140 kB of data', path: `/technique/${technique['@id']}`, until: 'main h2', key: 'Tab' },
    { name: 'largest benchmark', path: `/stigs/${stig}`, until: '.rules li a', key: 'j' },
    { name: 'search', path: '/search?q=password', until: '.results article', key: 'a' },
  ]
}

async function largest<T>(items: readonly T[], measure: (item: T) => Promise<number>): Promise<T> {
  const measured: { item: T; size: number }[] = []
  for (const item of items) measured.push({ item, size: await measure(item) })
  const [most] = measured.sort((a, b) => b.size - a.size)
  if (most === undefined) throw new Error('There is nothing to look at')
  return most.item
}

async function readPage(reader: Reader, { path, until, key }: ReaderPage): Promise<readonly Measurement[]> {
  const readable: number[] = []
  const work: number[] = []
  const pressed: ActionTimes[] = []
  for (let visit = 0; visit < VISITS; visit += 1) {
    const window = await open(reader)
    await window.page.goto(reader.origin + path, { waitUntil: 'commit' })
    await window.page.locator(until).first().waitFor()
    await sleep(500)
    work.push(await window.busy())
    readable.push(...(await window.numbers('[bench.largest]')))
    if (key === 'a') await window.page.locator('header input').first().focus()
    const keys = Array.from({ length: KEYS }, () => ({ key, pauseMs: 250 }))
    pressed.push(await pressKeys(window, keys, { selector: 'body', effect: 'keydown' }))
    await window.page.context().close()
  }
  const keys = { times: pressed.flatMap(({ times }) => times), work: pressed.flatMap((keyTimes) => keyTimes.work) }
  return [
    ['readable', median(readable), READABLE_MS],
    ['– work of the page', median(work), null],
    ...timesRows(keys, `key ${key}, to the frame with its answer`, KEY_MS),
  ]
}

async function scrolled(reader: Reader, srg: number): Promise<readonly Measurement[]> {
  const { page, busy, numbers } = await open(reader)
  await page.goto(`${reader.origin}/srgs/${srg}`, { waitUntil: 'commit' })
  await page.locator('.rules li a').first().waitFor()
  await sleep(1000)
  const before = await busy()
  const gaps = await numbers(`bench.scroll('.rules .frame', 120, ${FRAMES})`)
  const work = ((await busy()) - before) / gaps.length
  await page.context().close()
  return [
    ['from frame to frame, mean', sum(gaps) / gaps.length, FRAME_MS],
    ['– 99 of 100', percentile(gaps, 0.99), null],
    ['– work of the page for each', work, 16],
  ]
}

async function covered(reader: Reader, stigs: readonly number[]): Promise<readonly Measurement[]> {
  const query = stigs.slice(0, 5).map((id) => `stig=${id}`)
  const times: number[] = []
  for (let visit = 0; visit <= VISITS; visit += 1) {
    const began = performance.now()
    await text(reader, `/api/coverage.json?${query.join('&')}`)
    times.push(performance.now() - began)
  }
  return [
    ['first', times[0] ?? Number.NaN, null],
    ['after it', median(times.slice(1)), COVERAGE_MS],
  ]
}
