import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { z } from 'zod'
import { openDatabase } from '../../src/guidance/database/database.ts'
import { createLog } from '../../src/platform/log.ts'
import { hasLibrary, readLibrary, storeOne } from '../../test/search/library.ts'
import { storeSrg } from './authoring-data.ts'
import { ROOT } from './child.ts'
import { ingest, standardData } from './data.ts'
import { EMAIL, PASSWORD } from './guidance-data.ts'
import { withService, type Service } from './import-service.ts'
import { median, sum } from './numbers.ts'
import { printTable, type Measurement } from './pages-measured.ts'
import { openWindow, type Window, type Work } from './pages-window.ts'
import type { Workspace } from './workspace.ts'

const VISITS = 3
const KEYS = 12
const FRAMES = 240
const READABLE_MS = 800
const KEY_MS = 50
const COVERAGE_MS = 300
/** Size of the technique that is visited, roughly. */
const TECHNIQUE_BYTES = 140_000
const FIRST_KB = 120
/** Length of a frame in ms, at 55 frames a second. */
const FRAME_MS = 18.2

/** A page, the element that shows it is complete, and the key that is pressed. */
interface ReaderPage {
  readonly name: string
  readonly path: string
  readonly until: string
  readonly key: string
}

/** The ontology, the catalogue and the search, as readers have them, each visit by a browser that has nothing yet. */
export async function readersPages(workspace: Workspace, browser: Browser): Promise<void> {
  if (!hasLibrary) {
    console.log('There is no library for readers: PARAPET_CORPUS names a folder with xccdf/ and ontology/')
    return
  }
  const { dataDir } = await ingest(workspace, await standardData(workspace), 'readers')
  await fill(dataDir)
  const env = {
    SERVICE_DATA_DIR: dataDir,
    SERVICE_DATABASE_URL: '',
    SERVICE_RATE_LIMIT_ENABLED: 'false',
    SERVICE_ADMIN_EMAIL: EMAIL,
    SERVICE_ADMIN_PASSWORD: PASSWORD,
  }
  const place = { name: 'SQLite', env, drop: () => Promise.resolve() }
  await withService(workspace, place, async ({ origin, admin }) => {
    const reader = { browser, origin, admin }
    for (const page of await readerPages(reader)) printTable(page.name, await readPage(reader, page))
    printTable('list of 1,000 rules', await scrolled(reader))
    printTable('coverage of five STIGs', await covered(reader))
    printTable('script and style', await sizes(reader))
  })
}

/** Somebody who is signed in, in a browser that has nothing yet. */
interface Reader extends Pick<Service, 'origin' | 'admin'> {
  readonly browser: Browser
}

function open({ browser, origin, admin }: Reader): Promise<Window> {
  const cookies = (admin['Cookie'] ?? '').split('; ').map((one) => {
    const [name = '', value = ''] = one.split('=')
    return { name, value, url: origin }
  })
  return openWindow(browser, cookies)
}

async function ask(reader: Reader, path: string): Promise<Uint8Array> {
  const answer = await fetch(reader.origin + path, { headers: reader.admin })
  return new Uint8Array(await answer.arrayBuffer())
}

async function json(reader: Reader, path: string): Promise<unknown> {
  return JSON.parse(Buffer.from(await ask(reader, path)).toString())
}

async function fill(dataDir: string): Promise<void> {
  const database = await openDatabase({ url: null, dataDir, log: createLog('error') })
  for (const { read, source } of readLibrary()) await storeOne(database, read, source)
  await storeSrg(database)
  await database.close()
}

const techniques = z.object({ '@graph': z.array(z.object({ '@id': z.string() })) })
const stored = z.array(z.object({ id: z.int(), srg_id: z.string().nullish() }))
const ruled = z.object({ stig_rules: z.array(z.unknown()) })

async function readerPages(reader: Reader): Promise<readonly ReaderPage[]> {
  const bytesOf = async (name: string): Promise<number> => (await ask(reader, `/api/technique/${name}.json`)).byteLength
  const near = async (name: string): Promise<number> => -Math.abs((await bytesOf(name)) - TECHNIQUE_BYTES)
  const { of: technique } = await largest(await namesOf(reader), near)
  const kilobytes = Math.round((await bytesOf(technique)) / 1000)
  const stig = await largest(
    await stigsOf(reader),
    async (id) => ruled.parse(await json(reader, `/stigs/${id}`)).stig_rules.length,
  )
  return [
    { name: 'matrix', path: '/matrix', until: '.matrix .tactic a', key: 'Tab' },
    {
      name: `technique with ${kilobytes} kB of data`,
      key: 'Tab',
      path: `/technique/${technique}`,
      until: 'main h2',
    },
    {
      name: `benchmark with ${stig.size} rules`,
      key: 'j',
      path: `/stigs/${stig.of}`,
      until: '.rules li a',
    },
    { name: 'search', path: '/search?q=password', until: '.results article', key: 'a' },
  ]
}

async function namesOf(reader: Reader): Promise<readonly string[]> {
  const answer = await json(reader, '/api/technique/all.json')
  return techniques.parse(answer)['@graph'].map(({ '@id': id }) => id)
}

async function stigsOf(reader: Reader): Promise<readonly number[]> {
  return stored.parse(await json(reader, '/stigs')).map(({ id }) => id)
}

async function largest<T>(
  all: readonly T[],
  measure: (one: T) => Promise<number>,
): Promise<{ readonly of: T; readonly size: number }> {
  const found: { of: T; size: number }[] = []
  for (const of of all) found.push({ of, size: await measure(of) })
  const [most] = found.sort((one, other) => other.size - one.size)
  if (most === undefined) throw new Error('There is nothing to look at')
  return most
}

