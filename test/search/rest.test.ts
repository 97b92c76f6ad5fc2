import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from '../../src/platform/log.ts'
import { threadFigures } from '../../src/platform/threads/thread-figures.ts'
import { SearchThreads } from '../../src/search/search-threads.ts'
import { temporaryFolder } from '../support/folder.ts'

const REST_MS = 2400
/** A feed of nothing, whose texts take so long to be read that others have to wait. */
const MODULE = `
  const nothing = { position: { sequence: 0, mark: '' }, records: [], benchmarks: [], isMore: false }
  const none = async () => []
  export async function openFeed() {
    return { changes: async () => nothing, owners: none, records: none, rulesOf: none, matches: none,
      texts: () => new Promise((resolve) => setTimeout(() => resolve(new Map()), 200)), referenceVersion: async () => '', close: async () => {} }
  }`

/** A figure of the threads of the search. */
function figure(name: string): number {
  const readings = threadFigures.find((candidate) => candidate.name === name)?.read() ?? []
  if (readings instanceof Promise) throw new Error('It is not there at once')
  return readings.find(({ labels }) => labels?.['thread'] === 'search')?.value ?? 0
}

async function until(name: string, expected: (value: number) => boolean): Promise<void> {
  const read = () => expected(figure(name))
  await vi.waitFor(
    () => {
      expect(read()).toBe(true)
    },
    { timeout: 30_000, interval: 20 },
  )
}

it.runIf(availableParallelism() > 1)(
  'A second thread of the search runs while the first is busy for long, and frees its memory',
  async () => {
    const sources = {
      ontology: null,
      controls: new Map(),
      controlNames: new Map(),
      abbreviations: [],
      feed: { module: new URL(`data:text/javascript,${encodeURIComponent(MODULE)}`), data: null },
      dumpFile: join(await temporaryFolder(), 'search-index'),
      log: createLog('silent'),
    }
    const startedBefore = figure('threads_started_total')
    const threads = new SearchThreads(sources, 60_000, REST_MS)
    onTestFinished(() => threads.close())
    await threads.prepare(Promise.resolve())
    await until('thread_heap_committed_bytes', (bytes) => bytes > 0)
    const alone = figure('thread_heap_committed_bytes')
    // That two meet once is no reason: there is little to do.
    await sleep(REST_MS / 2)
    await Promise.all([threads.ask('texts', []), threads.ask('texts', [])])
    expect(figure('threads')).toBe(1)
    await Promise.all([threads.ask('texts', []), threads.ask('texts', [])])
    await threads.ask('texts', [])
    await until('threads', (count) => count === 2)
    await until('thread_heap_committed_bytes', (bytes) => bytes > 1.5 * alone)
    await until('threads', (count) => count === 1)
    expect(figure('thread_heap_committed_bytes')).toBeLessThan(1.5 * alone)
    expect(await threads.ask('texts', [])).toEqual(new Map())
    expect(figure('threads_started_total') - startedBefore).toBe(2)
  },
)
