import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLog } from '../../../src/platform/log.ts'
import { tallyOf } from '../../../src/platform/threads/thread-figures.ts'
import { QueryPool } from '../../../src/sparql/threads/pool.ts'

const { living } = tallyOf(new URL('file:///query-worker.js'))
/** Making a thread takes a while on a busy machine. */
const SOON = { timeout: 10_000 }
const { signal } = new AbortController()

function makePool(): QueryPool {
  return new QueryPool({
    threads: 2,
    queue: 5,
    waitMs: 60_000,
    memoryMegabytes: 64,
    graphs: () => Promise.resolve([]),
    mayBegin: () => true,
    log: createLog('silent'),
  })
}

afterEach(() => {
  vi.useRealTimers()
})

describe('The threads of queries', () => {
  it('are as many as needed, shrink to one, and end after a long idle time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const pool = makePool()
    await pool.fill()
    expect(living.size).toBe(1)
    const ends: (() => void)[] = []
    const work = () => new Promise<void>((resolve) => ends.push(resolve))
    const asked = [pool.use(work, signal), pool.use(work, signal), pool.use(work, signal)]
    await vi.waitFor(() => {
      expect([ends.length, living.size]).toEqual([2, 2])
    }, SOON)
    ends.shift()?.()
    ends.shift()?.()
    await vi.waitFor(() => {
      expect(ends).toHaveLength(1)
    }, SOON)
    ends.shift()?.()
    await Promise.all(asked)
    vi.advanceTimersByTime(25_000)
    expect(living.size).toBe(2)
    vi.advanceTimersByTime(10_000)
    await vi.waitFor(() => {
      expect(living.size).toBe(1)
    }, SOON)
    vi.advanceTimersByTime(60_000)
    expect(living.size).toBe(1)
    vi.advanceTimersByTime(30_000)
    await vi.waitFor(() => {
      expect(living.size).toBe(0)
    }, SOON)
    await pool.use(() => Promise.resolve(), signal)
    expect(living.size).toBeGreaterThan(0)
    await pool.close()
    expect(living.size).toBe(0)
  })

  it('number one more while a query takes long', async () => {
    const pool = makePool()
    const query = `SELECT (COUNT(*) AS ?n) { ${'abcdefgh'.replaceAll(/./g, 'VALUES ?$& { 1 2 3 4 5 6 7 8 9 } ')} }`
    const question = {
      text: query,
      bounded: query,
      baseIri: 'http://localhost/',
      maxRows: 1,
      maxBytes: 1000,
      format: 'text/csv',
      dataset: { defaults: [], named: [] },
    }
    const given = pool.use(async (thread) => {
      expect(living.size).toBe(1)
      await thread.query(question, { deadlineMs: 2500, signal })
    }, signal)
    await vi.waitFor(() => {
      expect(living.size).toBe(2)
    }, SOON)
    await expect(given).rejects.toThrow('stopped')
    await pool.close()
    await expect(pool.use(() => Promise.resolve(), signal)).rejects.toMatchObject({ code: 'shutting_down' })
  })
})
