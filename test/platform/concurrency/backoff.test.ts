import { describe, expect, it } from 'vitest'
import { backoffMs } from '../../../src/platform/concurrency/backoff.ts'

const limits = { firstMs: 250, longestMs: 5000 }

describe('The wait after failures', () => {
  it('is zero before the first failure, then doubles up to a limit', () => {
    const waits = [0, 1, 2, 3, 5, 6, 100, 5000].map((failures) => backoffMs(failures, limits))
    expect(waits).toEqual([0, 250, 500, 1000, 4000, 5000, 5000, 5000])
  })
})
