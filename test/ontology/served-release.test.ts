// @module-tag node

import { readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { ReleaseFolder } from '../../src/ontology/index.ts'
import { limitsFor } from '../../src/ontology/render/limits.ts'
import { ServedRelease, type ServingOptions } from '../../src/ontology/served-release.ts'
import { builtModule } from '../support/build.ts'
import { HOARD, SPIN } from '../support/faulty-render-worker.ts'
import { temporaryFolder } from '../support/folder.ts'
import { refusalOf } from '../support/refusal.ts'
import { ingestInto } from '../support/service.ts'

const SMALL = 'test/fixtures/ontology/small.ttl'
const MODULE = pathToFileURL(builtModule('test/support/faulty-render-worker.ts'))
const VERSION = '/api/version.json'
/** Takes memory without end before it opens anything. */
const HOARDER = new URL('data:text/javascript,const kept = []; for (;;) kept.push(new Array(100000).fill(Math.PI))')
const LIMITS = { heapMegabytes: 128, openingMs: 60_000, answerMs: 60_000 }

const logged: string[] = []
const log = pino({ base: null }, { write: (line) => void logged.push(line) })
let open: ServedRelease | null = null

afterEach(async () => {
  await open?.close()
  open = null
  logged.length = 0
})

async function newRelease(): Promise<string> {
  const dataDir = await temporaryFolder()
  await ingestInto(dataDir, [SMALL], { version: '1.0.0', date: '2026-01-01' })
  return dataDir
}

async function serve(dataDir: string, options: Partial<ServingOptions> = {}): Promise<ServedRelease> {
  const manifest = await new ReleaseFolder(dataDir).manifest('1.0.0')
  if (manifest === null) throw new Error('There is no release')
  const serving = { dataDir, cacheBytes: 1_000_000, log, renderModule: MODULE, limits: LIMITS }
  open = await ServedRelease.open(manifest, { ...serving, ...options })
  return open
}

/** The codes that answers are refused with; null for those that are given. */
async function codesOf(answers: readonly Promise<unknown>[]): Promise<readonly (string | null)[]> {
  return Promise.all(
    answers.map((answer) =>
      answer.then(
        () => null,
        async () => (await refusalOf(() => answer)).code,
      ),
    ),
  )
}

describe('A served release', () => {
  it('prepares an answer once, however many ask for it at the same time', async () => {
    const release = await serve(await newRelease())
    const asked = [1, 2, 3].map(() => release.answer(VERSION, 'gzip'))
    const [first, ...others] = await Promise.all(asked)
    for (const other of others) expect(other).toBe(first)
  })

  it.each([
    { path: SPIN, answerMs: 3000, cause: 'an answer took more than 3000 ms' },
    { path: HOARD, answerMs: 60_000, cause: 'it needed more than 128 MB of memory' },
  ])('refuses what waits when $cause, and answers again', async ({ path, answerMs, cause }) => {
    const release = await serve(await newRelease(), { limits: { ...LIMITS, answerMs } })
    expect((await release.answer(VERSION, 'br')).mediaType).toContain('json')
    const waiting = ['/api/matrix.json', '/api/tactic/all.json', '/api/weakness/all.json']
    const answers = [path, ...waiting].map((waitingPath) => release.answer(waitingPath, 'gzip'))
    expect(await codesOf(answers)).toStrictEqual(answers.map(() => 'answer_abandoned'))
    expect(release.peek(VERSION, 'br')).toBeDefined()
    const again = await Promise.all(waiting.map((waitingPath) => release.answer(waitingPath, 'gzip')))
    expect(again.map(({ mediaType }) => mediaType.includes('json'))).toStrictEqual([true, true, true])
    expect(logged.map((line): unknown => JSON.parse(line))).toStrictEqual([
      expect.objectContaining({ version: '1.0.0', cause, waiting: 1, level: 50 }),
    ])
    expect(logged.join('')).toContain(path)
  })

  it('says why a release cannot be opened within its limits', async () => {
    const limits = { ...LIMITS, openingMs: 1 }
    const refusal = await refusalOf(async () => serve(await newRelease(), { limits }))
    expect(refusal.code).toBe('release_unusable')
    expect(refusal.message).toContain('opening it took more than 1 ms')
    const other = await refusalOf(async () => serve(await newRelease(), { renderModule: HOARDER }))
    expect(other.message).toContain('it needed more than 128 MB of memory')
  })

  it('refuses while its files are away, and opens them once they are back', async () => {
    const dataDir = await newRelease()
    const release = await serve(dataDir)
    const home = join(dataDir, 'ontology', 'releases', '1.0.0')
    const graph = join(home, (await readdir(home)).find((name) => name.endsWith('.nq')) ?? '')
    await rename(graph, `${graph}.away`)
    const ask = () => release.answer(VERSION, 'br')
    expect(await codesOf([release.answer(HOARD, 'br')])).toStrictEqual(['answer_abandoned'])
    expect(await codesOf([ask(), ask()])).toStrictEqual(['release_unusable', 'release_unusable'])
    await rename(`${graph}.away`, graph)
    expect((await ask()).mediaType).toContain('json')
  })
})

describe('limitsFor', () => {
  it('grows with the graph', async () => {
    const dataDir = await newRelease()
    const folder = new ReleaseFolder(dataDir)
    const manifest = await folder.manifest('1.0.0')
    if (manifest === null) throw new Error('There is no release')
    expect(await limitsFor(folder, manifest)).toStrictEqual({ heapMegabytes: 524, openingMs: 70_000, answerMs: 32_000 })
  })
})
