import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Search, SearchRequest } from '../../src/contracts/search.ts'
import { createLog } from '../../src/platform/log.ts'
import { createSearch } from '../../src/search/search.ts'
import { temporaryFolder } from '../support/folder.ts'

const OPEN: SearchRequest = {
  ...{ text: 'lock', kinds: [], severities: [], tactics: [], benchmarks: null, releases: null },
  ...{ page: 1, perPage: 10, cursor: null, isFolded: true, isExplained: false },
}

/** Of nothing, over a feed that takes its time to open. */
function slowSearch(
  openMs: number,
  ...others: [patienceMs: number, dumpFile?: string]
): Search<null> {
  return searchOver(
    `
    const nothing = { position: { sequence: 0, mark: '' }, records: [], benchmarks: [], isMore: false }
    const none = async () => []
    export async function openFeed() {
      await new Promise((resolve) => setTimeout(resolve, ${openMs}))
      return { changes: async () => nothing, owners: none, records: none, rulesOf: none, matches: none,
        texts: async () => new Map(), close: async () => {} }
    }`,
    ...others,
  )
}

function searchOver(
  module: string,
  patienceMs: number,
  dumpFile: string | null = null,
): Search<null> {
  const sources = {
    ontology: null,
    feed: { module: new URL(`data:text/javascript,${encodeURIComponent(module)}`), data: null },
    readable: () => Promise.resolve([]),
    ...{
      controls: new Map(),
      controlNames: new Map(),
      abbreviations: [],
      dumpFile,
      log: createLog('silent'),
    },
  }
  const search = createSearch<null>(sources, patienceMs)
  onTestFinished(() => search.close())
  return search
}

describe('A search that is not ready', () => {
  it('refuses instead of answering from an empty index, and answers when it is', async () => {
    const search = slowSearch(1500, 100)
    await expect(search.unified(null, OPEN)).rejects.toMatchObject({
      ...{ code: 'search_not_ready', members: { retry_after: 5 } },
    })
    await expect(search.suggest(null, 'lock', 5)).rejects.toMatchObject({
      code: 'search_not_ready',
    })
    expect(search.isPreparing).toBe(true)
    await search.prepare(Promise.resolve())
    expect(search.isPreparing).toBe(false)
    expect((await search.unified(null, OPEN)).pagination.total).toBe(0)
  })

  it('is waited for where that does not take long', async () => {
    expect((await slowSearch(200, 60_000).unified(null, OPEN)).results).toEqual([])
  })

  it('keeps nobody waiting until it is saved', async () => {
    const file = join(await temporaryFolder(), 'search-index')
    // Whoever writes to a pipe waits until somebody reads.
    execFileSync('mkfifo', [`${file}.tmp`])
    const search = slowSearch(0, 60_000, file)
    try {
      await search.prepare(Promise.resolve())
      expect((await search.unified(null, OPEN)).results).toEqual([])
    } finally {
      expect((await readFile(`${file}.tmp`)).length).toBeGreaterThan(64)
    }
  })

  it('says so where what can be found cannot be read, and does not try at every question', async () => {
    const search = searchOver(
      `export async function openFeed() { throw new Error('no database') }`,
      60_000,
    )
    for (let question = 0; question < 3; question += 1)
      await expect(search.unified(null, OPEN)).rejects.toMatchObject({ code: 'search_not_ready' })
    // Nobody is to be sent here until it can be read.
    expect(search.isPreparing).toBe(true)
  })
})

describe('A search whose thread has died', () => {
  /** Whoever asks for texts ends the thread. */
  const mortal = `
    const nothing = { position: { sequence: 0, mark: '' }, records: [], benchmarks: [], isMore: false }
    const none = async () => []
    export async function openFeed() {
      return { changes: async () => nothing, owners: none, records: none, rulesOf: none, matches: none,
        texts: () => process.exit(), close: async () => {} }
    }`

  it('is not ready until another one is there, which nobody has to ask for', async () => {
    const search = searchOver(mortal, 60_000)
    await search.prepare(Promise.resolve())
    expect(search.isPreparing).toBe(false)
    await expect(search.texts([])).rejects.toMatchObject({ code: 'answer_abandoned' })
    expect(search.isPreparing).toBe(true)
    await vi.waitFor(
      () => {
        expect(search.isPreparing).toBe(false)
      },
      { timeout: 30_000, interval: 50 },
    )
    expect((await search.unified(null, OPEN)).results).toEqual([])
  })

  it('does not come back after it was closed', async () => {
    const search = searchOver(mortal, 60_000)
    await search.prepare(Promise.resolve())
    await search.close()
    await expect(search.unified(null, OPEN)).rejects.toMatchObject({ code: 'search_not_ready' })
  })
})
