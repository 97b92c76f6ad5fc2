// @module-tag long

import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { GuidanceSearchRequest } from '../../src/contracts/guidance-records.ts'
import type { SearchSources } from '../../src/contracts/search-feed.ts'
import type { Search, SearchRequest } from '../../src/contracts/search.ts'
import type { OntologyContent } from '../../src/contracts/sources.ts'
import { createLog } from '../../src/platform/log.ts'
import { createSearch } from '../../src/search/search.ts'
import { temporaryFolder } from '../support/folder.ts'
import { CONTENT } from './small.ts'

const OPEN: SearchRequest = {
  text: 'lock',
  kinds: [],
  severities: [],
  tactics: [],
  domains: [],
  benchmarks: null,
  releases: null,
  page: 1,
  perPage: 10,
  cursor: null,
  isFolded: true,
  isExplained: false,
  isGrouped: false,
}

/** A search without records, over a feed that opens slowly. */
function slowSearch(openMs: number, maxWaitMs: number, options: SearchOptions = {}): Search<null> {
  return searchOver(
    `
    const nothing = { position: { sequence: 0, mark: '' }, records: [], benchmarks: [], isMore: false }
    const none = async () => []
    export async function openFeed() {
      await new Promise((resolve) => setTimeout(resolve, ${openMs}))
      return { changes: async () => nothing, owners: none, records: none, rulesOf: none, matches: none,
        texts: async () => new Map(), referenceVersion: async () => '', close: async () => {} }
    }`,
    maxWaitMs,
    options,
  )
}

type Ontology = SearchSources<null>['ontology']

interface SearchOptions {
  readonly dumpFile?: string | null
  readonly ontology?: Ontology
  readonly log?: SearchSources<null>['log']
  /** Components that everybody may read. */
  readonly readable?: readonly number[]
}

function searchOver(
  module: string,
  maxWaitMs: number | undefined,
  { dumpFile = null, ontology = null, log = createLog('silent'), readable = [] }: SearchOptions = {},
): Search<null> {
  const sources = {
    ontology,
    feed: { module: new URL(`data:text/javascript,${encodeURIComponent(module)}`), data: null },
    readableComponents: () => Promise.resolve(readable),
    controls: new Map(),
    controlNames: new Map(),
    abbreviations: [],
    dumpFile,
    log,
  }
  const search = createSearch<null>(sources, maxWaitMs)
  onTestFinished(() => search.close())
  return search
}

describe('A search that is not ready', () => {
  it('refuses instead of answering from an empty index, until it is ready', async () => {
    const search = slowSearch(1500, 100)
    await expect(search.unified(null, OPEN)).rejects.toMatchObject({
      code: 'search_not_ready',
      members: { retry_after: 5 },
    })
    await expect(search.suggest(null, 'lock', 5)).rejects.toMatchObject({ code: 'search_not_ready' })
    expect(search.isPreparing).toBe(true)
    await search.prepare(Promise.resolve())
    expect(search.isPreparing).toBe(false)
    expect((await search.unified(null, OPEN)).pagination.total).toBe(0)
  })

  it('is waited for if that is short', async () => {
    expect((await slowSearch(200, 60_000).unified(null, OPEN)).results).toEqual([])
  })

  it('answers before it is saved', async () => {
    const file = join(await temporaryFolder(), 'search-index')
    // Writing to a pipe blocks until somebody reads from it.
    execFileSync('mkfifo', [`${file}.tmp`])
    const search = slowSearch(0, 60_000, { dumpFile: file })
    try {
      await search.prepare(Promise.resolve())
      expect((await search.unified(null, OPEN)).results).toEqual([])
    } finally {
      expect((await readFile(`${file}.tmp`)).length).toBeGreaterThan(64)
    }
  })

  it('reports unreadable records, and does not retry at every question', async () => {
    const search = searchOver(`export async function openFeed() { throw new Error('no database') }`, 60_000)
    for (let question = 0; question < 3; question += 1)
      await expect(search.unified(null, OPEN)).rejects.toMatchObject({ code: 'search_not_ready' })
    // Nobody is to be sent here until it can be read.
    expect(search.isPreparing).toBe(true)
  })
})

