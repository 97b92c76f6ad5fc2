import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLog } from '../../../src/platform/log.ts'
import { tallyOf } from '../../../src/platform/threads/thread-figures.ts'
import { QueryPool } from '../../../src/sparql/threads/pool.ts'

const { living } = tallyOf(new URL('file:///query-worker.js'))
const { signal } = new AbortController()

function makePool(): QueryPool {
  return new QueryPool({
    ...{ threads: 2, queue: 5, waitMs: 60_000, memoryMegabytes: 64 },
    graphs: () => Promise.resolve([]),
    mayBegin: () => true,
    log: createLog('silent'),
  })
}

afterEach(() => {
  vi.useRealTimers()
})

describe('The threads of queries', () => {
  it('are as many as are asked for and one more, and one is left when nobody asks for long', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const pool = makePool()
    await pool.fill()
    expect(living.size).toBe(1)
    const ends: (() => void)[] = []
    const work = () => new Promise<void>((resolve) => ends.push(resolve))
    const asked = [pool.use(work, signal), pool.use(work, signal), pool.use(work, signal)]
    await vi.waitFor(() => {
      expect([ends.length, living.size]).toEqual([2, 3])
    })
    ends.shift()?.()
    ends.shift()?.()
    await vi.waitFor(() => {
      expect(ends).toHaveLength(1)
    })
    ends.shift()?.()
    await Promise.all(asked)
    vi.advanceTimersByTime(100_000)
    expect(living.size).toBe(3)
    vi.advanceTimersByTime(30_000)
    await vi.waitFor(() => {
      expect(living.size).toBe(1)
    })
    await pool.use(() => Promise.resolve(), signal)
    await pool.close()
    expect(living.size).toBe(0)
  })
})