async function readPage(reader: Reader, { path, until, key }: ReaderPage): Promise<readonly Measurement[]> {
  const readable: number[] = []
  const work: Work[] = []
  const keys: number[] = []
  const keyWork: number[] = []
  for (let visit = 0; visit < VISITS; visit += 1) {
    const window = await open(reader)
    await window.page.goto(reader.origin + path, { waitUntil: 'commit' })
    await window.page.locator(until).first().waitFor()
    await sleep(500)
    work.push(await window.work())
    readable.push(...(await window.numbers('[bench.largest]')))
    const pressed = await pressing(window, key)
    keys.push(...pressed.times)
    keyWork.push(pressed.work)
    await window.page.context().close()
  }
  const of = (part: keyof Work): number => median(work.map((one) => one[part]))
  return [
    { what: 'readable', value: median(readable), unit: 'ms', goal: READABLE_MS },
    { what: '– work of the page', value: of('all'), unit: 'ms', goal: null },
    { what: '– of it layout', value: of('layout'), unit: 'ms', goal: null },
    { what: '– of it styles', value: of('style'), unit: 'ms', goal: null },
    { what: '– of it scripts as they are loaded', value: of('script'), unit: 'ms', goal: null },
    {
      what: `key ${key}, to the frame with its answer`,
      value: median(keys),
      unit: 'ms',
      goal: KEY_MS,
    },
    { what: '– work of the page for each', value: median(keyWork), unit: 'ms', goal: KEY_MS },
  ]
}

interface KeyTimes {
  readonly times: readonly number[]
  readonly work: number
}

async function pressing({ page, numbers, busy }: Window, key: string): Promise<KeyTimes> {
  if (key === 'a') await page.locator('header input[type=search], header input').first().focus()
  await numbers("(bench.follow('body'), [])")
  const before = await busy()
  for (let at = 0; at < KEYS; at += 1) {
    await page.keyboard.press(key)
    await sleep(250)
  }
  const work = ((await busy()) - before) / KEYS
  return { times: await numbers('bench.keys'), work }
}

async function scrolled(reader: Reader): Promise<readonly Measurement[]> {
  const window = await open(reader)
  const srgs = stored.parse(await json(reader, '/srgs'))
  const id = srgs.find(({ srg_id: name }) => name === 'Bench_SRG')?.id
  await window.page.goto(`${reader.origin}/srgs/${id}`, { waitUntil: 'commit' })
  await window.page.locator('.rules li a').first().waitFor()
  await sleep(1000)
  const before = await window.busy()
  const gaps = await window.numbers(`bench.scroll('.rules .frame', 120, ${FRAMES})`)
  const work = ((await window.busy()) - before) / gaps.length
  await window.page.context().close()
  const sorted = [...gaps].sort((one, other) => one - other)
  const late = sorted[Math.floor(0.99 * sorted.length)] ?? Number.NaN
  return [
    {
      what: 'from frame to frame, mean',
      value: sum(gaps) / gaps.length,
      unit: 'ms',
      goal: FRAME_MS,
    },
    { what: '– 99 of 100', value: late, unit: 'ms', goal: null },
    { what: '– work of the page for each', value: work, unit: 'ms', goal: 16 },
  ]
}

async function covered(reader: Reader): Promise<readonly Measurement[]> {
  const query = (await stigsOf(reader)).slice(0, 5).map((id) => `stig=${id}`)
  const once = async (): Promise<number> => {
    const began = performance.now()
    await ask(reader, `/api/coverage.json?${query.join('&')}`)
    return performance.now() - began
  }
  const first = await once()
  const times: number[] = []
  for (let at = 0; at < VISITS; at += 1) times.push(await once())
  return [
    { what: 'first', value: first, unit: 'ms', goal: null },
    { what: 'after it', value: median(times), unit: 'ms', goal: COVERAGE_MS },
  ]
}

const CHUNKS = join(ROOT, 'dist/web/built/assets/app')
const SHOWN = 12

/** As they are sent: packed by Brotli. */
async function sizes(reader: Reader): Promise<readonly Measurement[]> {
  const { page } = await open(reader)
  const asked: string[] = []
  page.on('response', (response) => {
    const type = response.request().resourceType()
    if (type === 'script' || type === 'stylesheet') asked.push(response.url())
  })
  await page.goto(`${reader.origin}/`, { waitUntil: 'networkidle' })
  await page.context().close()
  const first = new Set(asked.map((address) => address.split('/').at(-1) ?? ''))
  const files = (await readdir(CHUNKS)).filter((name) => /\.(?:js|css)$/.test(name))
  const packed = await Promise.all(files.map(async (name) => ({ name, size: (await packedSize(name)) / 1000 })))
  const ofFirst = packed.filter(({ name }) => first.has(name))
  packed.sort((one, other) => other.size - one.size)
  return [
    {
      what: `of the first page, ${ofFirst.length} files`,
      unit: 'kB',
      goal: FIRST_KB,
      value: sum(ofFirst.map(({ size }) => size)),
    },
    {
      what: `of all pages, ${packed.length} files`,
      unit: 'kB',
      goal: null,
      value: sum(packed.map(({ size }) => size)),
    },
    ...packed.slice(0, SHOWN).map(({ name, size }) => ({ what: `– ${name}`, value: size, unit: 'kB', goal: null })),
  ]
}

async function packedSize(name: string): Promise<number> {
  const file = join(CHUNKS, name)
  return (await stat(`${file}.br`).catch(() => stat(file))).size
}