describe('A search with a backlog of changes', () => {
  /** A second after it was opened a component is written, which takes four seconds to read. */
  const BUSY_FEED = `
    const opened = Date.now()
    const nothing = { records: [], benchmarks: [], isMore: false }
    const isWritten = () => Date.now() > opened + 1000
    const owner = { kind: 'component', id: 1, title: 'Kettle', names: [], benchmark: null }
    const record = ({ kind, id }) => ({ kind, id, owner: id, severity: null, title: 'Kettle', names: [],
      cites: [], fixes: [], checks: [], texts: [], context: '' })
    const none = async () => []
    export async function openFeed() {
      return {
        changes: async (after) => {
          if (after?.sequence === 2 || !isWritten()) return { ...nothing, position: after ?? { sequence: 1, mark: '' } }
          const records = [{ kind: 'component', id: 1 }]
          return { ...nothing, position: { sequence: 2, mark: '' }, records }
        },
        owners: async () => [owner],
        records: async (keys) => {
          await new Promise((resolve) => setTimeout(resolve, 4000))
          return keys.map(record)
        },
        matches: async (keys) => keys.map(({ kind, id }) => ({ kind, recordId: id, iri: null, path: '',
          title: 'Kettle', names: [], severity: null, status: null, benchmark: null, component: null, ccis: [] })),
        rulesOf: none, texts: async () => new Map(), referenceVersion: async () => '', close: async () => {} }
    }`

  const MATCH: GuidanceSearchRequest = {
    required: [{ alternatives: [{ words: ['kettl'], prefix: false }] }],
    searchedField: 'anywhere',
    kinds: ['component'],
    severity: null,
    benchmarks: null,
    limit: 5,
  }

  it('answers within two seconds as incomplete, or refuses, and catches up', async () => {
    const search = searchOver(BUSY_FEED, undefined, { readable: [1] })
    await search.prepare(Promise.resolve())
    const readyAt = search.upToDateAt ?? 0
    await vi.waitFor(
      () => {
        expect(search.upToDateAt).toBeGreaterThan(readyAt)
      },
      { timeout: 30_000, interval: 50 },
    )
    await vi.waitFor(
      async () => {
        const asked = performance.now()
        const answer = await search.unified(null, { ...OPEN, text: 'kettle' })
        expect(performance.now() - asked).toBeLessThan(2000)
        expect([answer.index, answer.results]).toEqual([{ behind: 1 }, []])
      },
      { timeout: 30_000, interval: 50 },
    )
    const asked = performance.now()
    await expect(search.findMatches(null, MATCH)).rejects.toMatchObject({
      code: 'search_not_ready',
      members: { retry_after: 2 },
    })
    expect(performance.now() - asked).toBeLessThan(2000)
    const behindSince = search.upToDateAt ?? 0
    // Nobody asks until it has been read.
    await vi.waitFor(
      () => {
        expect(search.upToDateAt).toBeGreaterThan(behindSince)
      },
      { timeout: 30_000, interval: 50 },
    )
    const after = await search.unified(null, { ...OPEN, text: 'kettle' })
    expect([after.index, after.results.length]).toEqual([undefined, 1])
    expect(await search.findMatches(null, MATCH)).toHaveLength(1)
  })
})

describe('A search over an ontology', () => {
  const contentOf = (digest: string): OntologyContent => ({ ...CONTENT, version: digest, digest })

  it('switches to another release, even after a failure, and names the release', async () => {
    let digest = 'first'
    const read = vi.fn<() => void>()
    const warnings = vi.fn<SearchSources<null>['log']['warn']>()
    const ontology: Ontology = {
      current: () => ({ version: digest, digest }),
      content: () => {
        read()
        return Promise.resolve(contentOf(digest))
      },
      defenses: () => Promise.resolve([]),
    }
    const search = slowSearch(0, 60_000, { ontology, log: { error: () => undefined, warn: warnings } })
    await search.prepare(Promise.resolve())
    expect((await search.unified(null, OPEN)).ontology?.version).toBe('first')
    digest = 'second'
    await vi.waitFor(
      () => {
        expect(read).toHaveBeenCalledTimes(2)
      },
      { timeout: 30_000, interval: 50 },
    )
    await vi.waitFor(
      async () => {
        expect((await search.unified(null, OPEN)).ontology?.version).toBe('second')
      },
      { timeout: 30_000, interval: 50 },
    )
    expect(warnings).not.toHaveBeenCalled()
    read.mockImplementationOnce(() => {
      throw new Error('the release is away')
    })
    digest = 'third'
    await vi.waitFor(
      () => {
        expect(warnings).toHaveBeenCalledTimes(1)
      },
      { timeout: 30_000, interval: 50 },
    )
    expect((await search.unified(null, OPEN)).ontology?.version).toBe('second')
    await vi.waitFor(
      async () => {
        expect((await search.unified(null, OPEN)).ontology?.version).toBe('third')
      },
      { timeout: 30_000, interval: 50 },
    )
  })
})

describe('A damaged file of the index', () => {
  it('is logged, and the index is rebuilt', async () => {
    const dumpFile = join(await temporaryFolder(), 'search-index')
    const warn = vi.fn<SearchSources<null>['log']['warn']>()
    const log = { error: () => undefined, warn }
    const first = slowSearch(0, 60_000, { dumpFile, log })
    await first.prepare(Promise.resolve())
    await first.close()
    const second = slowSearch(0, 60_000, { dumpFile, log })
    await second.prepare(Promise.resolve())
    await second.close()
    expect(warn).not.toHaveBeenCalled()
    const bytes = await readFile(dumpFile)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    await writeFile(dumpFile, bytes)
    const third = slowSearch(0, 60_000, { dumpFile, log })
    await third.prepare(Promise.resolve())
    expect((await third.unified(null, OPEN)).results).toEqual([])
    expect(warn.mock.calls).toEqual([
      [
        { file: dumpFile, damage: 'The digest in the file is not that of its content.' },
        'The file of the search index is damaged. Everything was read from the database instead.',
      ],
    ])
  })
})

describe('A search whose thread has died', () => {
  /** Loading texts ends the thread. */
  const mortal = `
    const nothing = { position: { sequence: 0, mark: '' }, records: [], benchmarks: [], isMore: false }
    const none = async () => []
    export async function openFeed() {
      return { changes: async () => nothing, owners: none, records: none, rulesOf: none, matches: none,
        texts: () => process.exit(), referenceVersion: async () => '', close: async () => {} }
    }`

  it('is not ready until a new thread has started', async () => {
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

  it('does not restart after it was closed', async () => {
    const search = searchOver(mortal, 60_000)
    await search.prepare(Promise.resolve())
    await search.close()
    await expect(search.unified(null, OPEN)).rejects.toMatchObject({ code: 'search_not_ready' })
  })
})
